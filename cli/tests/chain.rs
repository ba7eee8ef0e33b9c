//! `routh chain` against the references, and what it makes of other input.

mod routh;

use std::fs;

use routh::{
    assert_close, check, drawing, examples, folder, largest, numbers, reference, routh, shell,
};
use serde_json::{Value, json};

/// Mass and radius of the steel spheres of the reference.
const MASS: f64 = 4.11548637620263;
const RADIUS: f64 = 0.05;

/// Spheres in a row, the first of which moves, and all of whose contacts are alike.
fn spheres(count: usize, model: &str, properties: &Value) -> Value {
    let sphere = |i: usize| {
        let velocity = [if i == 0 { 1 } else { 0 }, 0, 0];
        json!({"mass": MASS, "inertia": 0.4 * MASS * RADIUS * RADIUS, "velocity": velocity})
    };
    let mut contact = properties.clone();
    contact["angle"] = json!(0);
    contact["arms"] = json!([[RADIUS, 0], [-RADIUS, 0]]);
    let bodies: Value = (0..count).map(sphere).collect();
    json!({"bodies": bodies, "contacts": vec![contact; count - 1], "model": model})
}

/// Three spheres with friction; the first also moves across, so that it slides.
fn rubbing() -> Value {
    let steel = json!({"stiffness": 2.4e10, "restitution": 0.8, "friction": 0.3});
    let mut chain = spheres(3, "michalczyk", &steel);
    chain["bodies"][0]["velocity"][1] = json!(0.5);
    chain
}

/// The rubbing spheres with a value as it stands at a pointer, or without what is
/// there; without a pointer just the text.
fn but(pointer: &str, value: &str) -> String {
    let Some((parent, key)) = pointer.rsplit_once('/') else { return value.to_owned() };
    let mut chain = rubbing();
    match chain.pointer_mut(parent).unwrap() {
        Value::Object(members) if value.is_empty() => assert!(members.remove(key).is_some()),
        Value::Object(members) => drop(members.insert(key.to_owned(), json!("here"))),
        list => list[key.parse::<usize>().unwrap()] = json!("here"),
    }
    chain.to_string().replace("\"here\"", value)
}

fn follow(chain: impl ToString) -> Value {
    routh(&["chain", "-"], chain.to_string()).solved().remove(0)
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

/// One member of every body or contact.
fn each(all: &Value, member: &str) -> Value {
    list(all).iter().map(|one| one[member].clone()).collect()
}

/// Kinetic energy of bodies at some velocities.
fn energy(bodies: &Value, velocities: &Value) -> f64 {
    let energy = |(body, velocity): (&Value, &Value)| {
        let [mass, inertia] = ["mass", "inertia"].map(|key| body[key].as_f64().unwrap());
        let v = numbers(velocity);
        0.5 * (mass * (v[0] * v[0] + v[1] * v[1]) + inertia * v[2] * v[2])
    };
    list(bodies).iter().zip(list(velocities)).map(energy).sum()
}

/// The entries of a CSV file, its header first.
fn entries(csv: &str) -> Vec<Vec<&str>> {
    csv.lines().map(|line| line.split(',').collect()).collect()
}

/// The stiffness of spheres may be given, or follow from what they are made of.
#[test]
fn a_material_stands_for_its_stiffness() {
    let steel = &reference("chain.json")["material"];
    assert_eq!((&steel["mass"], &steel["radius"]), (&json!(MASS), &json!(RADIUS)));
    let [young, poisson] = ["youngs_modulus", "poisson_ratio"].map(|key| &steel[key]);
    let material = json!({"youngs_modulus": young, "poisson_ratio": poisson});
    let made =
        json!({"restitution": 0.8, "material": [material, material], "radii": [RADIUS, RADIUS]});
    let given = json!({"restitution": 0.8, "stiffness": steel["hertz_stiffness"]});
    for model in ["elastic", "michalczyk"] {
        let [made, given] = [&made, &given].map(|contact| follow(spheres(3, model, contact)));
        assert_close(&made["velocities"], &given["velocities"], 1e-9, model);
    }
}

/// Chains with every kind of event, which another program followed in another way. No
/// energy goes but where it is said to go.
#[test]
fn chains_agree_with_the_independent_reference() {
    let reference = reference("chains.json");
    let cases = list(&reference["cases"]);
    let input: String = cases.iter().map(|case| format!("{}\n", case["chain"])).collect();
    let results = routh(&["chain", "-"], input).solved();
    assert_eq!(results.len(), cases.len());
    for (case, result) in cases.iter().zip(&results) {
        let (name, chain) = (case["name"].as_str().unwrap(), &case["chain"]);
        let before = each(&chain["bodies"], "velocity");
        // The command rounds too.
        let accuracy = case["accuracy"].as_f64().unwrap().max(1e-12);
        let arm = largest(&numbers(&each(&chain["contacts"], "arms")));
        let [found, wanted] = [result, case].map(|one| {
            let along = |v: &Value| json!([v[0], v[1], arm * v[2].as_f64().unwrap()]);
            list(&one["velocities"]).iter().map(along).collect()
        });
        assert_close(&found, &wanted, accuracy * largest(&numbers(&before)), name);
        let members = [("peak_force", accuracy), ("impulse", accuracy), ("duration", 1e-9)];
        for (member, tolerance) in members {
            let [found, wanted] = [result, case].map(|one| each(&one["contacts"], member));
            // Where a contact never opens, the reference has no duration.
            if !wanted[0].is_null() {
                assert_close(&found, &wanted, tolerance * largest(&numbers(&wanted)), name);
            }
        }
        let [found, wanted] = [result, case].map(|one| each(&one["contacts"], "scenario"));
        assert_eq!(found, wanted, "{name}");
        let number = |key: &str| result[key].as_f64().unwrap_or_else(|| panic!("{name}: {key}"));
        let whole = case["duration"].as_f64().unwrap_or(number("duration"));
        assert!((number("duration") / whole - 1.0).abs() < 1e-9, "{name}");
        assert!(number("steps") > 0.0 && number("max_active_contacts") > 0.0, "{name}");
        assert!(number("energy_error") < 1e-10 && number("momentum_error") < 1e-10, "{name}");
        let lost = ["restitution_loss", "friction_loss"]
            .map(|loss| numbers(&each(&result["contacts"], loss)).iter().sum::<f64>());
        let energy = [&before, &result["velocities"]].map(|v| energy(&chain["bodies"], v));
        let left = energy[0] - energy[1] - lost[0] - lost[1];
        assert!(left.abs() < 1e-10 * energy[0], "{name}: {left}");
    }
}

#[test]
fn what_is_left_out_has_its_default() {
    assert_eq!(follow(but("/model", "")), follow(rubbing()));
    let [smooth, without] = ["0", ""].map(|friction| follow(but("/contacts/0/friction", friction)));
    assert_eq!(smooth, without);
}

/// What is changed, to what, and the kind of error and a part of the message it yields.
const CASES: [[&str; 4]; 36] = [
    ["", "nonsense", "malformed_input", "expected an object, found nonsense"],
    ["", "{\"bodies\": [", "malformed_input", "EOF while parsing a list at line 4 column 12"],
    ["/contacts", "", "malformed_input", "missing field `contacts`"],
    ["/bodies/1/mass", "", "malformed_input", "bodies[1]: missing field `mass`"],
    ["/contacts/1/arms", "", "malformed_input", "contacts[1]: missing field `arms`"],
    ["/contacts/1/restitution", "", "malformed_input", "contacts[1].restitution: missing"],
    ["/contacts/1/stiffness", "", "malformed_input", "contacts[1]: give either stiffness, or"],
    ["/contacts/1/material", STEEL, "malformed_input", "contacts[1]: give either stiffness, or"],
    ["/gravity", "9.81", "malformed_input", "unknown field `gravity`"],
    ["/bodies/1/colour", "7", "malformed_input", "bodies[1].colour: unknown field"],
    ["/contacts/1/mu", "0.3", "malformed_input", "contacts[1].mu: unknown field"],
    ["/model", "\"hope\"", "malformed_input", "unknown model hope, expected one of michalczyk"],
    [
        "/bodies/1/velocity/2",
        "\"x\"",
        "malformed_input",
        "bodies[1].velocity[2]: expected a number",
    ],
    ["/contacts", "[]", "wrong_dimension", "contacts has size 0, not 2"],
    ["/bodies/1/velocity", "[1]", "wrong_dimension", "bodies[1].velocity has size 1, not 3"],
    ["/contacts/1/arms/1", "[1]", "wrong_dimension", "contacts[1].arms[1] has size 1, not 2"],
    ["/contacts/1/arms", "[[1, 0]]", "wrong_dimension", "contacts[1].arms has size 1, not 2"],
    ["/contacts/1/arms", THREE, "wrong_dimension", "contacts[1].arms has size 3, not 2"],
    ["/contacts/1/arms/1/0", "1e999", "not_finite", "contacts[1].arms[1][0] = inf"],
    ["/bodies/1/mass", "-4.1", "not_positive", "bodies[1].mass = -4.1"],
    ["/bodies/2/inertia", "0", "not_positive", "bodies[2].inertia = 0"],
    ["/contacts/1/stiffness", "0", "not_positive", "contacts[1].stiffness = 0"],
    ["/contacts/1/restitution", "1.5", "restitution_out_of_range", "contacts[1].restitution = 1.5"],
    ["/contacts/1/friction", "-0.3", "friction_out_of_range", "contacts[1].friction = -0.3"],
    ["/contacts/1/friction", FALLING, "friction_out_of_range", "contacts[1].friction.static = 0.2"],
    ["/bodies/0/mass", "1e999", "not_finite", "bodies[0].mass = inf"],
    ["/bodies/0/velocity/1", "-1e999", "not_finite", "bodies[0].velocity[1] = -inf"],
    ["/bodies/0/velocity/0", "1e200", "malformed_input", "bodies[0].velocity[0] = 1e200"],
    ["/bodies/0/velocity", "[1e-200, 0, 0]", "malformed_input", "contacts[0].speed = 1e-200"],
    ["/bodies/0/mass", "1e-200", "malformed_input", "bodies[0].mass = 1e-200 is out of range"],
    ["/contacts/1/stiffness", "1e200", "malformed_input", "contacts[1].stiffness = 1e200"],
    ["/contacts/1/angle", "1e999", "not_finite", "contacts[1].angle = inf"],
    ["/contacts/1/stiffness", "1e999", "not_finite", "contacts[1].stiffness = inf"],
    ["/contacts/1/friction", "1e999", "not_finite", "contacts[1].friction = inf"],
    ["/bodies/0/velocity/0", "-1", "not_approaching", "do not approach"],
    ["/model", "\"flores\"", "closed_at_rest", "contacts[1] touches at rest, and the model flores"],
];
const STEEL: &str = r#"[{"youngs_modulus": 2e11, "poisson_ratio": 0.3}, {"youngs_modulus": 2e11, "poisson_ratio": 0.3}]"#;
const THREE: &str = "[[1, 0], [1, 0], [1, 0]]";
const FALLING: &str = r#"{"static": 0.2, "kinetic": 0.3}"#;

/// The good ones are solved as they are over many lines.
#[test]
fn what_is_wrong_is_told_by_field_and_value() {
    let good = rubbing();
    assert_eq!(follow(&good), follow(serde_json::to_string_pretty(&good).unwrap()));
    let cases = CASES.each_ref().map(|[pointer, value, kind, part]| {
        (but(pointer, value).into_bytes(), *kind, std::slice::from_ref(part))
    });
    check("chain", &good.to_string(), &cases);
}

/// Two chains of different length: a table with a header for the longer, and curves.
#[test]
fn forces_are_written_and_drawn() {
    let folder = folder("forces");
    let [csv, svg] = ["csv", "svg"].map(|kind| format!("{folder}/forces.{kind}"));
    let pair = spheres(2, "elastic", &json!({"stiffness": 2.4e10}));
    let input = format!("{}\n{pair}\n", but("/name", "\"rough\""));
    let results = routh(&["chain", "-", "--csv", &csv, "--plot", &svg], &input).solved();
    assert_eq!(results, routh(&["chain", "-"], &input).solved());
    let text = fs::read_to_string(csv).unwrap();
    let table = entries(&text);
    assert_eq!(table[0].join(","), "chain,time,normal_1,tangential_1,normal_2,tangential_2");
    assert!(table.iter().all(|row| row.len() == table[0].len()));
    for (result, number) in results.iter().zip(["1", "2"]) {
        let rows: Vec<_> = table.iter().filter(|row| row[0] == number).collect();
        let column = |i: usize| rows.iter().map(|row| row[i].parse().unwrap()).collect();
        let [times, normal, tangential]: [Vec<f64>; 3] = [1, 2, 3].map(column);
        assert!(times.is_sorted() && times[0] == 0.0);
        let peak = result["contacts"][0]["peak_force"].as_f64().unwrap();
        assert!((largest(&normal) - peak).abs() < 0.01 * peak, "{peak}");
        let mut held = normal.iter().zip(&tangential);
        assert!(held.all(|(n, t)| t.abs() <= 0.3 * n + 1e-9 * peak));
        assert_eq!(largest(&tangential) > 0.0, number == "1");
    }
    let labelled = |label: &str| drawing(&svg).lines().any(|line| line.trim() == label);
    assert!(labelled("rough") && labelled("chain 2"));
    routh(&["chain", "-", "--plot", &svg], rubbing().to_string()).solved();
    assert!(labelled("contact 1") && labelled("contact 2"));
}

/// Eq. 17 of the chain paper, `β = r_x r_y / (1/m₁ + 1/m₂) J₁`, for a point set by hand.
#[test]
fn beta_moves_the_first_contact_across_the_first_body() {
    let mut chain = rubbing();
    chain["bodies"][1]["mass"] = json!(2);
    chain["bodies"][1]["inertia"] = json!(0.01);
    let across = 0.013;
    let inertia = chain["bodies"][0]["inertia"].as_f64().unwrap();
    let beta = RADIUS * across / ((1.0 / MASS + 1.0 / 2.0) * inertia);
    let [one, other] = [format!("beta={beta}:0:3"), "contacts.0.friction=0.1:-0.1:2".to_owned()];
    let run = routh(&["chain", "-", "--sweep", &one, "--sweep", &other], chain.to_string());
    assert_eq!((run.status, run.err.as_str()), (1, "routh: 3 of 6 inputs could not be solved\n"));
    let table = entries(&run.out);
    let header = "beta,contacts.0.friction,scenario,peak_force,duration,steps,error";
    assert_eq!((table.len(), table[0].join(",").as_str()), (1 + 3 * 2, header));
    assert!(table[4..].iter().all(|row| row[6] == "friction_out_of_range"));
    for (row, across) in table[1..4].iter().zip([across, 0.5 * across, 0.0]) {
        chain["contacts"][0]["arms"][0][1] = json!(across);
        chain["contacts"][0]["friction"] = json!(0.1);
        let first = &follow(&chain)["contacts"][0];
        assert_eq!((row[1], row[6], json!(row[2])), ("0.1", "", first["scenario"].clone()));
        for (text, key) in [(row[3], "peak_force"), (row[4], "duration")] {
            let wanted = first[key].as_f64().unwrap();
            assert!((text.parse::<f64>().unwrap() / wanted - 1.0).abs() < 1e-12, "{key} {text}");
        }
    }
}

#[test]
fn a_loose_tolerance_saves_steps() {
    let loose = routh(&["chain", "-", "--tolerance", "1e-6"], rubbing().to_string()).solved();
    let exact = follow(rubbing());
    assert!(loose[0]["steps"].as_u64() < exact["steps"].as_u64());
    assert_close(&loose[0]["velocities"], &exact["velocities"], 1e-5, "velocities");
}

#[test]
fn wrong_usage_is_told() {
    let beta = "--sweep=beta=0:1:3";
    for (arguments, message) in [
        (&["--tolerance", "5"][..], "tolerance = 5"),
        (&[beta], "--sweep twice"),
        (&[beta, "--sweep=contacts.0.friction"], "PATH=FROM:TO:COUNT"),
        (&[beta, "--sweep=contacts.0.friction=0:x:3"], "x is not a finite number"),
        (&[beta, "--sweep=contacts.0.friction=0:1:1"], "COUNT must lie between 2"),
        (&[beta, "--sweep=contacts.0.hope=0:1:3"], "contacts.0.hope: no number"),
    ] {
        let run = routh(&[&["chain", "-"], arguments].concat(), rubbing().to_string());
        run.refused(message);
    }
}

/// As printed, but for the folder; the map has the four scenarios of the chain paper.
#[test]
fn the_examples_of_the_help_work() {
    let folder = folder("chain-examples");
    let all = examples("chain").join("\n").replace("\\\n", " ").replace("/tmp", &folder);
    let [plain, forces, map] = all.lines().collect::<Vec<_>>()[..] else { panic!("{all}") };
    assert_eq!(shell(plain).solved(), shell(forces).solved());
    assert!(fs::read_to_string(format!("{folder}/forces.csv")).unwrap().starts_with("chain,time,"));
    assert!(drawing(&format!("{folder}/forces.svg")).contains("contact 5"));
    let run = shell(map);
    let table = entries(run.printed());
    assert_eq!(table.len(), 1 + 41 * 41);
    for scenario in ["slip_reverse", "slip_stick", "increasing_slip", "decreasing_slip"] {
        assert!(table.iter().any(|row| row[2] == scenario), "{scenario}");
    }
    assert!(drawing(&format!("{folder}/map.svg")).matches("<rect ").count() >= 41 * 41);
}
