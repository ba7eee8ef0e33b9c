//! `routh derive`: what it prints, and to which order.

mod routh;

use routh::{routh, shell};

fn derive(order: &str) -> String {
    routh(&["derive", "--order", order], "").printed().to_owned()
}

fn defines(text: &str, name: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with(&format!("{name} = ")))
}

#[test]
fn both_systems_have_their_recurrences() {
    let text = derive("6");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for line in [
        "u0 = sqrt(vt1^2 + vt2^2) [k] = (2 (vt1[0] vt1[k] + vt2[0] vt2[k]) \
         + sum(j=1..k-1) vt1[j] vt1[k-j] + sum(j=1..k-1) vt2[j] vt2[k-j] \
         - sum(j=1..k-1) u0[j] u0[k-j]) / (2 u0[0])",
        "u1 = -b1 mu vt1 + h1 u0",
        "dp/dtau = u0 p[k+1] = u0[k]/(k+1)",
        "u1 = vt1 / u0 [k] = (vt1[k] - sum(j=1..k) u0[j] u1[k-j]) / u0[0]",
        "dvt1/dp = u3 vt1[k+1] = u3[k]/(k+1)",
    ] {
        assert!(text.contains(line), "{line}");
    }
}

#[test]
fn coefficients_go_to_the_order_asked_for() {
    let text = derive("3");
    for name in ["a1", "d1", "a2", "d2", "a3", "d3"] {
        assert!(defines(&text, name), "{name}");
    }
    assert!(!defines(&text, "a4") && !defines(&text, "d4"));
    assert!(text.contains("a1 = h1 - mu (a0 b11 / t1 + d0 b12 / t1)"), "{text}");
    let parts = [
        ["clock", "approach", "root_press", "press", "rub"].as_slice(),
        &["indent", "root", "load", "root_load", "linear_load", "speed", "slide"],
    ]
    .concat();
    assert!(parts.iter().all(|part| text.contains(&format!("\n{part}, given "))), "{text}");
    assert_eq!(text.matches("To order 3: ").count(), 3 + parts.len());
    assert!(!text.contains("From k"));
}

#[test]
fn recurrences_stand_in_beyond_the_closed_forms() {
    let text = derive("64");
    assert!(defines(&text, "a8") && defines(&text, "d8") && !defines(&text, "a9"));
    assert!(text.contains("\nFrom k = 9 on, the recurrences above give the rest.\n"));
}

#[test]
fn every_planar_mode_and_law_has_its_form() {
    let text = derive("2");
    for mode in [
        "permanent_sliding",
        "sticking_in_compression",
        "reverse_in_compression",
        "sticking_in_restitution",
        "reverse_in_restitution",
        "sticking",
    ] {
        for law in ["newton", "poisson", "energetic"] {
            assert!(text.contains(&format!("\n{mode}, {law}\n")), "{mode}, {law}");
        }
    }
}

#[test]
fn orders_out_of_range_are_wrong_usage() {
    for order in ["1", "65", "-3", "six"] {
        routh(&["derive", &format!("--order={order}")], "").refused("--order");
    }
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let run = shell("{ routh derive --order 8; echo status $? >&2; } | head -n 1");
    assert_eq!((run.out.as_str(), run.err.as_str()), ("Sliding in tau\n", "status 0\n"));
}
