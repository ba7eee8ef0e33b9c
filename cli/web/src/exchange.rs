//! The memory that the module shares with whoever calls it. Its cells are atomic, so
//! that it can be written from outside between two calls.
#![expect(unsafe_code, reason = "a name that is exported could hide another")]

use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Numbers that a call takes at most.
pub const INPUTS: usize = 32;
/// Numbers that a call yields at most.
pub const OUTPUTS: usize = 1 << 15;
/// Bytes of words that a call yields at most.
pub const BYTES: usize = 1 << 10;

static INPUT: [AtomicU64; INPUTS] = [const { AtomicU64::new(0) }; INPUTS];
static OUTPUT: [AtomicU64; OUTPUTS] = [const { AtomicU64::new(0) }; OUTPUTS];
static TEXT: [AtomicU8; BYTES] = [const { AtomicU8::new(0) }; BYTES];
static LENGTH: AtomicUsize = AtomicUsize::new(0);

/// What a call yields: numbers, and words that go with them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The numbers.
    pub numbers: Vec<f64>,
    /// The words.
    pub text: String,
}

/// Where the numbers of a call are written to.
#[unsafe(no_mangle)]
pub extern "C" fn input() -> *const u64 {
    INPUT.as_ptr().cast()
}

/// Where its numbers are read from.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u64 {
    OUTPUT.as_ptr().cast()
}

/// Where its words are read from, as UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn text() -> *const u8 {
    TEXT.as_ptr().cast()
}

/// How many bytes they take.
#[unsafe(no_mangle)]
pub extern "C" fn text_length() -> usize {
    LENGTH.load(Relaxed)
}

/// The first numbers that were written.
pub fn read<const N: usize>() -> [f64; N] {
    std::array::from_fn(|i| f64::from_bits(INPUT[i].load(Relaxed)))
}

/// Shows an answer and returns how many numbers it has, at most [`OUTPUTS`].
pub fn write(answer: &Answer) -> usize {
    for (cell, number) in OUTPUT.iter().zip(&answer.numbers) {
        cell.store(number.to_bits(), Relaxed);
    }
    for (cell, byte) in TEXT.iter().zip(answer.text.bytes()) {
        cell.store(byte, Relaxed);
    }
    LENGTH.store(answer.text.len().min(BYTES), Relaxed);
    answer.numbers.len().min(OUTPUTS)
}
