//! Numbers from bytes: any bit pattern now and then, mostly ordinary ones.

/// Bytes that are yet to be read; zeros follow them.
#[derive(Debug)]
pub struct Numbers<'a> {
    rest: &'a [u8],
}

impl<'a> Numbers<'a> {
    /// The numbers of some bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let (first, rest) = self.rest.split_first().unwrap_or((&0, &[]));
        self.rest = rest;
        *first
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.byte())
    }

    /// The next number: between −32 and 32, a power of ten times that, or any bits.
    pub fn number(&mut self) -> f64 {
        let kind = self.byte();
        if kind >= 240 {
            return f64::from_bits(u64::from_le_bytes(self.bytes()));
        }
        let ordinary = f64::from(i16::from_le_bytes(self.bytes())) / 1024.0;
        if kind < 180 { ordinary } else { ordinary * 10.0_f64.powi(i32::from(self.byte() as i8)) }
    }

    /// So many of them.
    pub fn vector<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.number())
    }

    /// A matrix: of any entries, or positive definite but for rounding and overflow; the
    /// identity if there are no bytes.
    pub fn matrix<const N: usize>(&mut self) -> [[f64; N]; N] {
        let definite = self.byte() < 240;
        let mut a: [[f64; N]; N] = std::array::from_fn(|_| self.vector());
        if !definite {
            return a;
        }
        (0..N).for_each(|i| a[i][i] += 1.0);
        let entry = |i: usize, j: usize| (0..N).map(|k| a[i][k] * a[j][k]).sum::<f64>();
        std::array::from_fn(|i| std::array::from_fn(|j| entry(i.min(j), i.max(j))))
    }
}
