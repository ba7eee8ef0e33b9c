//! Any numbers as a contact whose flow is compiled, and as impacts of it.
#![no_main]

use routh_fuzz::impacts;
use routh_fuzz::numbers::Numbers;
use routh::Flow;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut numbers = Numbers::new(bytes);
    let make = if numbers.byte() % 8 == 0 { Flow::new } else { Flow::compact };
    let Some((contact, mut input)) = impacts::read::<3>(&mut numbers) else { return };
    let flow = make(&contact, input.friction);
    for _ in 0..8 {
        impacts::check_finite(&flow.solve(input.velocity, input.restitution));
        input.velocity = numbers.vector();
        input.velocity[0] -= 1.0;
    }
});
