//! Two loops of a kilohertz, of a planar arm and of a falling leg, that foresee
//! impacts: each millisecond the controller runs its model ahead, and changes its
//! command where the impact that comes would be too hard. `controller.c` is the
//! same in C, to the last bit.

mod arm;
mod bounce;
mod leg;

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use bounce::{Bounce, HEADING, Totals};

/// The period of the loops, in s.
const STEP: f64 = 0.001;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let bits = match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => false,
        (Some("--bits"), None) => true,
        _ => {
            eprintln!("usage: routh-controller [--bits]");
            return ExitCode::from(2);
        }
    };
    match run(bits) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("an impact cannot be solved: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(bits: bool) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let (mut arm, mut leg) = (Totals::default(), Totals::default());
    let report = |totals: &mut Totals, bounce: &Bounce| {
        totals.count(bounce);
        if bits { bounce.print_bits() } else { bounce.print() }
    };
    if !bits {
        println!("{HEADING}");
    }
    let arm_ticks = arm::run(&mut |bounce| report(&mut arm, bounce))?;
    let leg_ticks = leg::run(&mut |bounce| report(&mut leg, bounce))?;
    if !bits {
        println!();
        arm.print("arm", arm_ticks);
        leg.print("leg", leg_ticks);
    }
    let mean = start.elapsed().as_secs_f64() * 1e6 / f64::from(arm_ticks + leg_ticks);
    eprintln!("{mean:.1} us a millisecond on average, looking ahead and printing included");
    Ok(())
}
