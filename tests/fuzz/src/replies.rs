//! What every answer to a text must be.

use routh_cli::{Question, replies};
use serde_json::Value;

/// The longest message.
const LONGEST: usize = 400;

/// Asks for the answers to a text and checks them.
///
/// # Panics
/// If one is not as it must be.
pub fn check(question: Question, text: &[u8]) {
    let replies = replies(question, text).expect("replies that can be written");
    for reply in replies {
        let reply: Value = serde_json::from_str(&reply).expect("a reply that is JSON");
        match reply["error"].as_object() {
            Some(error) => check_message(error["message"].as_str().expect("a message")),
            None => check_numbers("", &reply),
        }
    }
}

/// Checks that a message says something, and not too much.
fn check_message(message: &str) {
    let length = message.chars().count();
    assert!((1..=LONGEST).contains(&length), "{length} characters: {message}");
}

/// Checks that nothing is null: what is not finite is written so.
fn check_numbers(name: &str, value: &Value) {
    match value {
        // Motions at rest have none.
        Value::Null => assert_eq!(name, "first_integral_drift"),
        Value::Array(list) => list.iter().for_each(|value| check_numbers(name, value)),
        Value::Object(object) => object.iter().for_each(|(name, value)| check_numbers(name, value)),
        _ => {}
    }
}
