//! The spatial paper's robot: Figs. 1-4 and Tables I, II.

use maud::html;
use routh_integrators::{Problem, direct};

use super::examples::{STARTS, read_lines, refused};
use super::page::{Section, figure};
use super::printed::{Printed, Within, table};
use crate::input::Sliding;
use crate::output::Failure;
use crate::plot::{Orbit, hodograph};

/// The paper's intervals of the normal impulse.
const INTERVALS: [&str; 6] =
    ["0-784", "784-1265", "1265-1665", "1665-2000", "2000-2450", "2450-3000"];

/// Tables I and II, and the powers of ten that their columns are in.
const FIRST: ([i32; 7], [[&str; 7]; 6]) = (
    [0, 0, -7, -10, -12, -15, -19],
    [
        ["4", "-0.031342", "-0.9890", "-0.02356", "0.0167142", "0.0193681", "0.172456"],
        ["1.508", "-0.003140", "3.95027", "9.98373", "1.3537", "1.07456", "-4.0277"],
        ["0.2662", "-0.001684", "20.680", "-10.518", "-2.425", "5.362", "9.58313"],
        ["-0.151", "-0.0007", "6.5021", "-7.27", "0.64458", "-0.3821", "-0.4710"],
        ["-0.335", "-0.00043", "2.1896", "-2.15645", "0.18583", "-0.14323", "0.97602"],
        ["-0.581", "-0.00293", "0.3914", "-0.2757", "0.017297", "-0.100297", "0.054838"],
    ],
);
const SECOND: ([i32; 7], [[&str; 7]; 6]) = (
    [0, 0, -7, -11, -13, -17, -19],
    [
        ["0", "0.001167", "-1.71637", "-6.32099", "-0.27437", "-1.1786", "-0.042394"],
        ["0.7603", "0.007", "-4.518", "-7.9562", "3.44164", "75.699", "8.3878"],
        ["1.051", "0.00053", "2.9989", "0.339004", "-12.3161", "61.524", "34.380"],
        ["1.332", "0.00075", "1.8392", "-17.1417", "0.94314", "3.8904", "-1.9906"],
        ["1.589", "0.00083", "0.69099", "-6.42435", "0.501825", "-3.23826", "0.148375"],
        ["2.229", "0.00087", "0.1298", "-0.902564", "0.05544", "-0.31163", "-1.9906"],
    ],
);

pub(super) fn section() -> Result<Section, Failure> {
    let starts = read_lines(STARTS, Sliding::read)?;
    let orbits = starts.iter().map(Orbit::follow).collect::<Result<Vec<_>, _>>();
    let drawing = hodograph(&orbits.map_err(refused)?)?;
    let problem = starts.first().map(|start| {
        Problem::new(*start.contact.inertia(), start.friction.kinetic(), start.v0, &[])
    });
    let problem = problem.ok_or_else(|| refused("no start"))?;
    let body = html! {
        p {
            "Sliding velocity of the paper's robot while the normal impulse grows to 3000 N s, "
            "from its three starts. Its own series, in the impulse, take 6 steps from (4, 0) to "
            "plotting accuracy; these, in a variable in which rest is regular, are followed to "
            "1e-15."
        }
        (figure(&drawing, "Figs. 1-4: orbits of the tangential velocity with a mark where each step begins; \
            the one from (1, −4) passes within 3e-5 m/s of rest"))
        h3 { "Table I: coefficients of v_t1 in the impulse" }
        (table(&heads("a", &FIRST.0), &rows(&problem, 0, &FIRST)))
        h3 { "Table II: coefficients of v_t2" }
        (table(&heads("d", &SECOND.0), &rows(&problem, 1, &SECOND)))
        p.note {
            "Both about the printed a₀, d₀, which have three digits or four: the rest can agree to 3 in 100. "
            "From the second row on these start values "
            "themselves drift from the true motion, by up to 0.28 m/s in the last."
        }
    };
    Ok(Section { id: "spatial", title: "Spatial paper", body })
}

fn heads(name: &str, powers: &[i32; 7]) -> Vec<String> {
    let column = |(k, power): (usize, &i32)| match power {
        0 => format!("{name}{k}"),
        power => format!("{name}{k}, 1e{power}"),
    };
    let columns = powers.iter().enumerate().map(column);
    std::iter::once("N s".to_owned()).chain(columns).collect()
}

/// The rows of the table of one component.
fn rows(
    problem: &Problem,
    component: usize,
    (powers, printed): &([i32; 7], [[&'static str; 7]; 6]),
) -> Vec<(String, Vec<Printed>)> {
    let start = |row: usize| [FIRST.1[row][0], SECOND.1[row][0]].map(|x| x.parse().unwrap_or(0.0));
    let row = |(i, texts): (usize, &[&'static str; 7])| {
        let found = direct::coefficients(problem, start(i), powers.len() - 1);
        let cells = texts.iter().zip(found).zip(powers);
        let cells = cells.map(|((text, found), &power)| {
            let digits = text.trim_start_matches(['-', '0', '.']).len();
            let within = if digits < 4 { Within::Digit } else { Within::Part(3e-2) };
            Printed::new(text, found[component] * 10_f64.powi(-power), within)
        });
        (INTERVALS[i].to_owned(), cells.collect())
    };
    printed.iter().enumerate().map(row).collect()
}
