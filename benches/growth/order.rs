//! One expansion of a series against its order.

use std::array;
use std::error::Error;
use std::hint::black_box;

use routh::kernels;
use routh_benches::timed::Timed;

use crate::axis::{Axis, Division};
use crate::compiled::{Part, Program};
use crate::figure::{Figure, Panel, Shown};
use crate::kernel::Kernel;
use crate::law::Law;
use crate::measured::Measured;

const ORDERS: [usize; 13] = [4, 6, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64];
/// Orders from which the square is to be seen; and for straight lines those whose
/// code a processor's first cache holds.
const ASYMPTOTIC: [f64; 2] = [24.0, 64.0];
const CACHED: [f64; 2] = [12.0, 28.0];
/// `vt1`, `vt2`, `p`, `it1`, `it2`, `vn`, `wn`, `wt` at the start of a step.
const START: [f64; 8] = [0.6, 0.8, 0.0, 0.0, 0.0, -2.0, 0.0, 0.0];

pub(crate) fn measure() -> Result<Measured, Box<dyn Error>> {
    let kernels = Kernel::both()?;
    let mut measured = Measured::default();
    let velocity = kernels::velocity_constants(0.3, 0.4, 1.2, 0.7, 0.5);
    let works = kernels::works_constants(1.1, 0.3, 0.4, 1.2, 0.7, 0.5);
    let constants = [format!("{velocity:?}"), format!("{works:?}")];
    let mut parts = Vec::new();
    for (kernel, constants) in kernels.iter().zip(&constants) {
        for order in ORDERS {
            measured.add("operations", kernel.name, [order as f64, kernel.operations(order)]);
            let states = if kernel.name == "works" { 8 } else { 3 };
            let (name, start) = (kernel.name, &START[..states]);
            parts.push(Part {
                code: kernel.rust(order)?,
                call: format!(
                    "{{ use std::hint::black_box; let mut rows = [[0.0; {states}]; {order} + 1]; \
                     move || part::{name}_{order}(black_box(&{constants}), black_box(&{start:?}), \
                     black_box(&mut rows)) }}"
                ),
            });
        }
    }
    let program = Program::new("order", &parts)?;
    let mut loops = Vec::new();
    macro_rules! repeat {
        ($kernel:path, $constants:ident) => {
            for order in ORDERS {
                let (start, mut rows) = (array::from_fn(|i| START[i]), [Default::default(); 65]);
                loops.push(Timed::new(move || {
                    let (constants, start) = (black_box(&$constants), black_box(&start));
                    $kernel(constants, start, order, black_box(&mut rows))
                }));
            }
        };
    }
    repeat!(kernels::velocity_any, velocity);
    repeat!(kernels::works_any, works);
    let straight = program.run_beside(&mut loops)?;
    for (i, (straight, loops)) in straight.iter().zip(&loops).enumerate() {
        let (name, order) = (kernels[i / ORDERS.len()].name, ORDERS[i % ORDERS.len()] as f64);
        measured.add("straight", name, [order, *straight]);
        measured.add("loops", name, [order, loops.least]);
    }
    Ok(measured)
}

pub(crate) fn figure(measured: &Measured) -> Figure {
    let order = Axis { name: "order N", division: Division::Doublings };
    let mut times = Vec::new();
    let mut operations = Vec::new();
    for (i, (name, words)) in
        [("works", "with works"), ("velocity", "velocity alone")].into_iter().enumerate()
    {
        let straight =
            Shown::new(&format!("{words}, straight line"), measured.points("straight", name));
        let loops = Shown::new(&format!("{words}, loops"), measured.points("loops", name));
        times.push(straight.coloured(i).fitted(CACHED, Law::power));
        times.push(loops.ringed(i).fitted(ASYMPTOTIC, Law::power));
        let exact = |points: &[[f64; 2]]| Law::polynomial(points, &[0, 1, 2]);
        let counted = Shown::new(words, measured.points("operations", name));
        operations.push(counted.fitted([0.0, 64.0], exact));
    }
    let panels = vec![
        Panel::new("Time of one expansion", ("N", order), "time (ns)", times),
        Panel::new("Operations of one expansion", ("N", order), "operations", operations),
    ];
    Figure { panels, notes: notes(measured) }
}

/// What an operation takes, at the least and at the most.
fn notes(measured: &Measured) -> Vec<String> {
    let each = |way: &str, name: &str| {
        let pairs = measured.points(way, name).iter().zip(measured.points("operations", name));
        let each: Vec<_> =
            pairs.map(|(time, operations)| (time[0], time[1] / operations[1])).collect();
        let listed = each.iter().map(|(order, time)| format!("{time:.2} at {order}"));
        format!("ns per operation, {name}, {way}: {}.", listed.collect::<Vec<_>>().join(", "))
    };
    ["works", "velocity"]
        .into_iter()
        .flat_map(|name| ["straight", "loops"].map(|way| each(way, name)))
        .collect()
}
