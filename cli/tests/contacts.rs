//! `routh contacts`: systems that are solved, and those that are not.

mod routh;

use routh::{Case, assert_close, check, drawn, numbers, routh};
use serde_json::{Value, json};

/// A body of mass 1 and inertia 1/2 that turns about its left foot onto its right one.
fn feet(law: &str, e: Value) -> Value {
    json!({
        "M": [[1, 0], [0, 0.5]], "J": [[1, -0.5], [1, 0.5]], "qd": [-0.75, -1.5],
        "restitution": {"law": law, "e": e},
    })
}

fn solve(system: &Value) -> Value {
    routh(&["contacts", "-"], system.to_string()).solved().remove(0)
}

#[test]
fn a_contact_that_parts_has_no_impulse() {
    for (law, e) in [("poisson", json!([0.5, 0.5])), ("newton", json!(0.5))] {
        let result = solve(&feet(law, e));
        for (name, wanted) in [
            ("qd", json!([0.75, 0])),
            ("velocity", json!([0.75, 0.75])),
            ("impulse", json!([0, 1.5])),
            ("compression_velocity", json!([0.5, 0])),
            ("compression_impulse", json!([0, 1])),
            ("energy_change", json!(-0.5625)),
        ] {
            assert_close(&result[name], &wanted, 1e-14, name);
        }
        assert_eq!(result["separated_in_compression"], json!([true, false]));
        assert_eq!(result.as_object().unwrap().len(), 7);
    }
}

/// Newton's law gains energy where a contact that separates is in the way, and says so.
#[test]
fn gained_energy_is_told() {
    let mut wedge = json!({
        "M": [[1, 0], [0, 1]], "J": [[1, 0], [-0.96, 0.28]], "qd": [-1, 0],
        "restitution": {"law": "newton", "e": 0.5},
    });
    assert_eq!(solve(&wedge)["gains_energy"], json!(true));
    wedge["restitution"]["law"] = json!("poisson");
    assert!(solve(&wedge).get("gains_energy").is_none());
}

/// A block that slides throughout, and one that friction stops.
#[test]
fn friction_slows_or_holds() {
    let mut block = json!({
        "M": [[2, 0], [0, 2]], "J": [[0, 1]], "Jt": [[1, 0]], "qd": [3, -1],
        "friction": [0.25], "restitution": {"law": "poisson", "e": 0.5},
    });
    let slowed = solve(&block);
    assert_close(&slowed["tangential_velocity"], &json!([2.625]), 1e-14, "slowed");
    assert_close(&slowed["tangential_impulse"], &json!([-0.75]), 1e-14, "slowed");
    block["friction"] = json!(4);
    let held = solve(&block);
    assert_close(&held["qd"], &json!([0, 0.5]), 1e-14, "held");
    assert_close(&held["tangential_impulse"], &json!([-6]), 1e-14, "held");
}

#[test]
fn what_is_wrong_is_told_by_field_and_value() {
    let good = feet("poisson", json!([0.5, 0.5]));
    let but = |name: &str, value: Value| {
        let mut system = good.clone();
        system[name] = value;
        system
    };
    let rubbing = |friction: Value| {
        let mut system = but("Jt", json!([[0, 1], [1, 1]]));
        system["friction"] = friction;
        system
    };
    let cases: &[(Value, &str, &[&str])] = &[
        (json!([]), "malformed_input", &["object"]),
        (json!({}), "malformed_input", &["`M`"]),
        (but("D", json!([[1]])), "malformed_input", &["`D`"]),
        (but("qd", json!([-1, "x"])), "malformed_input", &["qd[1]", "\"x\""]),
        (feet("hope", json!(0.5)), "malformed_input", &["restitution.law", "hope"]),
        (feet("energetic", json!(0.5)), "malformed_input", &["energetic", "work", "poisson"]),
        (feet("newton", json!("x")), "malformed_input", &["restitution.e", "\"x\""]),
        (feet("newton", json!([0.5, "x"])), "malformed_input", &["restitution.e[1]", "\"x\""]),
        (but("friction", json!(0.5)), "malformed_input", &["friction", "Jt"]),
        (but("Jt", json!([[0, 1], [1, 1]])), "malformed_input", &["Jt", "friction"]),
        (
            rubbing(json!({"static": 1, "kinetic": 1})),
            "malformed_input",
            &["friction", "one for each contact", "static"],
        ),
        (but("M", json!([[1, 0], [0]])), "wrong_dimension", &["M[1]", "1", "2"]),
        (but("M", json!([])), "wrong_dimension", &["J[0]", "2", "0"]),
        (but("J", json!([])), "wrong_dimension", &["J", "0"]),
        (but("J", json!([[1, 0], [1]])), "wrong_dimension", &["J[1]", "1", "2"]),
        (but("qd", json!([1])), "wrong_dimension", &["qd", "1", "2"]),
        (feet("newton", json!([0.5])), "wrong_dimension", &["restitution.e", "1", "2"]),
        (rubbing(json!([0.5])), "wrong_dimension", &["friction", "1", "2"]),
        (but("M", json!([[1, 0.5], [0, 1]])), "not_symmetric", &["M[1][0]", "0.5"]),
        (but("M", json!([[1, 0], [0, -1]])), "not_positive_definite", &["M[1][1]", "-1"]),
        (but("J", json!([[1, 0], [0, 0]])), "not_positive_definite", &["J[1]", "0"]),
        (but("qd", json!([1, 0])), "not_approaching", &["velocity[", "1"]),
        (feet("newton", json!(1.5)), "restitution_out_of_range", &["restitution.e = 1.5"]),
        (feet("newton", json!([0.5, -1])), "restitution_out_of_range", &["restitution.e[1] = -1"]),
        (
            json!({"M": [[1]], "J": [[1], [-1]], "qd": [-1],
                   "restitution": {"law": "newton", "e": [0.5, 0.25]}}),
            "restitution_out_of_range",
            &["restitution.e[0] = 0.5", "Newton"],
        ),
        (rubbing(json!(-0.5)), "friction_out_of_range", &["friction = -0.5"]),
        (rubbing(json!([0.5, -0.5])), "friction_out_of_range", &["friction[1] = -0.5"]),
    ];
    let cases: Vec<Case> = cases
        .iter()
        .map(|(system, kind, parts)| (system.to_string().into_bytes(), *kind, *parts))
        .collect();
    check("contacts", &good.to_string(), &cases);
}

#[test]
fn numbers_too_large_are_told() {
    let text = feet("newton", json!(0.5)).to_string();
    for (from, to, field) in
        [("[-0.75,", "[1e999,", "qd[0]"), ("[[1,0],", "[[1e999,0],", "M[0][0]")]
    {
        assert!(text.contains(from), "{text}");
        let run = routh(&["contacts", "-"], text.replacen(from, to, 1));
        let error = &run.lines()[0]["error"];
        assert_eq!(error["kind"], json!("not_finite"), "{error}");
        assert!(error["message"].as_str().unwrap().starts_with(field), "{error}");
    }
}

#[test]
fn the_plot_has_three_panels_of_bars() {
    let (svg, results) = drawn(&["contacts", "examples/triple_contact.json"], "--plot", "");
    assert_eq!(numbers(&results[0]["impulse"]).len(), 3);
    for title in ["impulses", "velocities after compression", "velocities after expansion"] {
        assert_eq!(svg.matches(title).count(), 1, "{title}");
    }
    for name in ["A", "B", "C"] {
        let labels = svg.lines().filter(|line| line.trim() == name);
        assert_eq!(labels.count(), 3, "{name}");
    }
}

/// A curve and a dashed line for each contact.
#[test]
fn the_family_is_drawn() {
    let (svg, results) = drawn(&["contacts", "examples/triple_contact.json"], "--family", "");
    assert_eq!(results.len(), 1);
    let curves = svg.lines().filter(|line| line.starts_with("<polyline"));
    let longest = curves.filter(|line| line.matches(',').count() > 400).count();
    assert_eq!(longest, 3);
}

/// A ball that falls on its south pole slides, and rolls if friction lets it.
#[test]
fn contacts_of_their_own_are_in_space() {
    let system = json!({
        "M": [[1, 0, 0], [0, 1, 0], [0, 0, 0.4]], "J": [[0, 1, 0], [1, 0, 1]], "qd": [1, -1, 0],
        "contacts": [{"friction": 0.1, "restitution": 0.5, "tangents": 1}],
    });
    let slides = solve(&system);
    assert_close(&slides["velocity"], &json!([[0.5, 1.0 - 0.15 * 3.5]]), 1e-12, "slides");
    assert_close(&slides["qd"], &json!([0.85, 0.5, -0.375]), 1e-12, "slides");
    assert_eq!(slides["mode"], json!(["permanent_sliding"]));
    assert_eq!(slides["unique"], json!(true));
    let kinds = slides["events"].as_array().unwrap().iter().map(|event| &event["kind"]);
    assert_eq!(kinds.collect::<Vec<_>>(), ["compression_end", "open"]);
    let mut rough = system.clone();
    rough["contacts"][0]["friction"] = json!({"static": 1, "kinetic": 0.8});
    let rolls = solve(&rough);
    assert_close(&rolls["velocity"], &json!([[0.5, 0]]), 1e-12, "rolls");
    assert_eq!(rolls["mode"], json!(["sticking_in_compression"]));
    // The same from D, which has no joints.
    let from_inertia = json!({
        "D": [[1, 0], [0, 3.5]], "velocity": [-1, 1], "contacts": system["contacts"],
    });
    let result = solve(&from_inertia);
    assert_close(&result["velocity"], &slides["velocity"], 1e-12, "D");
    assert!(result.get("qd").is_none());
}

/// A foot that is planted holds; what it takes is told as its impulse.
#[test]
fn what_is_held_answers() {
    let result = solve(&json!({
        "D": [[1, 0.5], [0.5, 1]], "velocity": [-1, 0],
        "contacts": [{"restitution": 0, "tangents": 0}, {"kind": "held", "tangents": 0}],
    }));
    assert_close(&result["velocity"], &json!([[0], [0]]), 1e-12, "velocity");
    assert_close(&result["impulse"], &json!([[4.0 / 3.0], [-2.0 / 3.0]]), 1e-12, "impulse");
}

#[test]
fn what_is_wrong_with_one_of_several_contacts_is_told() {
    let good = json!({
        "D": [[1, 0], [0, 1]], "velocity": [-1, -1],
        "contacts": [{"restitution": 0.5, "tangents": 0}, {"restitution": 0.5, "tangents": 0}],
    });
    let but = |name: &str, value: Value| {
        let mut system = good.clone();
        system["contacts"][1][name] = value;
        system.to_string().into_bytes()
    };
    let mut unknown = good.clone();
    unknown["exponent"] = json!(2);
    let mut apart = good.clone();
    apart["velocity"] = json!([1, 1]);
    let mut law = good.clone();
    law["law"] = json!("newton");
    let cases: Vec<Case> = vec![
        (but("restitution", json!(1.5)), "restitution_out_of_range", &["contacts[1].restitution"]),
        (but("friction", json!(-1)), "friction_out_of_range", &["contacts[1].friction = -1.0"]),
        (but("stiffness", json!(0)), "not_positive", &["contacts[1].stiffness = 0.0"]),
        (but("kind", json!("glued")), "malformed_input", &["contacts[1].kind", "plastic"]),
        (but("tangents", json!(3)), "malformed_input", &["contacts[1].tangents = 3"]),
        (but("mass", json!(3)), "malformed_input", &["contacts[1].mass", "unknown field"]),
        (unknown.to_string().into_bytes(), "malformed_input", &["exponent: expected 1.5 or 1"]),
        (law.to_string().into_bytes(), "malformed_input", &["law: unknown law newton"]),
        (apart.to_string().into_bytes(), "not_approaching", &["velocity[0] = 1.0"]),
    ];
    check("contacts", &good.to_string(), &cases);
}

#[test]
fn a_landing_is_drawn() {
    let (svg, results) = drawn(&["contacts", "examples/box_landing.json"], "--plot", "");
    assert_eq!(results[0]["velocity"].as_array().unwrap().len(), 4);
    for title in ["impulses", "velocities after impact"] {
        assert_eq!(svg.matches(title).count(), 1, "{title}");
    }
}
