//! The runtime that generated solvers carry along, as text and as running code.
//!
//! It is written in the subset of Rust that [`crate::emit::c`] prints as C99: no
//! generics, closures, options or methods, fixed arrays, indices whose bounds
//! the compiler sees. So Rust and C have one source and do the same operations
//! in the same order. A generated file adds what depends on the robot: the
//! number type, sizes, `expand` or `evaluate`, and the public function.
//!
//! Here the same text is compiled once for each number type and order, with the
//! derived programs interpreted, so that a report can tell what a generated
//! solver does before there is a compiler to try it.

use std::sync::LazyLock;

use crate::derivations::{Derivations, Law, PlanarForm};
use crate::precision::Precision;
use crate::program::SeriesProgram;
use crate::tables::{CELLS, MOST_SECTORS, Passage, Sector, Tables};

/// The runtime's parts as text.
pub(crate) mod text {
    pub(crate) const DOUBLE: &str = include_str!("embedded/double.rs");
    pub(crate) const SINGLE: &str = include_str!("embedded/single.rs");
    /// What every solver has.
    pub(crate) const ANY: [&str; 2] =
        [include_str!("embedded/impact.rs"), include_str!("embedded/number.rs")];
    /// What solvers in the plane have besides.
    pub(crate) const PLANAR: [&str; 1] = [include_str!("embedded/planar.rs")];
    /// What solvers in space have that tell how impacts vary.
    pub(crate) const VARIATION: &str = include_str!("embedded/variation.rs");
    /// What solvers in space have besides.
    pub(crate) const SPATIAL: [&str; 5] = [
        include_str!("embedded/contact.rs"),
        include_str!("embedded/direction.rs"),
        include_str!("embedded/straight.rs"),
        include_str!("embedded/restitution.rs"),
        include_str!("embedded/course.rs"),
    ];
    /// What those have besides that follow slips by power series.
    pub(crate) const SERIES: [&str; 3] = [
        include_str!("embedded/roots.rs"),
        include_str!("embedded/slip.rs"),
        include_str!("embedded/series.rs"),
    ];
    /// What those have besides that follow slips by tables.
    pub(crate) const FLOW: [&str; 2] =
        [include_str!("embedded/orbit.rs"), include_str!("embedded/flow.rs")];
}

/// Steps after which a solver gives up; the hardest contacts known take half.
pub(crate) const MOST_STEPS: usize = 200;

/// The system that slips are expanded in.
static SLIDING: LazyLock<Option<SeriesProgram>> =
    LazyLock::new(|| Derivations::committed().ok().map(|d| d.regularised));

/// The closed forms of planar impacts.
static PLANAR: LazyLock<Vec<PlanarForm>> =
    LazyLock::new(|| Derivations::committed().map(|d| d.planar).unwrap_or_default());

/// An impact as a report poses it, whatever arithmetic it is solved in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<const N: usize> {
    pub(crate) inertia: [[f64; N]; N],
    pub(crate) velocity: [f64; N],
    pub(crate) friction: [f64; 2],
    pub(crate) law: Law,
    pub(crate) e: f64,
}

/// What the runtime makes of it.
#[derive(Clone, Debug)]
pub(crate) struct Answer<const N: usize> {
    pub(crate) velocity: [f64; N],
    pub(crate) impulse: [f64; N],
    pub(crate) compression_impulse: f64,
    pub(crate) normal_work: f64,
    pub(crate) friction_work: f64,
    /// The mode's name in generated code.
    pub(crate) mode: String,
    pub(crate) steps: usize,
}

/// A contact that the runtime has prepared: as Rust, and the parameters of its
/// system or of its closed forms.
pub(crate) struct Prepared {
    pub(crate) text: String,
    pub(crate) parameters: Vec<f64>,
}

/// What an included runtime has in common, whatever it is compiled for.
macro_rules! compiled {
    ($precision:literal, $dimension:literal) => {
        include!($precision);
        include!("embedded/impact.rs");
        include!("embedded/number.rs");

        const DIMENSION: usize = $dimension;

        fn sqrt(x: Real) -> Real {
            x.sqrt()
        }

        fn bits(x: Real) -> Bits {
            x.to_bits()
        }

        fn from_bits(pattern: Bits) -> Real {
            Real::from_bits(pattern)
        }

        /// A number of a question in this arithmetic.
        fn real(x: f64) -> Real {
            x as Real
        }

        const NOTHING: Impact = Impact {
            velocity: [0.0; DIMENSION],
            impulse: [0.0; DIMENSION],
            compression_impulse: 0.0,
            normal_work: 0.0,
            friction_work: 0.0,
            mode: Mode::Sticking,
            steps: 0,
        };

        fn friction(question: &Question<DIMENSION>) -> Friction {
            let [fixed, kinetic] = question.friction.map(real);
            Friction { fixed, kinetic }
        }

        fn restitution(question: &Question<DIMENSION>) -> Restitution {
            let law = match question.law {
                super::Law::Newton => Law::Newton,
                super::Law::Poisson => Law::Poisson,
                super::Law::Energetic => Law::Energetic,
            };
            Restitution { law, e: real(question.e) }
        }

        fn answer(impact: &Impact) -> Answer<DIMENSION> {
            Answer {
                velocity: impact.velocity.map(f64::from),
                impulse: impact.impulse.map(f64::from),
                compression_impulse: impact.compression_impulse.into(),
                normal_work: impact.normal_work.into(),
                friction_work: impact.friction_work.into(),
                mode: format!("{:?}", impact.mode),
                steps: impact.steps,
            }
        }
    };
}

macro_rules! planar {
    ($module:ident, $precision:literal) => {
        // What only space needs is there too.
        #[allow(clippy::all, dead_code, unreachable_pub)]
        mod $module {
            use super::{Answer, PLANAR, Prepared, Question};
            use crate::derivations::PlanarMode;

            compiled!($precision, 2);
            include!("embedded/planar.rs");

            /// The closed forms, interpreted.
            fn evaluate(approach: &Approach, mode: Mode, law: Law, out: &mut Impact) {
                let mode = match mode {
                    Mode::PermanentSliding | Mode::SlipFromRest => PlanarMode::PermanentSliding,
                    Mode::StickingInCompression => PlanarMode::StickingInCompression,
                    Mode::ReverseInCompression => PlanarMode::ReverseInCompression,
                    Mode::StickingInRestitution => PlanarMode::StickingInRestitution,
                    Mode::ReverseInRestitution => PlanarMode::ReverseInRestitution,
                    Mode::Sticking => PlanarMode::Sticking,
                };
                let law = match law {
                    Law::Newton => super::Law::Newton,
                    Law::Poisson => super::Law::Poisson,
                    Law::Energetic => super::Law::Energetic,
                };
                let Some(form) = PLANAR.iter().find(|f| f.mode == mode && f.law == law) else {
                    return;
                };
                let &Approach { a, b, c, mu, sigma, e, vn, vt } = approach;
                let values = form.program.evaluate(&[a, b, c, mu, sigma, e, vn, vt]);
                for ((name, _), value) in form.program.outputs.iter().zip(values) {
                    match name.as_str() {
                        "normal_velocity" => out.velocity[0] = value,
                        "tangential_velocity" => out.velocity[1] = value,
                        "normal_impulse" => out.impulse[0] = value,
                        "tangential_impulse" => out.impulse[1] = value,
                        "compression_impulse" => out.compression_impulse = value,
                        "normal_work" => out.normal_work = value,
                        "friction_work" => out.friction_work = value,
                        _ => {}
                    }
                }
            }

            fn contact(question: &Question<2>) -> Result<Contact, String> {
                let [[a, c], [d, b]] = question.inertia;
                let mut contact =
                    Contact { a: 0.0, b: 0.0, c: 0.0, mu: 0.0, sticks: false, unit: 1.0 };
                let inertia = [a, c, d, b].map(real);
                match prepare(&inertia, &friction(question), &mut contact) {
                    Status::Solved => Ok(contact),
                    status => Err(format!("{status:?}")),
                }
            }

            pub(crate) fn prepared(question: &Question<2>) -> Result<Prepared, String> {
                let contact = contact(question)?;
                let Contact { a, b, c, mu, .. } = contact;
                let parameters = [a, b, c, mu].map(f64::from).to_vec();
                Ok(Prepared { text: format!("{contact:?}"), parameters })
            }

            pub(crate) fn solve(question: &Question<2>) -> Result<Answer<2>, String> {
                let contact = contact(question)?;
                let velocity = question.velocity.map(real);
                let mut impact = NOTHING;
                match collide(&contact, &velocity, &restitution(question), &mut impact) {
                    Status::Solved => Ok(answer(&impact)),
                    status => Err(format!("{status:?}")),
                }
            }
        }
    };
}

/// What runtimes in space have in common, whatever follows their slips.
macro_rules! in_space {
    ($precision:literal) => {
        compiled!($precision, 3);
        include!("embedded/contact.rs");
        include!("embedded/direction.rs");
        include!("embedded/straight.rs");
        include!("embedded/restitution.rs");
        include!("embedded/course.rs");

        const NONE: Contact = Contact {
            a: 0.0,
            h: [0.0; 2],
            b: [0.0; 2],
            mu: 0.0,
            rate: 0.0,
            noise: 0.0,
            parts: false,
            holding: [0.0; 2],
            sticking_rate: 0.0,
            sticks: false,
            unit: 1.0,
            axis: [1.0, 0.0],
        };

        fn contact(question: &Question<3>) -> Result<Contact, String> {
            let [[a, h1, h2], [l1, b11, b12], [l2, l12, b22]] = question.inertia;
            let inertia = [a, h1, h2, l1, b11, b12, l2, l12, b22].map(real);
            let mut contact = NONE;
            match prepare(&inertia, &friction(question), &mut contact) {
                Status::Solved => Ok(contact),
                status => Err(format!("{status:?}")),
            }
        }

        fn run(question: &Question<3>, kernel: &Kernel) -> Result<Answer<3>, String> {
            let contact = contact(question)?;
            let velocity = question.velocity.map(real);
            let restitution = restitution(question);
            let mut impact = NOTHING;
            match collide(&contact, &velocity, &restitution, kernel, &mut impact) {
                Status::Solved => Ok(answer(&impact)),
                status => Err(format!("{status:?}")),
            }
        }
    };
}

macro_rules! spatial {
    ($module:ident, $precision:literal, $order:literal) => {
        // Contacts are prepared the same at every order.
        #[allow(clippy::all, dead_code, unreachable_pub)]
        mod $module {
            use super::{Answer, MOST_STEPS, Prepared, Question, SLIDING};

            const ORDER: usize = $order;
            const ROWS: usize = ORDER + 1;
            const COLUMNS: usize = 8;

            in_space!($precision);
            include!("embedded/roots.rs");
            include!("embedded/slip.rs");
            include!("embedded/series.rs");

            /// The derived recurrence, interpreted.
            fn expand(
                contact: &Contact,
                state: &[Real; COLUMNS],
                rows: &mut [[Real; COLUMNS]; ROWS],
            ) {
                let Some(program) = SLIDING.as_ref() else { return };
                let &Contact { a, h: [h1, h2], b: [b1, b2], mu, .. } = contact;
                let series = program.coefficients(&[a, h1, h2, b1, b2, mu], state, ORDER);
                for (i, unknown) in series.iter().enumerate() {
                    for (k, &x) in unknown.iter().enumerate() {
                        rows[k][i] = x;
                    }
                }
            }

            pub(crate) fn prepared(question: &Question<3>) -> Result<Prepared, String> {
                let contact = contact(question)?;
                let Contact { a, h: [h1, h2], b: [b1, b2], mu, .. } = contact;
                let parameters = [a, h1, h2, b1, b2, mu].map(f64::from).to_vec();
                Ok(Prepared { text: format!("{contact:?}"), parameters })
            }

            pub(crate) fn solve(question: &Question<3>, reach: f64) -> Result<Answer<3>, String> {
                run(question, &Kernel { reach: real(reach) })
            }
        }
    };
}

macro_rules! flow {
    ($module:ident, $precision:literal) => {
        #[allow(clippy::all, dead_code, unreachable_pub)]
        mod $module {
            use super::{Answer, Question, Tables};

            const SECTORS: usize = super::MOST_SECTORS;
            const BORDERS: usize = SECTORS + 1;
            const CELLS: usize = super::CELLS;
            const TERMS: usize = routh_flow::DEGREE + 1;

            in_space!($precision);
            include!("embedded/orbit.rs");
            include!("embedded/flow.rs");

            fn exp_m1(x: Real) -> Real {
                x.exp_m1()
            }

            fn ln(x: Real) -> Real {
                x.ln()
            }

            fn ln_1p(x: Real) -> Real {
                x.ln_1p()
            }

            const NO_SECTOR: Sector = Sector {
                direction: [0.0; 2],
                width: 0.0,
                slope: 0.0,
                along: 0.0,
                rate: 0.0,
                rows: [[0.0; 4]; TERMS],
                passage: Passage::Inward,
                rises: false,
                next: [0; 2],
            };

            fn sector(made: &super::Sector) -> Sector {
                Sector {
                    direction: made.direction.map(real),
                    width: real(made.width),
                    slope: real(made.slope),
                    along: real(made.along),
                    rate: real(made.rate),
                    rows: made.rows.map(|row| row.map(real)),
                    passage: match made.passage {
                        super::Passage::Through => Passage::Through,
                        super::Passage::Outward => Passage::Outward,
                        super::Passage::Inward => Passage::Inward,
                    },
                    rises: made.rises,
                    next: made.next,
                }
            }

            pub(crate) fn solve(
                question: &Question<3>,
                tables: &Tables,
            ) -> Result<Answer<3>, String> {
                let mut kernel = Box::new(Kernel {
                    sectors: [NO_SECTOR; SECTORS],
                    borders: [Border { begins: UNLIMITED, sector: 0 }; BORDERS],
                    cells: tables.cells,
                });
                for (to, made) in kernel.sectors.iter_mut().zip(&tables.sectors) {
                    *to = sector(made);
                }
                for (to, &(begins, sector)) in kernel.borders.iter_mut().zip(&tables.borders) {
                    *to = Border { begins: real(begins), sector };
                }
                run(question, &kernel)
            }
        }
    };
}

planar!(planar_double, "embedded/double.rs");
planar!(planar_single, "embedded/single.rs");
spatial!(double_12, "embedded/double.rs", 12);
spatial!(double_16, "embedded/double.rs", 16);
spatial!(double_20, "embedded/double.rs", 20);
spatial!(double_24, "embedded/double.rs", 24);
spatial!(single_12, "embedded/single.rs", 12);
spatial!(single_16, "embedded/single.rs", 16);
flow!(flow_double, "embedded/double.rs");
flow!(flow_single, "embedded/single.rs");

/// Solves a spatial impact as a generated solver of that number type and order
/// would; `reach` is the logarithm to base two of its tolerance, divided by the
/// order.
pub(crate) fn solve_spatial(
    precision: Precision,
    order: usize,
    reach: f64,
    question: &Question<3>,
) -> Result<Answer<3>, String> {
    match (precision, order) {
        (Precision::F64, ..=12) => double_12::solve(question, reach),
        (Precision::F64, ..=16) => double_16::solve(question, reach),
        (Precision::F64, ..=20) => double_20::solve(question, reach),
        (Precision::F64, _) => double_24::solve(question, reach),
        (Precision::F32, ..=12) => single_12::solve(question, reach),
        (Precision::F32, _) => single_16::solve(question, reach),
    }
}

/// Solves a spatial impact as a generated solver of that number type would whose
/// contact has these tables.
pub(crate) fn solve_flow(
    precision: Precision,
    tables: &Tables,
    question: &Question<3>,
) -> Result<Answer<3>, String> {
    match precision {
        Precision::F64 => flow_double::solve(question, tables),
        Precision::F32 => flow_single::solve(question, tables),
    }
}

/// The same in the plane, by closed forms.
pub(crate) fn solve_planar(
    precision: Precision,
    question: &Question<2>,
) -> Result<Answer<2>, String> {
    match precision {
        Precision::F64 => planar_double::solve(question),
        Precision::F32 => planar_single::solve(question),
    }
}

/// A spatial contact as a solver of that number type knows it.
pub(crate) fn prepare_spatial(
    precision: Precision,
    question: &Question<3>,
) -> Result<Prepared, String> {
    match precision {
        Precision::F64 => double_12::prepared(question),
        Precision::F32 => single_12::prepared(question),
    }
}

/// A planar contact as a solver of that number type knows it.
pub(crate) fn prepare_planar(
    precision: Precision,
    question: &Question<2>,
) -> Result<Prepared, String> {
    match precision {
        Precision::F64 => planar_double::prepared(question),
        Precision::F32 => planar_single::prepared(question),
    }
}

#[cfg(test)]
mod tests;
