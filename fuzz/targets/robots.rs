//! Any text as a robot file.
#![no_main]

use routh_codegen::Robot;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let robot = Robot::from_toml_text(text, "robots/robot.toml");
    if let Err(error) = robot {
        routh_fuzz::replies::check_message(&error.to_string());
    }
});
