//! The functions that the module exports.
#![expect(unsafe_code, reason = "a name that is exported could hide another")]

use std::hint::black_box;

use crate::exchange::{self, Answer};
use crate::impact::Posed;
use crate::robots;

/// Solves the impact of the input and returns how many numbers describe it; none if
/// it is refused, for the reason in the text.
#[unsafe(no_mangle)]
pub extern "C" fn impact() -> usize {
    let answer = Posed::from(exchange::read()).answer();
    exchange::write(&answer.unwrap_or_else(|error| refusal(&error.to_string())))
}

/// Solves the impact of the input so many times, to be timed.
#[unsafe(no_mangle)]
pub extern "C" fn repeat(times: u32) {
    let posed = Posed::from(exchange::read());
    for _ in 0..times {
        let _ = black_box(black_box(&posed).solve());
    }
}

/// The contact inertia of a robot whose joints are at the positions of the input.
#[unsafe(no_mangle)]
pub extern "C" fn inertia(robot: usize) -> usize {
    let numbers = robots::inertia(robot, &exchange::read());
    exchange::write(&Answer { numbers, ..Answer::default() })
}

fn refusal(reason: &str) -> Answer {
    Answer { numbers: Vec::new(), text: reason.to_owned() }
}
