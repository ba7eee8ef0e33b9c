//! Numbers of single precision, and what follows from their digits.

/// The arithmetic of this file.
pub type Real = f32;

/// The bit pattern of a number.
pub type Bits = u32;

/// Bits of a number below its exponent.
pub const FRACTION_BITS: u32 = 23;

/// The exponent's bits.
pub const EXPONENT_BITS: Bits = 0x7f80_0000;

/// What is added to an exponent where it is stored.
pub const BIAS: i32 = 127;

/// Larger than any result.
pub const UNLIMITED: Real = 1e38;

/// The spacing of numbers at one.
pub const EPSILON: Real = 1.1920929e-7;

/// Squares of numbers in this range, and their sums, are normal numbers.
pub const LEAST_SQUARABLE: Real = 1e-17;
pub const MOST_SQUARABLE: Real = 1e17;

/// Velocities below this part of the largest sliding speed so far count as
/// zero: rounding alone makes as much.
pub const NEGLIGIBLE: Real = 2e-6;

/// Speeds below this are zero beside the other velocities, and rates below this
/// part of the normal inertia turn nothing while an impact lasts.
pub const VANISHING: Real = 1e-14;

/// A value this far on the wrong side, in units of order one, is a zero that
/// rounding displaced.
pub const DISPLACED: Real = 1e-6;

/// How much less than the normal inertia `mu h.sigma` must be for the normal velocity
/// to rise beyond doubt.
pub const CLEARLY: Real = 0.9999;

/// How far entries across the diagonal may be apart, as a part of the geometric
/// mean of those beside them on it.
pub const ASYMMETRY: Real = 1e-4;

/// A step that changes direction and speed by less than this part leads to a
/// root on a compiled flow but for its cube.
pub const CONVERGED: Real = 3e-3;

/// Next to an invariant direction, within this tangent of half the angle,
/// rounding hides how fast the flow turns.
pub const HIDDEN: Real = 3e-4;

/// Changes below this part are told by a few terms of their series.
pub const SMALL: Real = 1e-2;

/// Slips on a compiled flow that change by less than this part have their normal
/// work from the normal velocity and its rates at both ends.
pub const BRIEF: Real = 0.5;

/// A slip on a compiled flow has halted where its speed has fallen to this part:
/// speeds are products there, which rounding leaves true.
pub const FADED: Real = 1e-12;

/// Adding this to a small number rounds it to an integer, which then stands in its last
/// bits.
pub const INTEGER: Real = 12582912.0;

/// The natural logarithm of two, and what that leaves out.
pub const LN_2: Real = 0.693359375;
pub const LN_2_REST: Real = -2.1219444e-4;

/// The exponential of larger numbers overflows; of minus that, vanishes.
pub const MOST_EXPONENT: Real = 110.0;

/// What momentum, energy and restitution of a result may be off by, as a part of their
/// scales.
pub const LEAST_IMBALANCE: Real = 1e-3;

/// On a compiled flow a normal velocity is not exact beside this many times as much that
/// tables tell of it, or that it is the sum of.
pub const TABULATED: Real = 1e4;
pub const ROUNDED: Real = 1e4;

/// The part of an impulse that rounding may move on a compiled flow.
pub const RESOLVED: Real = 1e-3;

/// The part of an impulse that the last step to a root on a compiled flow may leave out.
pub const LEFT_OUT: Real = 1e-5;

/// The work of less friction is lost in the rounding of the normal force's on a compiled
/// flow.
pub const FAINT: Real = 1e-3;
