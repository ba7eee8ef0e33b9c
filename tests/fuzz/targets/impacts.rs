//! Any text as the input of `routh solve`.
#![no_main]

use routh_cli::Question;

libfuzzer_sys::fuzz_target!(|text: &[u8]| routh_fuzz::replies::check(Question::Impact, text));
