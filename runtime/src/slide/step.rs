//! One power-series step of a slip: how long it is, where it leads, and whether the slip
//! has come to a straight line or to rest.

use super::directions::{DirectionRates, NEAR};
use super::elementary::ln;
use super::inertia::Contact;
use super::instances::{Number, Varies};
use super::number::{absolute, larger, length, smaller};
use super::real::{EPSILON, NEGLIGIBLE, Real, VANISHING};
use super::result::{Law, Restitution};
use super::roots::bounded;
use super::seam::sqrt;
use super::straight::{ConstantRates, State};

/// Unknowns of a slip, in the order in which they are expanded: tangential velocity, normal
/// and tangential impulse, normal velocity, works of the normal force and of friction.
pub const UNKNOWNS: [&str; 8] = ["vt1", "vt2", "p", "it1", "it2", "vn", "wn", "wt"];

/// Places of some of them.
pub const IMPULSE: usize = 2;
pub const NORMAL: usize = 5;
pub const NORMAL_WORK: usize = 6;
pub const FRICTION_WORK: usize = 7;

/// How closely a slip is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepControl {
    /// The tolerance on a step's last coefficients, as a part of the speed.
    pub tolerance: Real,
    /// Its logarithm to base two.
    pub log2_tolerance: Real,
    /// The order of the series.
    pub order: usize,
}

/// How a slip is followed to a tolerance by series of an order.
pub fn step_control(tolerance: Real, order: usize) -> StepControl {
    StepControl { tolerance, log2_tolerance: ln(tolerance) / ln(2.0), order }
}

/// The order that needs least time at a tolerance, of those with straight-line kernels;
/// `docs/series.md` has the table that this comes from.
pub fn cheapest_order(tolerance: Real) -> usize {
    if tolerance >= 1e-5 {
        12
    } else if tolerance >= 1e-9 {
        16
    } else if tolerance >= 1e-14 {
        20
    } else {
        24
    }
}

/// A direction that attracts contracts its neighbours by `exp(-x)` in a step; a polynomial
/// of order `CONTRACTION x` does too, and does not throw them off.
const CONTRACTION: Real = 4.0;

/// The largest part of the speed at its start that a step may be wrong by.
const LOOSEST: Real = 1e-3;

/// The longest step, in units of the flow's own time: beyond it only polynomials would stay
/// exact.
const LONGEST: Real = 50.0;

/// How near an attracting direction is sure to be reached.
const CLOSE: Real = 0.1;

/// How much velocity across an attracting direction no longer counts, as a part of the
/// largest and of the tolerance.
const SETTLED: Real = 0.1;

/// A slip that is followed step by step.
#[derive(Clone, Copy, Debug)]
pub struct Slip<const COLUMNS: usize> {
    /// The unknowns at the start of the current step.
    pub unknowns: [Real; COLUMNS],
    pub speed: Real,
    pub flow: DirectionRates<Real>,
    /// The largest speed so far.
    pub fastest: Real,
    pub demand: Demand,
}

/// How exactly an impact needs its slip to be followed.
#[derive(Clone, Copy, Debug)]
pub struct Demand {
    /// The normal speed before impact.
    pub approach: Real,
    /// A slip of this speed may change the impulse, or the work that is restored, by as much
    /// as the impact has.
    pub felt: Real,
    /// How many times more exact than the sliding velocity the normal velocity must be, and
    /// its work, each beside its own scale.
    pub normal: Real,
    pub work: Real,
}

impl Demand {
    /// Of a slip without an impact.
    pub const NONE: Self =
        Self { approach: Real::INFINITY, felt: Real::INFINITY, normal: 1.0, work: 1.0 };

    /// Of an impact that begins with a normal speed. Where the normal velocity may rise
    /// slowly, in a slip or at rest, or little work is restored, small errors of these decide
    /// the impulse at the end.
    pub fn of(contact: &Contact, restitution: &Restitution, approach: Real) -> Self {
        let sliding = contact.a - contact.mu * length(contact.h[0], contact.h[1]);
        let least = if contact.sticks { smaller(sliding, contact.sticking_rate) } else { sliding };
        let work = match restitution.law {
            Law::Newton | Law::Poisson => 0.0,
            Law::Energetic => 1.0 / larger(restitution.e, LEAST_CARE),
        };
        let normal = contact.a / larger(least, LEAST_CARE * contact.a);
        let lightest = smaller(contact.b[0], contact.b[1]);
        let felt = approach / normal * (lightest / contact.push()) / larger(work, 1.0);
        Self { approach, felt, normal, work }
    }
}

/// The least part of the normal inertia, or of restitution, that is provided for.
const LEAST_CARE: Real = 0.0625;

/// What a slip has reached: nothing, so that it goes on; a line, along which its direction
/// no longer changes; or rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reached {
    Nothing,
    Line,
    Rest,
}

/// The unknowns by their names.
pub fn state<V: Varies, const COLUMNS: usize>(unknowns: &[Real; COLUMNS]) -> State<V> {
    State {
        tangential: [unknowns[0], unknowns[1]],
        impulse: unknowns[IMPULSE],
        tangential_impulse: [unknowns[3], unknowns[4]],
        normal: unknowns[NORMAL],
        normal_work: unknowns[NORMAL_WORK],
        friction_work: unknowns[FRICTION_WORK],
        variation: V::variation(unknowns),
    }
}

impl<const COLUMNS: usize> Slip<COLUMNS> {
    /// A slip at its start, as exact as an impact demands.
    pub fn start<V: Varies>(contact: &Contact, at: &State<V>, demand: Demand) -> Self {
        let mut unknowns = [0.0; COLUMNS];
        unknowns[0] = at.tangential[0];
        unknowns[1] = at.tangential[1];
        unknowns[NORMAL] = at.normal;
        V::begin_slip(&mut unknowns);
        let speed = length(unknowns[0], unknowns[1]);
        Self {
            unknowns,
            speed,
            flow: contact.rates_at([unknowns[0] / speed, unknowns[1] / speed]),
            fastest: speed,
            demand,
        }
    }

    /// The speed that errors are a part of: the largest so far, unless lower ones decide the
    /// impact, as they do where one direction has much less inertia than the others.
    fn measure(&self) -> Real {
        smaller(self.fastest, self.demand.felt)
    }

    /// Moves a slip to the end of a step.
    pub fn arrive(&mut self, contact: &Contact, unknowns: &[Real; COLUMNS]) {
        let speed = sqrt(unknowns[0] * unknowns[0] + unknowns[1] * unknowns[1]);
        let inverse = 1.0 / speed;
        self.unknowns = *unknowns;
        self.speed = speed;
        self.flow = contact.rates_at([unknowns[0] * inverse, unknowns[1] * inverse]);
        self.fastest = larger(self.fastest, speed);
    }
}

/// What coefficients are multiplied by to be compared with the sliding speed, as far as a
/// step must be accurate: those of the normal velocity and of the two works.
///
/// The impulse at which an impact ends is where the normal velocity has its last value, so
/// this must be as exact beside the approach as the sliding velocity is beside the speed;
/// likewise its work. Works are products of exponentials where speeds are exponentials, so
/// their series converge more slowly.
pub fn weights<const COLUMNS: usize>(contact: &Contact, slip: &Slip<COLUMNS>) -> [Real; 3] {
    let normal = larger(slip.demand.approach, absolute(slip.unknowns[NORMAL]));
    let ratio = slip.demand.normal * (slip.speed / normal);
    let work = slip.demand.work * ratio * (contact.push() / normal);
    [ratio, larger(contact.rate, work), contact.rate / larger(contact.mu, 1.0)]
}

/// How large coefficients are, given their weights.
#[inline(always)]
pub fn size<T: Number, const COLUMNS: usize>(row: &[T; COLUMNS], weights: &[T; 3]) -> T {
    let normal = row[NORMAL].absolute() * weights[0];
    let normal_work = row[NORMAL_WORK].absolute() * weights[1];
    let friction_work = row[FRICTION_WORK].absolute() * weights[2];
    let sliding = row[0].absolute().larger(row[1].absolute());
    sliding.larger(normal).larger(normal_work.larger(friction_work))
}

/// How many times its speed the next step's error is compared with.
///
/// Beside a direction that attracts and along which the speed falls, the slip closes to a
/// halt: nothing makes its error grow again, and it is the largest speed that matters, or
/// the least that is felt.
/// Elsewhere it may still turn away, and its direction must stay exact.
pub fn error_scale<const COLUMNS: usize>(
    contact: &Contact,
    slip: &Slip<COLUMNS>,
    control: &StepControl,
) -> Real {
    let flow = slip.flow;
    let away = absolute(flow.across / flow.slope);
    let closes = flow.slope < 0.0 && away <= CLOSE && flow.along + 2.0 * contact.rate * away < 0.0;
    if !closes {
        return 1.0;
    }
    larger(smaller(slip.measure() / slip.speed, LOOSEST / control.tolerance), 1.0)
}

/// One over the longest that a step may be, whatever its coefficients.
#[inline(always)]
pub fn shortening<T: Number>(flow: &DirectionRates<T>, rate: T, order: usize) -> T {
    let pull = (-flow.slope).larger(T::real(0.0));
    let contraction = T::real(CONTRACTION / order as Real);
    (rate * T::real(1.0 / LONGEST)).larger(pull * contraction)
}

/// From this order on three coefficients tell how a series decays: two may both be small by
/// chance. Below it the third last has too little to do with the last.
const MANY_ORDERS: usize = 16;

/// By how much a step's error stays below the tolerance, in powers of two.
const MARGIN: Real = 0.0625;

/// `tolerance^(1/N) min (|x_0| / |x_k|)^(1/k)` over the last orders up to `N`, whose
/// sizes are given, last first: an estimate of the radius of convergence, and how much of
/// it the tolerance leaves; but no longer than is safe whatever the coefficients.
///
/// Where the speed falls, so does what the error is compared with at the step's end, to
/// first order by `e^(g t)`. With an error scale above one the bound does not shrink with
/// the speed; `larger` avoids a branch in SIMD lanes.
#[inline(always)]
pub fn step_width<T: Number>(
    control: &StepControl,
    sizes: &[T; 3],
    speed: T,
    scale: T,
    flow: &DirectionRates<T>,
    rate: T,
) -> T {
    let order = control.order as Real;
    let last = T::real(1.0 / order);
    let start = speed.rough_log2();
    let x = (sizes[0].rough_log2() - start) * last;
    let y = (sizes[1].rough_log2() - start) * T::real(1.0 / (order - 1.0));
    let slack = scale.rough_log2();
    let reach = (T::real(control.log2_tolerance - MARGIN) + slack) * last;
    let mut decay = x.larger(y);
    if control.order >= MANY_ORDERS {
        decay = decay.larger((sizes[2].rough_log2() - start) * T::real(1.0 / (order - 2.0)));
    }
    let width = (reach - decay).rough_exp2();
    let fall = ((-flow.along) * last - slack).larger(T::real(0.0));
    width / (T::real(1.0) + width * fall).larger(width * shortening(flow, rate, control.order))
}

/// All unknowns inside a step. Even and odd powers are summed apart, so as not to wait for
/// each other.
pub fn values<const ROWS: usize, const COLUMNS: usize>(
    rows: &[[Real; COLUMNS]; ROWS],
    order: usize,
    t: Real,
    at: &mut [Real; COLUMNS],
) {
    let order = bounded::<ROWS>(order);
    let square = t * t;
    let mut odd = [0.0; COLUMNS];
    *at = [0.0; COLUMNS];
    if order & 1 == 0 {
        *at = rows[order];
    }
    for half in (0..(order + 1) / 2).rev() {
        for i in 0..COLUMNS {
            odd[i] = odd[i] * square + rows[2 * half + 1][i];
            at[i] = at[i] * square + rows[2 * half][i];
        }
    }
    for i in 0..COLUMNS {
        at[i] += odd[i] * t;
    }
}

/// Whether the rest of a slip is a straight line, or over.
///
/// Near an invariant direction the velocity across it decays at the rate that `mu b` has
/// across it, whether or not the direction attracts. What it still adds to velocities and
/// impulses until it is gone follows from that rate; once that is negligible the motion is
/// on the line, and a halt follows in closed form.
#[inline]
pub fn reaches_line<V: Varies, const COLUMNS: usize>(
    contact: &Contact,
    slip: &Slip<COLUMNS>,
    control: &StepControl,
    at: &mut State<V>,
    line: &mut ConstantRates<V>,
) -> Reached {
    if slip.speed <= NEGLIGIBLE * slip.measure() || slip.speed <= VANISHING {
        *at = state(&slip.unknowns);
        return Reached::Rest;
    }
    let flow = slip.flow;
    let across = absolute(flow.across);
    if across > NEAR * absolute(flow.slope) && across > NEGLIGIBLE * absolute(flow.along) {
        return Reached::Nothing;
    }
    reaches_line_near(contact, slip, control, at, line)
}

/// The same beside an invariant direction.
fn reaches_line_near<V: Varies, const COLUMNS: usize>(
    contact: &Contact,
    slip: &Slip<COLUMNS>,
    control: &StepControl,
    at: &mut State<V>,
    line: &mut ConstantRates<V>,
) -> Reached {
    let [h1, h2] = contact.h;
    let [b1, b2] = contact.b;
    let mut speed = slip.speed;
    let mut sigma = [slip.unknowns[0] / speed, slip.unknowns[1] / speed];
    let [c, d] = sigma;
    let across = absolute(slip.flow.across);
    if across != 0.0 {
        let away = across / absolute(slip.flow.slope);
        let attracts = slip.flow.slope < 0.0;
        let part =
            if attracts { larger(NEGLIGIBLE, SETTLED * control.tolerance) } else { NEGLIGIBLE };
        let drop = slip.speed * away;
        let b_across = b1 * d * d + b2 * c * c;
        let spill = drop * larger(absolute((b2 - b1) * c * d) / b_across, 1.0);
        let lost = drop * (contact.push() / b_across);
        let noise =
            contact.mu * ((b1 + b2) * absolute(c * d)) + absolute(c * h2) + absolute(d * h1);
        let slow = spill <= part * slip.fastest
            && spill * away <= part * slip.demand.felt
            && lost <= part * slip.demand.approach;
        let still = slow || across <= ROUNDING * noise;
        if !still {
            return Reached::Nothing;
        }
        if across > NEGLIGIBLE * absolute(slip.flow.along) {
            let Some(nearest) = contact.nearest_invariant(sigma) else {
                return Reached::Nothing;
            };
            sigma = nearest;
            speed = contact.speed_on_line(sigma, [slip.unknowns[0], slip.unknowns[1]]);
        }
    }
    *at = state(&slip.unknowns);
    at.tangential = [speed * sigma[0], speed * sigma[1]];
    *line = contact.on_line(sigma, speed);
    Reached::Line
}

/// Rounding of a rate, as a part of the terms that it is the sum of.
const ROUNDING: Real = 32.0 * EPSILON;

/// Rates of no phase.
pub fn no_rates<V: Varies>() -> ConstantRates<V> {
    ConstantRates {
        normal_rate: 0.0,
        tangential_rate: [0.0, 0.0],
        friction: [0.0, 0.0],
        halt: Real::INFINITY,
        neighbours: V::no_neighbours(),
    }
}
