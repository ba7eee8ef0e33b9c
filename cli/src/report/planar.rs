//! The planar paper's rod under three laws: Tables 1 and 2.

use maud::html;
use routh::{Impact as Solved, Law, Restitution};

use super::examples::{ROD, read, refused};
use super::page::Section;
use super::printed::{Printed, Within, table};
use crate::input::{Collision, Impact};
use crate::output::Failure;

const HEADS: [&str; 4] = ["", "Newton", "Poisson", "energetic"];

/// What becomes of the rod under a law.
struct Struck {
    impact: Solved<2>,
    qd: Vec<f64>,
}

/// A row of a table: its name, what it is of, and as it is printed.
type Row = (&'static str, fn(&Struck) -> f64, [&'static str; 3]);

/// Table 1, `e = 0.82`.
const FIRST: [Row; 9] = [
    ("v_n, m/s", |rod| rod.impact.velocity[0], ["0.82", "0.5248", "0.589"]),
    ("v_t, m/s", |rod| rod.impact.velocity[1], ["0", "0", "0"]),
    ("I_n, N s", |rod| rod.impact.impulse[0], ["0.9125", "0.728", "0.7681"]),
    ("I_t, N s", |rod| rod.impact.impulse[1], ["0.3075", "0.1968", "0.2209"]),
    ("q̇₁, m/s", |rod| rod.qd[0], ["0.9075", "0.7968", "0.8209"]),
    ("q̇₂, m/s", |rod| rod.qd[1], ["-0.0875", "-0.272", "-0.2319"]),
    ("q̇₃, rad/s", |rod| rod.qd[2], ["-2.5668", "-2.2537", "-2.3218"]),
    ("W_n, N m", |rod| rod.impact.normal_work, ["-0.0489", "-0.0752", "-0.0528"]),
    ("ΔT, N m", |rod| rod.impact.energy_change, ["0.0101", "-0.1139", "-0.0916"]),
];

/// Table 2, `e = 1`; the middle of its third row is not printed.
const SECOND: [Row; 4] = [
    ("q̇₁, m/s", |rod| rod.qd[0], ["0.975", "0.84", "0.869"]),
    ("q̇₂, m/s", |rod| rod.qd[1], ["-0.025", "-0.2", "-0.151"]),
    ("W_t, N m", |rod| rod.impact.friction_work, ["-0.0388", "-0.0388", "-0.0388"]),
    ("ΔT, N m", |rod| rod.impact.energy_change, ["0.1125", "-0.072", "-0.0388"]),
];

pub(super) fn section() -> Result<Section, Failure> {
    let Impact::Planar(rod) = read(ROD, Impact::read)? else {
        return Err(refused("the rod is not planar"));
    };
    let first = rows(&rod, 0.82, &FIRST)?;
    let second = rows(&rod, 1.0, &SECOND)?;
    let body = html! {
        p {
            "A rod falls on the ground and slides to a halt in compression, then sticks. Under "
            "Newton's law it gains energy; under Poisson's it loses some even where e = 1 and "
            "friction alone should take any; under the energetic law it does neither."
        }
        h3 { "Table 1: e = 0.82" }
        (table(&HEADS, &first))
        h3 { "Table 2: e = 1" }
        (table(&HEADS, &second))
    };
    Ok(Section { id: "planar", title: "Planar paper", body })
}

fn rows(rod: &Collision<2>, e: f64, rows: &[Row]) -> Result<Vec<(String, Vec<Printed>)>, Failure> {
    let strike = |law| {
        let restitution = Restitution::new(law, e)?;
        let impact = rod.contact.solve(rod.velocity, rod.friction, restitution)?;
        let robot = rod.robot.as_ref();
        let qd = robot.map_or(Ok(Vec::new()), |robot| robot.velocity_after(&impact))?;
        Ok::<_, routh::Error>(Struck { impact, qd })
    };
    let [newton, poisson, energetic] = Law::ALL.map(strike);
    let struck = [newton.map_err(refused)?, poisson.map_err(refused)?, energetic.map_err(refused)?];
    let row = |(name, of, printed): &Row| {
        let cells = struck.iter().zip(printed);
        let cells = cells.map(|(rod, text)| Printed::new(text, of(rod), Within::Digit)).collect();
        ((*name).to_owned(), cells)
    };
    Ok(rows.iter().map(row).collect())
}
