//! Any text as the input of `routh chain`.
#![no_main]

use routh_cli::Question;

libfuzzer_sys::fuzz_target!(|text: &[u8]| routh_fuzz::replies::check(Question::Chain, text));
