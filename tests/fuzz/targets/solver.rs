//! Any numbers as an impact, in the plane and in space, alone and in a batch.
#![no_main]

use routh_fuzz::impacts;
use routh_fuzz::numbers::Numbers;
use routh::{Accuracy, Collision, Contact, Error, solve_batch};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut numbers = Numbers::new(bytes);
    match numbers.byte() % 4 {
        0 => impacts::motion(&mut numbers),
        1 | 2 => {
            let Some((contact, input)) = impacts::read::<3>(&mut numbers) else { return };
            let solved = contact.solve(input.velocity, input.friction, input.restitution);
            impacts::check(&input, &contact, &solved);
            let (velocity, friction, restitution) =
                (input.velocity, input.friction, input.restitution);
            let collision = Collision { contact, velocity, friction, restitution };
            if numbers.byte() == 0 {
                let batch = solve_batch(&[collision; 3], Accuracy::default());
                let alone = solved.as_ref().map_err(Error::kind);
                let alike =
                    batch.iter().all(|result| result.as_ref().map_err(Error::kind) == alone);
                assert!(alike, "{batch:?}\n{solved:?}");
            }
        }
        _ => {
            let Some((contact, input)) = impacts::read::<2>(&mut numbers) else { return };
            let contact: Contact<2> = contact;
            let solved = contact.solve(input.velocity, input.friction, input.restitution);
            impacts::check(&input, &contact, &solved);
        }
    }
});
