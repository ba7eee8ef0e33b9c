//! The runtime, tried on impacts before a solver is printed: the same functions that the
//! solver will have, with the derived programs interpreted.

mod reference;
pub(super) mod samples;

use std::sync::LazyLock;

use proc_macro2::TokenStream;
use routh_flow::Pieces;
use routh_runtime::double::inertia::Contact;
use routh_runtime::double::pieces::collide_by_pieces;
use routh_runtime::double::result::Impact;

use super::tables::Tables;
use crate::derivations::{Derivations, Law, PlanarForm};
use crate::precision::Precision;
use crate::program::SeriesProgram;

/// The system that slips are expanded in.
static SLIDING: LazyLock<Option<SeriesProgram>> =
    LazyLock::new(|| Derivations::committed().ok().map(|d| d.regularised));

/// The closed forms of planar impacts.
static PLANAR: LazyLock<Vec<PlanarForm>> =
    LazyLock::new(|| Derivations::committed().map(|d| d.planar).unwrap_or_default());

/// An impact as a report poses it, whatever arithmetic it is solved in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImpactInput<const N: usize> {
    pub(crate) inertia: [[f64; N]; N],
    pub(crate) velocity: [f64; N],
    pub(crate) friction: [f64; 2],
    pub(crate) law: Law,
    pub(crate) e: f64,
}

/// What comes of it.
#[derive(Clone, Debug)]
pub(crate) struct ImpactOutput<const N: usize> {
    pub(crate) velocity: [f64; N],
    pub(crate) impulse: [f64; N],
    pub(crate) compression_impulse: f64,
    pub(crate) normal_work: f64,
    pub(crate) friction_work: f64,
    /// The mode's name in generated code.
    pub(crate) mode: String,
    pub(crate) steps: usize,
}

/// A contact that the runtime has prepared: as Rust, and the parameters of its system or of
/// its closed forms.
pub(crate) struct Prepared {
    pub(crate) contact: TokenStream,
    pub(crate) parameters: Vec<f64>,
}

/// The runtime of one number type.
macro_rules! trial {
    ($module:ident, $literal:ident) => {
        mod $module {
            use proc_macro2::TokenStream;
            use quote::quote;
            use routh_runtime::$module::follow::collide;
            use routh_runtime::$module::inertia::{
                Contact, Inertia, check_inertia, prepare,
            };
            use routh_runtime::$module::instances::{BySeries, ByTables, Expand, Forms, Slide};
            use routh_runtime::$module::orbit::{Passage, Sector};
            use routh_runtime::$module::plane::{
                Approach, Closed, PlanarContact, collide_planar,
                prepare_planar,
            };
            use routh_runtime::$module::real::Real;
            use routh_runtime::$module::result::{
                Friction, Impact, Law, Mode, Restitution, Status,
            };
            use routh_runtime::$module::sectors::{self, Border};
            use routh_runtime::$module::series::Kernel;
            use routh_runtime::$module::step::step_control;

            use super::{ImpactInput, ImpactOutput, PLANAR, Prepared, SLIDING};
            use crate::derivations::PlanarMode;
            use crate::emit;
            use crate::solver::tables::{MOST_SECTORS, NO_SECTOR, Tables};

            fn real(x: f64) -> Real {
                x as Real
            }

            fn solved(status: Status) -> Result<(), String> {
                if status == Status::Solved { Ok(()) } else { Err(format!("{status:?}")) }
            }

            fn friction<const N: usize>(input: &ImpactInput<N>) -> Friction {
                let [static_friction, kinetic] = input.friction.map(real);
                Friction { static_friction, kinetic }
            }

            pub(super) fn restitution<const N: usize>(input: &ImpactInput<N>) -> Restitution {
                let law = match input.law {
                    super::Law::Newton => Law::Newton,
                    super::Law::Poisson => Law::Poisson,
                    super::Law::Energetic => Law::Energetic,
                };
                Restitution { law, e: real(input.e) }
            }

            pub(super) fn output<const N: usize>(impact: &Impact<N>) -> ImpactOutput<N> {
                ImpactOutput {
                    velocity: impact.velocity.map(f64::from),
                    impulse: impact.impulse.map(f64::from),
                    compression_impulse: impact.compression_impulse.into(),
                    normal_work: impact.normal_work.into(),
                    friction_work: impact.friction_work.into(),
                    mode: format!("{:?}", impact.mode),
                    steps: impact.steps,
                }
            }

            fn checked<const N: usize>(input: &ImpactInput<N>) -> Result<Inertia<N>, String> {
                let mut inertia = Inertia::NONE;
                let given = input.inertia.map(|row| row.map(real));
                solved(check_inertia(&given, &mut inertia))?;
                Ok(inertia)
            }

            pub(super) fn spatial(input: &ImpactInput<3>) -> Result<Contact, String> {
                let inertia = checked(input)?;
                let mut contact = Contact::NONE;
                solved(prepare(&inertia, &friction(input), &mut contact))?;
                Ok(contact)
            }

            fn planar(input: &ImpactInput<2>) -> Result<PlanarContact, String> {
                let inertia = checked(input)?;
                let mut contact = PlanarContact::NONE;
                solved(prepare_planar(&inertia, &friction(input), &mut contact))?;
                Ok(contact)
            }

            /// The derived recurrence, interpreted.
            struct Interpreted;

            impl<const ROWS: usize> Expand<ROWS, 8> for Interpreted {
                fn expand(
                    &self,
                    contact: &Contact,
                    state: &[Real; 8],
                    rows: &mut [[Real; 8]; ROWS],
                ) {
                    let Some(program) = SLIDING.as_ref() else { return };
                    let &Contact { a, h: [h1, h2], b: [b1, b2], mu, .. } = contact;
                    let parameters = [a, h1, h2, b1, b2, mu];
                    let series = program.coefficients(&parameters, state, ROWS - 1);
                    for (i, unknown) in series.iter().enumerate() {
                        for (row, &x) in rows.iter_mut().zip(unknown) {
                            row[i] = x;
                        }
                    }
                }
            }

            /// The closed forms, interpreted.
            struct InterpretedForms;

            impl Forms for InterpretedForms {
                type Jacobian = ();

                fn evaluate(
                    &self,
                    approach: &Approach,
                    mode: Mode,
                    law: Law,
                    closed: &mut Closed,
                    (): &mut (),
                ) {
                    let mode = match mode {
                        Mode::PermanentSliding | Mode::SlipFromRest => {
                            PlanarMode::PermanentSliding
                        }
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
                            "normal_velocity" => closed.velocity[0] = value,
                            "tangential_velocity" => closed.velocity[1] = value,
                            "normal_impulse" => closed.impulse[0] = value,
                            "tangential_impulse" => closed.impulse[1] = value,
                            "compression_impulse" => closed.compression_impulse = value,
                            "normal_work" => closed.normal_work = value,
                            "friction_work" => closed.friction_work = value,
                            "halt_impulse" => closed.halt_impulse = value,
                            _ => {}
                        }
                    }
                }

                fn finish(&self, (): &mut (), _: Real, _: bool, _: Real) -> bool {
                    true
                }
            }

            fn numbers(values: &[Real]) -> TokenStream {
                let values = values.iter().map(|&x| emit::$literal(x));
                quote!([#(#values),*])
            }

            pub(super) fn prepare_spatial(input: &ImpactInput<3>) -> Result<Prepared, String> {
                let contact = spatial(input)?;
                let Contact { a, h, b, mu, rate, always_separates, sticks, unit, .. } = contact;
                let Contact { holding, critical_friction, sticking_rate, axis, .. } = contact;
                let parameters = [a, h[0], h[1], b[0], b[1], mu].map(f64::from).to_vec();
                let [a, mu, rate, critical_friction, sticking_rate] =
                    [a, mu, rate, critical_friction, sticking_rate].map(emit::$literal);
                let [h, b, holding, axis] = [h, b, holding, axis].map(|pair| numbers(&pair));
                let unit = emit::signed(unit);
                let contact = quote!(Contact {
                    a: #a,
                    h: #h,
                    b: #b,
                    mu: #mu,
                    rate: #rate,
                    always_separates: #always_separates,
                    holding: #holding,
                    critical_friction: #critical_friction,
                    sticking_rate: #sticking_rate,
                    sticks: #sticks,
                    unit: #unit,
                    axis: #axis,
                });
                Ok(Prepared { contact, parameters })
            }

            pub(super) fn prepare_plane(input: &ImpactInput<2>) -> Result<Prepared, String> {
                let PlanarContact { a, b, c, mu, critical_friction, sticks, unit } =
                    planar(input)?;
                let parameters = [a, b, c, mu].map(f64::from).to_vec();
                let [a, b, c, mu, critical_friction] =
                    [a, b, c, mu, critical_friction].map(emit::$literal);
                let unit = emit::signed(unit);
                let contact = quote!(PlanarContact {
                    a: #a,
                    b: #b,
                    c: #c,
                    mu: #mu,
                    critical_friction: #critical_friction,
                    sticks: #sticks,
                    unit: #unit,
                });
                Ok(Prepared { contact, parameters })
            }

            pub(super) fn solve_planar(
                input: &ImpactInput<2>,
            ) -> Result<ImpactOutput<2>, String> {
                let (contact, velocity) = (planar(input)?, input.velocity.map(real));
                let (restitution, forms) = (restitution(input), &InterpretedForms);
                let mut impact = Impact::NONE;
                solved(collide_planar(
                    &contact, &velocity, &restitution, forms, &mut impact, &mut (),
                ))?;
                Ok(output(&impact))
            }

            fn run(
                input: &ImpactInput<3>,
                kernel: &impl Slide<()>,
                tolerance: f64,
            ) -> Result<ImpactOutput<3>, String> {
                let (contact, velocity) = (spatial(input)?, input.velocity.map(real));
                let (restitution, tolerance) = (restitution(input), real(tolerance));
                let mut impact = Impact::NONE;
                solved(collide(
                    &contact, &velocity, &restitution, kernel, tolerance, &mut impact, &mut (),
                ))?;
                Ok(output(&impact))
            }

            pub(super) fn solve_series(
                input: &ImpactInput<3>,
                order: usize,
                tolerance: f64,
            ) -> Result<ImpactOutput<3>, String> {
                fn of_order<const ROWS: usize>(
                    input: &ImpactInput<3>,
                    tolerance: f64,
                ) -> Result<ImpactOutput<3>, String> {
                    let control = step_control(real(tolerance), ROWS - 1);
                    let kernel = Kernel { control, expansion: Interpreted };
                    run(input, &BySeries::<_, ROWS, 8>(kernel), tolerance)
                }
                match order {
                    ..=12 => of_order::<13>(input, tolerance),
                    ..=16 => of_order::<17>(input, tolerance),
                    ..=20 => of_order::<21>(input, tolerance),
                    _ => of_order::<25>(input, tolerance),
                }
            }

            pub(super) fn log2_tolerance(tolerance: f64) -> f64 {
                step_control(real(tolerance), 2).log2_tolerance.into()
            }

            const TERMS: usize = routh_flow::DEGREE + 1;

            fn sector(made: &routh_flow::Sector) -> Sector<TERMS> {
                Sector {
                    direction: made.direction.map(real),
                    limit: made.limit.map(real),
                    width: real(made.width),
                    slope: real(made.slope),
                    along: real(made.along),
                    rate: real(made.rate),
                    rows: made.rows.map(|row| row.map(real)),
                    passage: match made.passage {
                        routh_flow::Passage::Through => Passage::Through,
                        routh_flow::Passage::Outward => Passage::Outward,
                        routh_flow::Passage::Inward => Passage::Inward,
                        routh_flow::Passage::Refused => Passage::Refused,
                    },
                    rises: made.rises,
                    next: made.next,
                }
            }

            pub(super) fn solve_tables(
                input: &ImpactInput<3>,
                tables: &Tables,
            ) -> Result<ImpactOutput<3>, String> {
                let mut kernel = Box::new(sectors::Tables {
                    sectors: [sector(&NO_SECTOR); MOST_SECTORS],
                    borders: [Border { begins: Real::INFINITY, sector: 0 }; MOST_SECTORS + 1],
                    buckets: tables.buckets,
                });
                for (to, made) in kernel.sectors.iter_mut().zip(&tables.sectors) {
                    *to = sector(made);
                }
                for (to, &(begins, sector)) in kernel.borders.iter_mut().zip(&tables.borders) {
                    *to = Border { begins: real(begins), sector };
                }
                run(input, &ByTables::<_, TERMS>(&*kernel), tables.tolerance)
            }
        }
    };
}

trial!(double, float);
trial!(single, single);

/// The logarithm to base two of a tolerance, as a solver of that number type finds it.
pub(crate) fn log2_tolerance(precision: Precision, tolerance: f64) -> f64 {
    match precision {
        Precision::F64 => double::log2_tolerance(tolerance),
        Precision::F32 => single::log2_tolerance(tolerance),
    }
}

/// Solves a spatial impact as a generated solver of that number type, order and tolerance
/// would.
pub(crate) fn solve_series(
    precision: Precision,
    order: usize,
    tolerance: f64,
    input: &ImpactInput<3>,
) -> Result<ImpactOutput<3>, String> {
    match precision {
        Precision::F64 => double::solve_series(input, order, tolerance),
        Precision::F32 => single::solve_series(input, order, tolerance),
    }
}

/// Solves a spatial impact as a generated solver of that number type would whose contact has
/// these tables.
pub(crate) fn solve_tables(
    precision: Precision,
    tables: &Tables,
    input: &ImpactInput<3>,
) -> Result<ImpactOutput<3>, String> {
    match precision {
        Precision::F64 => match tables.pieces.as_ref().and_then(|p| solve_pieces(p, input)) {
            Some(output) => Ok(output),
            None => double::solve_tables(input, tables),
        },
        Precision::F32 => single::solve_tables(input, tables),
    }
}

/// The same by pieces alone, if they cover it.
fn solve_pieces(pieces: &Pieces, input: &ImpactInput<3>) -> Option<ImpactOutput<3>> {
    let (contact, restitution) = (contact(input).ok()?, double::restitution(input));
    let mut impact = Impact::NONE;
    collide_by_pieces(pieces, &contact, &input.velocity, &restitution, &mut impact)
        .then(|| double::output(&impact))
}

/// A spatial contact in double precision.
pub(crate) fn contact(input: &ImpactInput<3>) -> Result<Contact, String> {
    double::spatial(input)
}

/// The same in the plane, by closed forms.
pub(crate) fn solve_planar(
    precision: Precision,
    input: &ImpactInput<2>,
) -> Result<ImpactOutput<2>, String> {
    match precision {
        Precision::F64 => double::solve_planar(input),
        Precision::F32 => single::solve_planar(input),
    }
}

/// A spatial contact as a solver of that number type knows it.
pub(crate) fn prepare_spatial(
    precision: Precision,
    input: &ImpactInput<3>,
) -> Result<Prepared, String> {
    match precision {
        Precision::F64 => double::prepare_spatial(input),
        Precision::F32 => single::prepare_spatial(input),
    }
}

/// A planar contact as a solver of that number type knows it.
pub(crate) fn prepare_planar(
    precision: Precision,
    input: &ImpactInput<2>,
) -> Result<Prepared, String> {
    match precision {
        Precision::F64 => double::prepare_plane(input),
        Precision::F32 => single::prepare_plane(input),
    }
}

#[cfg(test)]
mod tests;
