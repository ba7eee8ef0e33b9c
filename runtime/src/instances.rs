//! What the runtime is generic in. In generated files each of these is one thing: numbers
//! are `Real`, the kernel is the one that was asked for, and derivatives are there or not.

use core::fmt::Debug;
use core::ops::{Add, Div, Index, Mul, Neg, Sub};

use super::derivatives::{self, Neighbours, VARIATIONS, Variation, VariedTotals};
use super::follow::Outcome;
use super::inertia::Contact;
use super::number;
use super::orbit::Sector;
use super::piece::Piece;
use super::pieces::RestRates;
use super::plane::{Approach, Closed};
use super::real::Real;
use super::restitution::ImpactState;
use super::result::{Law, Mode};
use super::seam;
use super::sectors::{self, Tables};
use super::series::{self, Kernel};
use super::straight::{ConstantRates, State};

/// A number, alone or in SIMD lanes, as the control of steps needs it.
pub trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// A constant.
    fn real(x: Real) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// The absolute value.
    fn absolute(self) -> Self;
    /// The larger of two.
    fn larger(self, other: Self) -> Self;
    /// The logarithm to base two, to 0.01.
    fn rough_log2(self) -> Self;
    /// Two to this power, to 0.3 %.
    fn rough_exp2(self) -> Self;
}

impl Number for Real {
    #[inline(always)]
    fn real(x: Real) -> Self {
        x
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        seam::sqrt(self)
    }

    #[inline(always)]
    fn absolute(self) -> Self {
        number::absolute(self)
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        number::larger(self, other)
    }

    #[inline(always)]
    fn rough_log2(self) -> Self {
        number::rough_log2(self)
    }

    #[inline(always)]
    fn rough_exp2(self) -> Self {
        number::rough_exp2(self)
    }
}

/// The generated expansion of a slip: Taylor coefficients of its unknowns, a row for each
/// order.
pub trait Expand<const ROWS: usize, const COLUMNS: usize> {
    /// The coefficients at a state.
    fn expand(
        &self,
        contact: &Contact,
        state: &[Real; COLUMNS],
        rows: &mut [[Real; COLUMNS]; ROWS],
    );
}

/// What follows slips: series or tables.
pub trait Slide<V: Varies> {
    /// Follows a slip to the end of the impact or to a halt.
    fn slide(&self, contact: &Contact, at: &mut State<V>, impact: &mut ImpactState<V>) -> Outcome;
}

/// Power series of one order: `ROWS` coefficients of each of `COLUMNS` unknowns.
#[derive(Clone, Copy, Debug)]
pub struct BySeries<E, const ROWS: usize, const COLUMNS: usize>(pub Kernel<E>);

impl<V: Varies, E: Expand<ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize> Slide<V>
    for BySeries<E, ROWS, COLUMNS>
{
    fn slide(&self, contact: &Contact, at: &mut State<V>, impact: &mut ImpactState<V>) -> Outcome {
        series::slide::<V, E, ROWS, COLUMNS>(&self.0, contact, at, impact)
    }
}

/// Sectors of a contact's flow, wherever they are kept. There is at least one.
pub trait Map<const TERMS: usize>: Index<usize, Output = Sector<TERMS>> {
    /// How many there are.
    fn count(&self) -> usize;
    /// The number of the one that a direction is in.
    fn find(&self, c: Real, d: Real) -> u32;
}

impl<const SECTORS: usize, const BORDERS: usize, const BUCKETS: usize, const TERMS: usize>
    Index<usize> for Tables<SECTORS, BORDERS, BUCKETS, TERMS>
{
    type Output = Sector<TERMS>;

    fn index(&self, number: usize) -> &Sector<TERMS> {
        &self.sectors[number]
    }
}

impl<const SECTORS: usize, const BORDERS: usize, const BUCKETS: usize, const TERMS: usize>
    Map<TERMS> for Tables<SECTORS, BORDERS, BUCKETS, TERMS>
{
    fn count(&self) -> usize {
        SECTORS
    }
    fn find(&self, c: Real, d: Real) -> u32 {
        sectors::find_sector(self, c, d)
    }
}

/// Slips that are followed by tables.
#[derive(Clone, Copy, Debug)]
pub struct ByTables<'a, M, const TERMS: usize>(pub &'a M);

impl<V: Varies, M: Map<TERMS>, const TERMS: usize> Slide<V> for ByTables<'_, M, TERMS> {
    fn slide(&self, contact: &Contact, at: &mut State<V>, impact: &mut ImpactState<V>) -> Outcome {
        sectors::slide(self.0, contact, at, impact)
    }
}

/// Pieces of a contact's flow, wherever they are kept.
pub trait PieceMap: Index<usize, Output = Piece> {
    /// How many there are.
    fn piece_count(&self) -> usize;
    /// The number of the one that a direction is in; a larger one for none.
    fn piece_at(&self, c: Real, d: Real) -> usize;
    /// The rates that follow a halt.
    fn rest_rates(&self) -> RestRates;
}

/// The closed forms of planar impacts.
pub trait Forms {
    /// The Jacobian of the velocity after impact, or nothing.
    type Jacobian;

    /// The closed form of a mode under a law.
    fn evaluate(
        &self,
        approach: &Approach,
        mode: Mode,
        law: Law,
        closed: &mut Closed,
        jacobian: &mut Self::Jacobian,
    );

    /// Takes the Jacobian out of its unit of velocity; whether it is finite.
    fn finish(
        &self,
        jacobian: &mut Self::Jacobian,
        unit: Real,
        at_rest: bool,
        slope_at_rest: Real,
    ) -> bool;
}

/// How a state varies with what the impact is given: [`Variation`], or `()` where nobody
/// asks.
#[allow(missing_docs, reason = "each function is documented where it is defined")]
pub trait Varies: Copy + Debug + Sized {
    /// What acts beside a straight phase.
    type Neighbours: Copy + Debug;
    /// How totals vary.
    type Totals: Copy + Debug;
    /// The Jacobian of the velocity after impact.
    type Jacobian;

    fn before_impact() -> Self;
    fn begin_slip<const COLUMNS: usize>(unknowns: &mut [Real; COLUMNS]);
    fn variation<const COLUMNS: usize>(unknowns: &[Real; COLUMNS]) -> Self;
    fn vary_rates<const ROWS: usize, const COLUMNS: usize>(
        rows: &[[Real; COLUMNS]; ROWS],
        order: usize,
        t: Real,
        at: &mut State<Self>,
    );
    fn no_neighbours() -> Self::Neighbours;
    fn beside_line(contact: &Contact, c: Real, d: Real, along: Real) -> Self::Neighbours;
    fn vary_restart(contact: &Contact, u: &[Real; 2], phase: &mut ConstantRates<Self>);
    fn vary_along(phase: &ConstantRates<Self>, from: &State<Self>, q: Real) -> Self;
    fn vary_halt(phase: &ConstantRates<Self>, at: &mut State<Self>);
    fn vary_rest(contact: &Contact, halted: bool, at: &mut State<Self>);
    fn no_totals() -> Self::Totals;
    fn vary_turn(impact: &mut ImpactState<Self>, now: &State<Self>);
    fn differentiate(
        contact: &Contact,
        at: &State<Self>,
        impact: &ImpactState<Self>,
        unit: Real,
        jacobian: &mut Self::Jacobian,
    ) -> bool;
}

impl Varies for () {
    type Neighbours = ();
    type Totals = ();
    type Jacobian = ();

    fn before_impact() -> Self {}
    fn begin_slip<const COLUMNS: usize>(_: &mut [Real; COLUMNS]) {}
    fn variation<const COLUMNS: usize>(_: &[Real; COLUMNS]) -> Self {}
    fn vary_rates<const ROWS: usize, const COLUMNS: usize>(
        _: &[[Real; COLUMNS]; ROWS],
        _: usize,
        _: Real,
        _: &mut State<Self>,
    ) {
    }
    fn no_neighbours() -> Self::Neighbours {}
    fn beside_line(_: &Contact, _: Real, _: Real, _: Real) -> Self::Neighbours {}
    fn vary_restart(_: &Contact, _: &[Real; 2], _: &mut ConstantRates<Self>) {}
    fn vary_along(_: &ConstantRates<Self>, _: &State<Self>, _: Real) -> Self {}
    fn vary_halt(_: &ConstantRates<Self>, _: &mut State<Self>) {}
    fn vary_rest(_: &Contact, _: bool, _: &mut State<Self>) {}
    fn no_totals() -> Self::Totals {}
    fn vary_turn(_: &mut ImpactState<Self>, _: &State<Self>) {}
    fn differentiate(
        _: &Contact,
        _: &State<Self>,
        _: &ImpactState<Self>,
        _: Real,
        (): &mut Self::Jacobian,
    ) -> bool {
        true
    }
}

impl Varies for Variation {
    type Neighbours = Neighbours;
    type Totals = VariedTotals;
    type Jacobian = [[Real; VARIATIONS]; 3];

    fn before_impact() -> Self {
        derivatives::before_impact()
    }
    fn begin_slip<const COLUMNS: usize>(unknowns: &mut [Real; COLUMNS]) {
        derivatives::begin_slip(unknowns);
    }
    fn variation<const COLUMNS: usize>(unknowns: &[Real; COLUMNS]) -> Self {
        derivatives::variation(unknowns)
    }
    fn vary_rates<const ROWS: usize, const COLUMNS: usize>(
        rows: &[[Real; COLUMNS]; ROWS],
        order: usize,
        t: Real,
        at: &mut State<Self>,
    ) {
        derivatives::vary_rates(rows, order, t, at);
    }
    fn no_neighbours() -> Self::Neighbours {
        derivatives::no_neighbours()
    }
    fn beside_line(contact: &Contact, c: Real, d: Real, along: Real) -> Self::Neighbours {
        derivatives::beside_line(contact, c, d, along)
    }
    fn vary_restart(contact: &Contact, u: &[Real; 2], phase: &mut ConstantRates<Self>) {
        derivatives::vary_restart(contact, u, phase);
    }
    fn vary_along(phase: &ConstantRates<Self>, from: &State<Self>, q: Real) -> Self {
        derivatives::vary_along(phase, from, q)
    }
    fn vary_halt(phase: &ConstantRates<Self>, at: &mut State<Self>) {
        derivatives::vary_halt(phase, at);
    }
    fn vary_rest(contact: &Contact, halted: bool, at: &mut State<Self>) {
        derivatives::vary_rest(contact, halted, at);
    }
    fn no_totals() -> Self::Totals {
        derivatives::no_totals()
    }
    fn vary_turn(impact: &mut ImpactState<Self>, now: &State<Self>) {
        derivatives::vary_turn(impact, now);
    }
    fn differentiate(
        contact: &Contact,
        at: &State<Self>,
        impact: &ImpactState<Self>,
        unit: Real,
        jacobian: &mut Self::Jacobian,
    ) -> bool {
        derivatives::differentiate(contact, at, impact, unit, jacobian)
    }
}
