//! Programs written by hand that together have every operation.
#![allow(dead_code, unreachable_pub)]

use routh_codegen::program::{
    Number, ScalarBuilder, ScalarGraph, SeriesId, SeriesOp, SeriesProgram, State,
};

fn program(
    name: &str,
    scalars: ScalarGraph,
    ops: Vec<SeriesOp>,
    states: &[(&str, SeriesId)],
) -> SeriesProgram {
    let state = |&(name, rate): &(&str, SeriesId)| State { name: name.to_owned(), rate };
    SeriesProgram {
        name: name.to_owned(),
        variable: "t".to_owned(),
        given: Vec::new(),
        scalars,
        ops,
        states: states.iter().map(state).collect(),
    }
}

/// `q' = w`, `w' = −sin q`
pub fn pendulum() -> SeriesProgram {
    let mut scalars = ScalarBuilder::new([]);
    let minus = scalars.number(-1);
    let (q, w, [sin, cos]) = (SeriesId::State(0), SeriesId::State(1), [0, 1].map(SeriesId::Op));
    let ops = vec![
        SeriesOp::Sin { of: q, cos },
        SeriesOp::Cos { of: q, sin },
        SeriesOp::Linear { constant: None, terms: vec![(minus, sin)] },
    ];
    program("pendulum", scalars.finish(), ops, &[("q", w), ("w", SeriesId::Op(2))])
}

/// A Kepler orbit under the parameter `m`, `r² = x² + y²`, and along it
///
/// ```text
/// z' = m² − z / (3 r) + (r²)^(1/3) exp z − (m/2) log r² − cos z / r + sin z
/// ```
pub fn orbit() -> SeriesProgram {
    let mut scalars = ScalarBuilder::new(["m".to_owned()]);
    let m = scalars.input("m").unwrap();
    let [one, minus] = [1, -1].map(|n| scalars.number(n));
    let [half, third] = [2, 3].map(|n| scalars.number(Number::ratio(-1, n)));
    let [attraction, half_m] = [minus, half].map(|n| scalars.product([n, m]));
    let m_squared = scalars.power(m, 2).unwrap();
    let [x, y, u, v, z] = [0, 1, 2, 3, 4].map(SeriesId::State);
    let op = SeriesId::Op;
    let linear = |terms| SeriesOp::Linear { constant: None, terms };
    let ops = vec![
        SeriesOp::Square(x),
        SeriesOp::Square(y),
        linear(vec![(one, op(0)), (one, op(1))]),
        SeriesOp::Sqrt(op(2)),
        SeriesOp::Product(op(2), op(3)),
        SeriesOp::Quotient(Some(x), op(4)),
        SeriesOp::Quotient(Some(y), op(4)),
        linear(vec![(attraction, op(5))]),
        linear(vec![(attraction, op(6))]),
        SeriesOp::Quotient(None, op(3)),
        SeriesOp::Product(z, op(9)),
        SeriesOp::Power(op(2), Number::ratio(1, 3)),
        SeriesOp::Exp(z),
        SeriesOp::Product(op(11), op(12)),
        SeriesOp::Log(op(2)),
        SeriesOp::Sin { of: z, cos: op(16) },
        SeriesOp::Cos { of: z, sin: op(15) },
        SeriesOp::Product(op(9), op(16)),
        SeriesOp::Linear {
            constant: Some(m_squared),
            terms: vec![
                (third, op(10)),
                (one, op(13)),
                (half_m, op(14)),
                (minus, op(17)),
                (one, op(15)),
            ],
        },
    ];
    let states = [("x", u), ("y", v), ("u", op(7)), ("v", op(8)), ("z", op(18))];
    program("orbit", scalars.finish(), ops, &states)
}

/// Lengths and polynomials in `t` of one to four terms:
///
/// ```text
/// x' = −y − (1 + m t) |(x, y)| / 4
/// y' = x + (m − t + t²/2 + n t³) |(x, y, z)| / 8
/// z' = (−1 + n t + m t²) z
/// ```
pub fn spiral() -> SeriesProgram {
    let mut scalars = ScalarBuilder::new(["m".to_owned(), "n".to_owned()]);
    let [m, n] = ["m", "n"].map(|name| scalars.input(name).unwrap());
    let [one, minus] = [1, -1].map(|n| scalars.number(n));
    let [half, quarter, eighth] =
        [(1, 2), (-1, 4), (1, 8)].map(|(n, d)| scalars.number(Number::ratio(n, d)));
    let [x, y, z] = [0, 1, 2].map(SeriesId::State);
    let op = SeriesId::Op;
    let linear = |terms| SeriesOp::Linear { constant: None, terms };
    let ops = vec![
        SeriesOp::Norm(vec![x, y]),
        SeriesOp::Norm(vec![x, y, z]),
        SeriesOp::Times(vec![one, m], op(0)),
        SeriesOp::Times(vec![m, minus, half, n], op(1)),
        SeriesOp::Times(vec![minus, n, m], z),
        linear(vec![(minus, y), (quarter, op(2))]),
        linear(vec![(one, x), (eighth, op(3))]),
    ];
    program("spiral", scalars.finish(), ops, &[("x", op(5)), ("y", op(6)), ("z", op(4))])
}
