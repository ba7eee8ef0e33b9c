//! Exact rational constants, so that specialising a program never rounds.

use std::fmt;
use std::str::FromStr;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Float, One, Pow, Signed, ToPrimitive, Zero};

/// An exact rational number, written `-3/2`, `7` or `9.009e-3`.
///
/// ```
/// use routh_codegen::program::Number;
/// let mu: Number = "0.3".parse()?;
/// assert_eq!(mu, Number::ratio(3, 10));
/// assert_eq!(mu.to_f64(), 0.3);
/// # Ok::<(), routh_codegen::program::ParseNumberError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(BigRational);

/// Text that is neither a decimal nor a quotient of two integers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a rational number")]
pub struct ParseNumberError(String);

/// Decimal exponents beyond this have no `f64` and would only cost memory.
const MAX_EXPONENT: i32 = 400;

impl Number {
    /// The quotient `n / d`; `d` must not be zero.
    pub fn ratio(n: i64, d: i64) -> Self {
        Self(BigRational::new(n.into(), d.into()))
    }

    /// The nearest `f64`.
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64().unwrap_or(f64::NAN)
    }

    /// The value in any floating-point arithmetic, rounded like a quotient of
    /// integers.
    pub fn to_float<T: Float>(&self) -> T {
        let [n, d] = self.parts().map(|part| T::from(part).unwrap_or_else(T::nan));
        n / d
    }

    /// Numerator and denominator.
    pub(crate) fn parts(&self) -> [f64; 2] {
        [self.0.numer(), self.0.denom()].map(|n| n.to_f64().unwrap_or(f64::NAN))
    }

    /// Whether this is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// Whether this is 1.
    pub fn is_one(&self) -> bool {
        self.0.is_one()
    }

    /// Whether this is below 0.
    pub fn is_negative(&self) -> bool {
        self.0.is_negative()
    }

    /// The value as a small integer, if it is one.
    pub fn to_integer(&self) -> Option<i32> {
        self.0.is_integer().then(|| self.0.to_integer().to_i32())?
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        Self(&self.0 + &other.0)
    }

    pub(crate) fn mul(&self, other: &Self) -> Self {
        Self(&self.0 * &other.0)
    }

    pub(crate) fn neg(&self) -> Self {
        Self(-&self.0)
    }

    /// `self^n`, or `None` for a negative power of zero.
    pub(crate) fn power(&self, n: i32) -> Option<Self> {
        (n >= 0 || !self.is_zero()).then(|| Self(Pow::pow(&self.0, n)))
    }

    /// The exact square root, if it is rational.
    pub(crate) fn sqrt(&self) -> Option<Self> {
        if self.is_negative() {
            return None;
        }
        let root = Self(BigRational::new(self.0.numer().sqrt(), self.0.denom().sqrt()));
        (root.mul(&root) == *self).then_some(root)
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self(BigRational::from_integer(value.into()))
    }
}

impl TryFrom<f64> for Number {
    type Error = ParseNumberError;

    /// The exact value of a finite `f64`.
    fn try_from(value: f64) -> Result<Self, Self::Error> {
        BigRational::from_float(value).map(Self).ok_or_else(|| ParseNumberError(value.to_string()))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Number {
    type Err = ParseNumberError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let quotient = |text: &str| text.parse::<BigRational>().ok();
        let decimal = |text: &str| -> Option<BigRational> {
            let (mantissa, exponent) = match text.split_once(['e', 'E']) {
                Some((m, e)) => (m, e.parse::<i32>().ok()?),
                None => (text, 0),
            };
            let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
            let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
            let exponent = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
            (exponent.abs() <= MAX_EXPONENT).then(|| {
                BigRational::from_integer(digits)
                    * Pow::pow(BigRational::from_integer(10.into()), exponent)
            })
        };
        quotient(text)
            .or_else(|| decimal(text))
            .map(Self)
            .filter(|n| n.to_f64().is_finite())
            .ok_or_else(|| ParseNumberError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        let d: Number = "9.009e-3".parse().unwrap();
        assert_eq!(d, Number::ratio(9009, 1_000_000));
        assert_eq!(d.to_f64(), 9.009e-3);
        assert_eq!("-0.5".parse(), Ok(Number::ratio(-1, 2)));
        assert_eq!("-3/2".parse(), Ok(Number::ratio(-3, 2)));
        assert_eq!("2E3".parse(), Ok(Number::from(2000)));
    }

    #[test]
    fn floats_are_exact() {
        assert_eq!(Number::try_from(-0.375), Ok(Number::ratio(-3, 8)));
        assert_eq!(Number::try_from(0.1).map(|n| n.to_f64()), Ok(0.1));
        assert!(Number::try_from(f64::NAN).is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", ".", "e", "1/0", "1e99999999999", "1e401", "1e350", "x"] {
            assert!(text.parse::<Number>().is_err(), "{text}");
        }
    }

    #[test]
    fn square_roots_only_where_rational() {
        assert_eq!(Number::ratio(9, 4).sqrt(), Some(Number::ratio(3, 2)));
        assert_eq!(Number::from(2).sqrt(), None);
        assert_eq!(Number::from(-4).sqrt(), None);
    }
}
