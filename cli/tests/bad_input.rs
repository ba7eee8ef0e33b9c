//! Input that cannot be solved: its line says why, and the others are solved.

mod routh;

use routh::{Run, check, routh};
use serde_json::{Value, json};

const IMPACT: &str = r#"{"D": [[2.5, -1.5], [-1.5, 2.5]], "velocity": [-1, 0.6], "friction": 0.7, "restitution": {"law": "energetic", "e": 0.82}}"#;
const ROBOT: &str = r#"{"M": [[2, 0], [0, 1]], "J": [[1, 0], [0, 1]], "qd": [-1, 0.5], "friction": 0.7, "restitution": {"law": "poisson", "e": 0.5}}"#;
const MOTION: &str =
    r#"{"D": [[2, 0, 0], [0, 1, 0], [0, 0, 1]], "mu": 0.3, "v0": [4, 0], "impulse": [1, 2]}"#;

const MEGABYTE: usize = 1 << 20;

/// Replaces something that is there.
fn but(text: &str, from: &str, to: &str) -> Vec<u8> {
    assert!(text.contains(from), "{from} in {text}");
    text.replacen(from, to, 1).into_bytes()
}

#[test]
fn texts_that_are_not_an_object() {
    let deep = |n| "[".repeat(n) + &"]".repeat(n);
    check(
        "solve",
        IMPACT,
        &[
            (b"nonsense".into(), "malformed_input", &["object", "nonsense"]),
            (b"{".into(), "malformed_input", &["EOF", "line 4 column 1"]),
            (IMPACT[..15].into(), "malformed_input", &["D[0]", "EOF", "line 6"]),
            (b"[]".into(), "malformed_input", &["object", "[]"]),
            (b"null".into(), "malformed_input", &["object", "null"]),
            ([IMPACT, IMPACT].concat().into(), "malformed_input", &["trailing"]),
            ("[".repeat(100_000).into(), "malformed_input", &["object"]),
            (deep(100_000).into(), "malformed_input", &["object"]),
            ("{\"D\":".repeat(100_000).into(), "malformed_input", &["D"]),
            (but(IMPACT, "0.6", &deep(100_000)), "malformed_input", &["velocity[1]", "number"]),
            (but(IMPACT, "0.7", &deep(100_000)), "malformed_input", &["friction", "number"]),
            (but(IMPACT, "0.6", "NaN"), "malformed_input", &["velocity[1]", "column 52"]),
            (b"\xff\xfe{".into(), "malformed_input", &["0xff", "UTF-8", "line 26 column 1"]),
            (b"{\"D\": \"\xe9\"}".into(), "malformed_input", &["0xe9", "UTF-8", "column 8"]),
        ],
    );
}

#[test]
fn fields_that_are_wrong() {
    let long = "x".repeat(MEGABYTE);
    let quoted = format!("{long:?}");
    check(
        "solve",
        IMPACT,
        &[
            (b"{}".into(), "malformed_input", &["friction"]),
            (but(IMPACT, "\"D\"", "\"E\""), "malformed_input", &["`E`", "`D`"]),
            (but(IMPACT, "\"D\"", &quoted), "malformed_input", &["xxx…xxx", "unknown field"]),
            (but(IMPACT, "\"velocity\"", "\"D\""), "malformed_input", &["duplicate", "`D`"]),
            (but(IMPACT, "{", "{\"qd\": [1], "), "malformed_input", &["qd", "D", "either"]),
            (but(ROBOT, "{", "{\"velocity\": [1], "), "malformed_input", &["M", "velocity"]),
            (but(ROBOT, "\"J\": [[1, 0], [0, 1]],", ""), "malformed_input", &["`J`"]),
            (but(IMPACT, "\"velocity\": [-1, 0.6],", ""), "malformed_input", &["`velocity`"]),
            (but(IMPACT, "\"friction\": 0.7,", ""), "malformed_input", &["`friction`"]),
            (but(IMPACT, "0.6", "\"0.6\""), "malformed_input", &["velocity[1]", "\"0.6\""]),
            (but(IMPACT, "0.6", &quoted), "malformed_input", &["velocity[1]", "\"xxx", "xxx\""]),
            (but(IMPACT, "[-1, 0.6]", "true"), "malformed_input", &["velocity", "true"]),
            (but(IMPACT, "2.5]]", "null]]"), "malformed_input", &["D[1][1]", "null"]),
            (but(IMPACT, "[2.5, -1.5]", "7"), "malformed_input", &["D[0]", "7"]),
            (but(IMPACT, "0.7", "\"dry\""), "malformed_input", &["friction", "\"dry\""]),
            (but(IMPACT, "0.7", "{\"static\": 1}"), "malformed_input", &["friction", "`kinetic`"]),
            (
                but(IMPACT, "0.7", r#"{"static": 1, "kinetic": "x"}"#),
                "malformed_input",
                &["friction.kinetic", "\"x\""],
            ),
            (
                but(IMPACT, "0.7", r#"{"static": 1, "static": 1, "kinetic": 1}"#),
                "malformed_input",
                &["friction", "duplicate", "`static`"],
            ),
            (but(IMPACT, "energetic", "hope"), "malformed_input", &["restitution.law", "hope"]),
            (but(IMPACT, "energetic", &long), "malformed_input", &["restitution.law", "xxx…xxx"]),
            (but(IMPACT, "\"energetic\"", "7"), "malformed_input", &["restitution.law", "7"]),
            (but(IMPACT, "0.82", "[]"), "malformed_input", &["restitution.e", "[]"]),
            (but(IMPACT, ", \"e\": 0.82", ""), "malformed_input", &["restitution", "`e`"]),
        ],
    );
}

#[test]
fn sizes_that_do_not_fit() {
    check(
        "solve",
        IMPACT,
        &[
            (but(IMPACT, "0.6", "0.6, 0"), "wrong_dimension", &["velocity", "3", "2"]),
            (but(IMPACT, "[-1, 0.6]", "[]"), "wrong_dimension", &["velocity", "0", "2"]),
            (but(IMPACT, "-1.5, 2.5", "-1.5"), "wrong_dimension", &["D[1]", "1", "2"]),
            (but(IMPACT, "[2.5, -1.5], ", ""), "wrong_dimension", &["D", "1", "2 or 3"]),
            (but(IMPACT, "[[2.5, -1.5], [-1.5, 2.5]]", "[]"), "wrong_dimension", &["D", "0"]),
            (but(ROBOT, "[0, 1]], \"J\"", "[0]], \"J\""), "wrong_dimension", &["M[1]", "1", "2"]),
            (but(ROBOT, "[[1, 0], ", "[[1], "), "wrong_dimension", &["J[0]", "1", "2"]),
            (but(ROBOT, "[[1, 0], ", "["), "wrong_dimension", &["J", "1", "2 or 3"]),
            (but(ROBOT, "0.5]", "0.5, 0]"), "wrong_dimension", &["qd", "3", "2"]),
        ],
    );
}

#[test]
fn values_that_are_out_of_range() {
    let endless = "9".repeat(MEGABYTE);
    check(
        "solve",
        IMPACT,
        &[
            (but(IMPACT, "0.6", "1e999"), "not_finite", &["velocity[1]", "inf"]),
            (but(IMPACT, "0.6", &endless), "not_finite", &["velocity[1]", "inf"]),
            (but(IMPACT, "[[2.5", "[[-1e999"), "not_finite", &["D[0][0]", "-inf"]),
            (but(IMPACT, "0.7", "1e999"), "not_finite", &["friction", "inf"]),
            (but(IMPACT, "0.82", "1e999"), "not_finite", &["restitution.e", "inf"]),
            (but(ROBOT, "0.5", "1e999"), "not_finite", &["qd[1]", "inf"]),
            (but(ROBOT, "[[2", "[[1e999"), "not_finite", &["M[0][0]", "inf"]),
            (but(IMPACT, "[-1.5, 2.5]", "[-1.4, 2.5]"), "not_symmetric", &["D[1][0]", "-1.4"]),
            (but(ROBOT, "[[2, 0]", "[[2, 0.5]"), "not_symmetric", &["M[1][0]", "0.5"]),
            (but(IMPACT, "[[2.5", "[[-2.5"), "not_positive_definite", &["D[0][0]", "-2.5"]),
            (but(IMPACT, "[[2.5", "[[0.5"), "not_positive_definite", &["D["]),
            (but(ROBOT, "[[2", "[[-2"), "not_positive_definite", &["M[0][0]", "-2"]),
            (but(ROBOT, "[[1, 0], [0, 1]]", "[[0, 1], [0, 1]]"), "not_positive_definite", &["D["]),
            (but(IMPACT, "[-1,", "[1,"), "not_approaching", &["velocity[0]", "1"]),
            (but(ROBOT, "[-1,", "[0,"), "not_approaching", &["velocity[0]", "0"]),
            (but(IMPACT, "0.7", "-0.7"), "friction_out_of_range", &["friction = -0.7"]),
            (
                but(IMPACT, "0.7", r#"{"static": 0.2, "kinetic": 0.3}"#),
                "friction_out_of_range",
                &["friction.static = 0.2", "0.3"],
            ),
            (but(IMPACT, "0.82", "1.5"), "restitution_out_of_range", &["restitution.e = 1.5"]),
            (but(IMPACT, "0.82", "-0.5"), "restitution_out_of_range", &["restitution.e = -0.5"]),
        ],
    );
}

#[test]
fn form_is_checked_before_values() {
    let sizes = but(IMPACT, "0.6", "1e999, 0");
    let form = but(std::str::from_utf8(&sizes).unwrap(), "energetic", "hope");
    check(
        "solve",
        IMPACT,
        &[(sizes, "wrong_dimension", &["velocity"]), (form, "malformed_input", &["hope"])],
    );
}

#[test]
fn motions_that_cannot_be_followed() {
    check(
        "trajectory",
        MOTION,
        &[
            (IMPACT.into(), "malformed_input", &["`velocity`", "`v0`"]),
            (but(MOTION, "\"mu\": 0.3,", ""), "malformed_input", &["`mu`"]),
            (but(MOTION, "0.3", "{}"), "malformed_input", &["mu", "{}"]),
            (but(MOTION, "[1, 2]", "[1, -2]"), "malformed_input", &["impulse[1]", "-2"]),
            (but(MOTION, "[1, 2]", "2"), "malformed_input", &["impulse", "2"]),
            (but(MOTION, "{", "{\"order\": 2.5, "), "malformed_input", &["order", "2.5"]),
            (but(MOTION, "{", "{\"order\": 65, "), "malformed_input", &["order = 65", "64"]),
            (but(MOTION, "{", "{\"tolerance\": 1, "), "malformed_input", &["tolerance = 1"]),
            (but(MOTION, "[1, 2]", "[1, 1e999]"), "not_finite", &["impulse[1]", "inf"]),
            (but(MOTION, "[4, 0]", "[4, 1e999]"), "not_finite", &["v0[1]", "inf"]),
            (but(MOTION, "0.3", "1e999"), "not_finite", &["mu", "inf"]),
            (but(MOTION, "0.3", "-1"), "friction_out_of_range", &["mu = -1"]),
            (but(MOTION, "[4, 0]", "[4, 0, 0]"), "wrong_dimension", &["v0", "3", "2"]),
            (but(MOTION, ", [0, 0, 1]", ""), "wrong_dimension", &["D", "2", "3"]),
            (but(MOTION, "[[2, 0,", "[[2, 1,"), "not_symmetric", &["D[1][0]", "1"]),
            (but(MOTION, "[[2,", "[[-2,"), "not_positive_definite", &["D[0][0]", "-2"]),
        ],
    );
}

#[test]
fn a_broken_object_over_many_lines_is_told_line_by_line() {
    let run = routh(&["solve", "-"], format!("{{\n\"D\": 1,\n{IMPACT}\n"));
    let answers = run.lines();
    let kinds: Vec<&Value> = answers.iter().map(|answer| &answer["error"]["kind"]).collect();
    assert_eq!(kinds, [&json!("malformed_input"), &json!("malformed_input"), &Value::Null]);
}

#[test]
fn an_empty_input_is_malformed() {
    for subcommand in ["solve", "trajectory"] {
        for input in ["", "\n \r\n\t"] {
            let run = routh(&[subcommand, "-"], input);
            assert_eq!(run.status, 1);
            let error = json!({"kind": "malformed_input", "message": "the input is empty"});
            assert_eq!(run.lines(), [json!({ "error": error })]);
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    for subcommand in ["solve", "trajectory"] {
        for file in ["examples/missing.json", "examples"] {
            let Run { status, out, err } = routh(&[subcommand, file], "");
            assert_eq!((status, out.as_str()), (1, ""));
            assert!(err.starts_with(&format!("routh: cannot read {file}: ")), "{err}");
        }
    }
}

#[test]
fn wrong_usage_is_told_apart() {
    for arguments in [&[][..], &["solve"], &["solve", "a", "b"], &["divine"], &["derive", "x"]] {
        routh(arguments, "").refused("Usage: routh");
    }
}
