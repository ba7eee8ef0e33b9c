//! `routh flow`: directions by their equation, and the picture.

mod routh;

use routh::{assert_close, drawn, numbers, routh};
use serde_json::{Value, json};

const D: [[f64; 3]; 3] = [[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]];

fn flow(mu: f64) -> Value {
    let contact = json!({"D": D, "mu": mu}).to_string();
    routh(&["flow", "-"], contact).solved().remove(0)
}

/// `h − μ b σ`
fn rate(mu: f64, [c, d]: [f64; 2]) -> [f64; 2] {
    [1, 2].map(|i| D[i][0] - mu * (D[i][1] * c + D[i][2] * d))
}

#[test]
fn the_field_does_not_turn_an_invariant_direction() {
    for (mu, count) in [(0.15, 2), (1.5, 4)] {
        let flow = flow(mu);
        let directions = flow["directions"].as_array().unwrap();
        assert_eq!(directions.len(), count, "{flow}");
        for direction in directions {
            let [c, d] = numbers(&direction["direction"])[..] else { panic!("{direction}") };
            let [x, y] = rate(mu, [c, d]);
            let what = direction.to_string();
            assert!((c * y - d * x).abs() < 1e-14, "{what}");
            assert_close(&direction["speed_rate"], &json!(c * x + d * y), 1e-14, &what);
            let degrees = d.atan2(c).to_degrees().rem_euclid(360.0);
            assert_close(&direction["degrees"], &json!(degrees), 1e-10, &what);
            // Beside it, directions turn towards it or away.
            let [c, d] = [c - 1e-6 * d, d + 1e-6 * c];
            let [x, y] = rate(mu, [c, d]);
            let kind = if c * y - d * x > 0.0 { "repelling" } else { "attracting" };
            assert_eq!(direction["kind"], kind);
        }
    }
}

#[test]
fn sectors_begin_at_rising_angles() {
    let flow = flow(1.5);
    let sectors = numbers(&flow["sectors"]);
    assert!(sectors.len() > 4 && sectors.is_sorted(), "{flow}");
    assert!(0.0 <= sectors[0] && sectors[sectors.len() - 1] < 360.0, "{flow}");
    assert_eq!(flow["refusals"], json!([]));
}

#[test]
fn where_all_directions_are_invariant_there_are_no_sectors() {
    let isotropic = json!({"D": [[1, 0, 0], [0, 2, 0], [0, 0, 2]], "mu": 0.5}).to_string();
    let run = routh(&["flow", "-", "--plot", "/dev/null"], isotropic);
    let [flow] = &run.solved()[..] else { panic!("one result") };
    assert_eq!((&flow["directions"], &flow["sectors"]), (&json!([]), &json!([])));
    assert_eq!((&flow["every_direction"], &flow["refusals"]), (&json!(true), &json!([])));
}

#[test]
fn a_refused_contact_is_told_in_its_place() {
    let good = json!({"D": D, "mu": 0.15}).to_string();
    let bad = json!({"D": D, "mu": -1}).to_string();
    let run = routh(&["flow", "-"], format!("{good}\n{bad}\n{good}\n"));
    let lines = run.lines();
    assert_eq!((run.status, lines.len()), (1, 3));
    assert_eq!(lines[1]["error"]["kind"], "friction_out_of_range");
    assert!(lines[1]["error"]["message"].as_str().unwrap().starts_with("mu = "));
    assert_eq!(lines[0], lines[2]);
}

#[test]
fn the_plot_names_directions() {
    let (svg, _) = drawn(&["flow", "examples/flow.json"], "--plot", "");
    for text in ["attracting direction", "repelling direction", "speed grows"] {
        assert!(svg.contains(text), "{text}");
    }
}
