//! Closed forms of the planar impact: every mode under every restitution law.
//!
//! A mode is a sequence of segments, each a phase with constant rates that
//! lasts until a halt, the end of compression or the end of the impact. Rates
//! are integrated and end conditions solved segment by segment; the impulse
//! `q` counts from a segment's start, to avoid cancellation.

use symbolica::prelude::*;

use super::convert;
use crate::Error;
use crate::derivations::{Law, PlanarForm, PlanarMode};
use crate::model::{Phase, PlanarPhase, planar_phase};
use crate::program::{ScalarBuilder, ScalarId, ScalarProgram};
use crate::specialise::{Bindings, specialise_scalars};

/// Inputs of every planar form: `D`, friction, sliding direction, restitution
/// and the velocities before impact.
const INPUTS: [&str; 8] = ["a", "b", "c", "mu", "sigma", "e", "vn", "vt"];

/// The condition that ends a segment.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Halt,
    Compression,
    Impact,
}

fn segments(mode: PlanarMode) -> &'static [(Phase, End)] {
    use End::{Compression, Halt, Impact};
    use Phase::{Reverse, Slip, Stick};
    match mode {
        PlanarMode::PermanentSliding => &[(Slip, Compression), (Slip, Impact)],
        PlanarMode::StickingInCompression => &[(Slip, Halt), (Stick, Compression), (Stick, Impact)],
        PlanarMode::ReverseInCompression => {
            &[(Slip, Halt), (Reverse, Compression), (Reverse, Impact)]
        }
        PlanarMode::StickingInRestitution => &[(Slip, Compression), (Slip, Halt), (Stick, Impact)],
        PlanarMode::ReverseInRestitution => &[(Slip, Compression), (Slip, Halt), (Reverse, Impact)],
        PlanarMode::Sticking => &[(Stick, Compression), (Stick, Impact)],
    }
}

/// All modes under all laws.
///
/// # Errors
/// [`Error::Derivation`] if an end condition cannot be solved.
pub fn planar() -> Result<Vec<PlanarForm>, Error> {
    let mut forms = Vec::new();
    for mode in PlanarMode::ALL {
        for law in Law::ALL {
            let program = program(mode, law)?;
            forms.push(PlanarForm { mode, law, program });
        }
    }
    Ok(forms)
}

/// The quantities of an impact, at one instant or as functions of `q`.
#[derive(Clone)]
struct Motion {
    impulse: Atom,
    tangential_impulse: Atom,
    normal: Atom,
    tangential: Atom,
    normal_work: Atom,
    friction_work: Atom,
}

impl Motion {
    fn before_impact(mode: PlanarMode) -> Self {
        Self {
            impulse: Atom::Zero,
            tangential_impulse: Atom::Zero,
            normal: parse!("vn"),
            tangential: match mode {
                PlanarMode::Sticking => Atom::Zero,
                _ => parse!("vt"),
            },
            normal_work: Atom::Zero,
            friction_work: Atom::Zero,
        }
    }

    /// Integrates a phase's rates from this instant on.
    fn onward(&self, phase: &PlanarPhase) -> Result<Self, Error> {
        let normal = &self.normal + integral(&phase.normal_rate)?;
        let tangential = &self.tangential + integral(&phase.tangential_rate)?;
        Ok(Self {
            impulse: &self.impulse + Atom::var(q()),
            tangential_impulse: &self.tangential_impulse + integral(&phase.friction)?,
            normal_work: &self.normal_work + integral(&normal)?,
            friction_work: &self.friction_work + integral(&(&phase.friction * &tangential))?,
            normal,
            tangential,
        })
    }

    fn map(&self, mut f: impl FnMut(&str, &Atom) -> Result<Atom, Error>) -> Result<Self, Error> {
        Ok(Self {
            impulse: f("p", &self.impulse)?,
            tangential_impulse: f("it", &self.tangential_impulse)?,
            normal: f("vn", &self.normal)?,
            tangential: f("vt", &self.tangential)?,
            normal_work: f("wn", &self.normal_work)?,
            friction_work: f("wt", &self.friction_work)?,
        })
    }
}

/// The normal impulse since the start of a segment.
fn q() -> Symbol {
    symbol!("q")
}

/// `∫ x dq` from 0 to `q`, for `x` a polynomial in `q`.
fn integral(x: &Atom) -> Result<Atom, Error> {
    let mut sum = Atom::Zero;
    for (n, coefficient) in powers(x)? {
        let n = i64::from(n) + 1;
        sum += coefficient * Atom::var(q()).pow(n) / Atom::num(n);
    }
    Ok(sum)
}

/// Coefficients of the powers of `q` in a polynomial.
fn powers(x: &Atom) -> Result<Vec<(u32, Atom)>, Error> {
    x.expand_in(q())
        .coefficient_list::<u16>(&[Atom::var(q())])
        .into_iter()
        .map(|(power, coefficient)| {
            let n = match power.as_view() {
                AtomView::Num(_) => Some(0),
                AtomView::Var(_) => Some(1),
                AtomView::Pow(p) => convert::exponent(p.get_base_exp().1)
                    .and_then(|n| n.to_integer())
                    .and_then(|n| u32::try_from(n).ok()),
                _ => None,
            };
            let n = n.ok_or_else(|| Error::Derivation(format!("{power} is not a power of q")))?;
            Ok((n, coefficient))
        })
        .collect()
}

/// Where `x(q)` vanishes. Of a quadratic's two roots it is the one reached with
/// `x' > 0`, written to avoid cancellation.
fn root(x: &Atom) -> Result<Atom, Error> {
    let mut coefficients = [Atom::Zero, Atom::Zero, Atom::Zero];
    for (n, coefficient) in powers(x)? {
        let slot = coefficients.get_mut(n as usize);
        *slot.ok_or_else(|| Error::Derivation(format!("{x} is beyond second degree")))? =
            coefficient.expand().factor();
    }
    let [constant, linear, quadratic] = coefficients;
    Ok(if quadratic == Atom::Zero {
        -constant / linear
    } else if linear == Atom::Zero {
        (-constant / quadratic).factor().sqrt()
    } else {
        let discriminant = linear.pow(2) - Atom::num(4) * quadratic * &constant;
        Atom::num(-2) * constant / (linear + discriminant.sqrt())
    })
}

/// The function of `q` that vanishes at the end of the impact.
fn end_condition(law: Law, motion: &Motion, compression: &Motion) -> Atom {
    match law {
        Law::Newton => &motion.normal + parse!("e*vn"),
        Law::Poisson => &motion.impulse - parse!("1 + e") * &compression.impulse,
        Law::Energetic => &motion.normal_work - parse!("1 - e^2") * &compression.normal_work,
    }
}

/// Builds a program: values get a name, and later ones refer to it.
struct Draft {
    builder: ScalarBuilder,
    known: Vec<(String, ScalarId)>,
}

impl Draft {
    fn id(&mut self, value: &Atom) -> Result<ScalarId, Error> {
        let known = &self.known;
        convert::scalar(&mut self.builder, value.as_view(), &|builder, name| {
            let local = known.iter().rev().find(|(n, _)| n == name).map(|&(_, id)| id);
            local.or_else(|| builder.input(name))
        })
    }

    /// Stores a value and returns the symbol that stands for it from now on;
    /// zero needs none.
    fn name(&mut self, name: &str, value: &Atom) -> Result<Atom, Error> {
        if *value == Atom::Zero {
            return Ok(Atom::Zero);
        }
        let id = self.id(value)?;
        self.known.push((name.to_owned(), id));
        Ok(parse!(name))
    }

    fn phase(&mut self, phase: Phase) -> Result<PlanarPhase, Error> {
        let rates = planar_phase(phase).map_err(Error::Derivation)?;
        let letter = match phase {
            Phase::Slip => "s",
            Phase::Reverse => "r",
            Phase::Stick => "k",
        };
        Ok(PlanarPhase {
            normal_rate: self.name(&format!("n_{letter}"), &rates.normal_rate)?,
            tangential_rate: self.name(&format!("t_{letter}"), &rates.tangential_rate)?,
            friction: self.name(&format!("g_{letter}"), &rates.friction)?,
        })
    }
}

fn program(mode: PlanarMode, law: Law) -> Result<ScalarProgram, Error> {
    let builder = ScalarBuilder::new(INPUTS.map(str::to_owned));
    let mut draft = Draft { builder, known: Vec::new() };
    let mut at = Motion::before_impact(mode);
    let mut compression = at.clone();
    let mut outputs = Vec::new();
    for &(phase, end) in segments(mode) {
        let phase = draft.phase(phase)?;
        let motion = at.onward(&phase)?;
        let (letter, condition) = match end {
            End::Halt => ("h", motion.tangential.clone()),
            End::Compression => ("c", motion.normal.clone()),
            End::Impact => ("e", end_condition(law, &motion, &compression)),
        };
        let width = draft.name(&format!("q_{letter}"), &root(&condition)?)?;
        let mut there = motion.map(|_, x| Ok(x.replace(q()).with(width.clone())))?;
        match end {
            End::Halt => there.tangential = Atom::Zero,
            End::Compression => there.normal = Atom::Zero,
            End::Impact => {}
        }
        at = there.map(|quantity, x| draft.name(&format!("{quantity}_{letter}"), x))?;
        match end {
            End::Halt => outputs.push(("halt_impulse", at.impulse.clone())),
            End::Compression => {
                outputs.push(("compression_impulse", at.impulse.clone()));
                compression = at.clone();
            }
            End::Impact => {}
        }
    }
    outputs.extend([
        ("normal_impulse", at.impulse),
        ("tangential_impulse", at.tangential_impulse),
        ("normal_velocity", at.normal),
        ("tangential_velocity", at.tangential),
        ("normal_work", at.normal_work),
        ("friction_work", at.friction_work),
    ]);
    let outputs = outputs
        .into_iter()
        .map(|(name, value)| Ok((name.to_owned(), draft.id(&value)?)))
        .collect::<Result<_, Error>>()?;
    let program = ScalarProgram {
        name: format!("{}_{}", mode.name(), law.name()),
        graph: draft.builder.finish(),
        outputs,
    };
    specialise_scalars(&program, &Bindings::new())
}
