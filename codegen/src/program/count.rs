//! How much arithmetic a program costs.

use std::fmt;
use std::ops::{Add, AddAssign};

/// Numbers of floating-point operations.
///
/// ```
/// use routh_codegen::derivations::Derivations;
/// let count = Derivations::committed()?.regularised.operations(20);
/// assert_eq!((count.divisions, count.functions, count.total()), (1, 1, 1691));
/// # Ok::<(), routh_codegen::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperationCount {
    /// Additions and subtractions.
    pub additions: usize,
    /// Multiplications.
    pub multiplications: usize,
    /// Divisions.
    pub divisions: usize,
    /// Calls of elementary functions.
    pub functions: usize,
}

impl OperationCount {
    /// All operations together.
    pub fn total(&self) -> usize {
        self.additions + self.multiplications + self.divisions + self.functions
    }
}

impl Add for OperationCount {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for OperationCount {
    fn add_assign(&mut self, other: Self) {
        self.additions += other.additions;
        self.multiplications += other.multiplications;
        self.divisions += other.divisions;
        self.functions += other.functions;
    }
}

impl fmt::Display for OperationCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} operations ({} +, {} *, {} /, {} functions)",
            self.total(),
            self.additions,
            self.multiplications,
            self.divisions,
            self.functions
        )
    }
}
