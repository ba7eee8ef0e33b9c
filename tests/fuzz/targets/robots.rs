//! Any text as a robot file.
#![no_main]

use routh_codegen::Robot;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Err(error) = Robot::from_toml_text(text, "robots/robot.toml") {
        assert!(!error.to_string().is_empty());
    }
});
