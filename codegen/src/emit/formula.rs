//! Formulas that straight-line kernels and loops share, so that both round
//! alike: linear combinations, first coefficients, and what follows a sum.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{balanced_sum, call, index, real, scalars};
use crate::program::{
    Convolution, Initial, Lead, Number, Recurrence, ScalarId, SeriesId, SeriesProgram, Weight,
};

/// A coefficient of a series, written out.
pub(super) type At<'a> = &'a dyn Fn(SeriesId) -> TokenStream;

/// Sums over lower coefficients. Of equal pairs of terms one is summed.
pub(super) enum Sums {
    /// `Σ x_j y_{k−j}` in full.
    Full(TokenStream),
    /// The pairs, and the terms in the middle that have no partner.
    Halved { pairs: Option<TokenStream>, middle: Option<TokenStream> },
}

pub(super) struct Formula<'a> {
    pub(super) program: &'a SeriesProgram,
    constants: Vec<ScalarId>,
}

impl<'a> Formula<'a> {
    pub(super) fn new(program: &'a SeriesProgram) -> Self {
        Self { program, constants: scalars::used(program) }
    }

    /// The parameter `constants` and its unpacking, if there are any.
    pub(super) fn argument(&self) -> (TokenStream, TokenStream) {
        if self.constants.is_empty() {
            return Default::default();
        }
        let names = (0..self.constants.len()).map(|i| format_ident!("k{i}"));
        let size = index(self.constants.len());
        (quote!(constants: &[T; #size],), quote!(let [#(#names),*] = *constants;))
    }

    fn constant(&self, id: ScalarId) -> TokenStream {
        match self.program.scalars.number(id) {
            Some(n) => real(n.to_f64()),
            None => {
                let i = self.constants.binary_search(&id).unwrap_or_default();
                let name = format_ident!("k{i}");
                quote!(#name)
            }
        }
    }

    /// `factor · x`, without a multiplication by ±1.
    pub(super) fn scaled(&self, factor: ScalarId, x: &TokenStream) -> TokenStream {
        match self.program.scalars.number(factor) {
            Some(n) if n.is_one() => x.clone(),
            Some(n) if *n == Number::from(-1) => quote!(-#x),
            _ => {
                let factor = self.constant(factor);
                quote!(#factor * #x)
            }
        }
    }

    /// `constant + Σ factor · x`
    pub(super) fn linear(
        &self,
        constant: Option<ScalarId>,
        terms: &[(ScalarId, SeriesId)],
        at: At,
    ) -> TokenStream {
        let constant = constant.map(|c| self.constant(c));
        let terms = terms.iter().map(|&(factor, x)| self.scaled(factor, &at(x)));
        balanced_sum(&constant.into_iter().chain(terms).collect::<Vec<_>>())
    }

    /// Coefficient 0.
    pub(super) fn first(&self, initial: &Initial, at: At) -> TokenStream {
        match initial {
            Initial::Product(x, y) => {
                let (x, y) = (at(*x), at(*y));
                quote!(#x * #y)
            }
            Initial::Quotient(x, y) => {
                let (x, y) = (x.map_or(real(1.0), at), at(*y));
                quote!(#x / #y)
            }
            Initial::Power(x, alpha) => {
                let (x, alpha) = (at(*x), real(alpha.to_f64()));
                quote!(pow(#x, #alpha))
            }
            Initial::Apply(function, x) => call(*function, &at(*x)),
            Initial::Norm(xs) => {
                let squares = xs.iter().map(|&x| {
                    let x = at(x);
                    quote!(#x * #x)
                });
                let sum = balanced_sum(&squares.collect::<Vec<_>>());
                quote!(sqrt(#sum))
            }
        }
    }

    /// What all later coefficients of operation `i` need, once coefficient 0
    /// is there.
    pub(super) fn prepare(&self, i: usize, rule: &Recurrence, at: At) -> TokenStream {
        let Some((n, d)) = rule.divisor else { return TokenStream::new() };
        let inverse = inverse(i);
        let d = at(d);
        match &rule.lead {
            Lead::Projection(xs) => {
                let parts = xs.iter().enumerate().map(|(j, &x)| {
                    let (part, x) = (part(i, j), at(x));
                    quote!(let #part = #x * #inverse;)
                });
                quote!(let #inverse = T::real(1.0) / #d; #(#parts)*)
            }
            _ => {
                let scale = real(1.0 / n as f64);
                quote!(let #inverse = #scale / #d;)
            }
        }
    }

    /// Coefficient `k ≥ 1` of operation `i` from its sums; `mean` is `1/k`.
    pub(super) fn later(
        &self,
        i: usize,
        rule: &Recurrence,
        sums: Sums,
        at: At,
        mean: Option<TokenStream>,
    ) -> TokenStream {
        let inverse = inverse(i);
        if let Lead::Projection(xs) = &rule.lead {
            let along = xs.iter().enumerate().map(|(j, &x)| {
                let (part, x) = (part(i, j), at(x));
                quote!(#part * #x)
            });
            let along = balanced_sum(&along.collect::<Vec<_>>());
            let rest = match sums {
                Sums::Full(sum) => Some(sum),
                Sums::Halved { pairs, middle } => {
                    let middle = middle.map(|m| quote!(T::real(0.5) * (#m)));
                    joined(middle, pairs)
                }
            };
            return match rest {
                Some(rest) => quote!((#along) + #inverse * (#rest)),
                None => along,
            };
        }
        let sum = match sums {
            Sums::Full(sum) => sum,
            Sums::Halved { pairs, middle } => {
                let pairs = pairs.map(|p| quote!(T::real(2.0) * (#p)));
                joined(middle, pairs).unwrap_or_else(|| real(0.0))
            }
        };
        let sum = mean.map_or(sum.clone(), |mean| quote!((#sum) * #mean));
        let subtract = rule.subtracted.is_some();
        let sum = match (&rule.lead, subtract) {
            (Lead::Series(x), true) => {
                let x = at(*x);
                quote!(#x - (#sum))
            }
            (Lead::Series(x), false) => {
                let x = at(*x);
                quote!(#x + (#sum))
            }
            (_, true) => quote!(-(#sum)),
            (_, false) => sum,
        };
        if rule.divisor.is_some() { quote!((#sum) * #inverse) } else { sum }
    }
}

fn inverse(i: usize) -> Ident {
    format_ident!("inverse{i}")
}

fn part(i: usize, j: usize) -> Ident {
    format_ident!("part{i}_{j}")
}

fn joined(x: Option<TokenStream>, y: Option<TokenStream>) -> Option<TokenStream> {
    match (x, y) {
        (Some(x), Some(y)) => Some(quote!(#x + #y)),
        (x, y) => x.or(y),
    }
}

/// The sums of a rule whose convolutions all pair equal terms, each taken
/// from `sum`: those added less the one that is subtracted beside them.
pub(super) fn signed(
    rule: &Recurrence,
    sum: impl Fn(usize, &Convolution) -> Option<TokenStream>,
) -> Option<TokenStream> {
    let sums: Option<Vec<_>> =
        rule.convolutions().enumerate().map(|(i, convolution)| sum(i, convolution)).collect();
    let sums = sums?;
    let (added, subtracted) = sums.split_at(rule.added.len());
    Some(match (added, subtracted) {
        ([], [only]) => only.clone(),
        (_, [less]) => {
            let added = balanced_sum(added);
            quote!(((#added) - #less))
        }
        _ => balanced_sum(added),
    })
}

/// `w_j x_j y_{k−j}`, with `j` and `k − j` as written.
pub(super) fn term(weight: Option<TokenStream>, x: &TokenStream, y: &TokenStream) -> TokenStream {
    match weight {
        Some(weight) => quote!(#weight * (#x * #y)),
        None => quote!(#x * #y),
    }
}

/// The weight of term `j` of order `k` in loops.
pub(super) fn weight(weight: &Weight, j: &TokenStream) -> Option<TokenStream> {
    match weight {
        Weight::One => None,
        Weight::Index => Some(quote!(T::real((#j) as f64))),
        Weight::Power(alpha) => {
            let [n, d] = alpha.parts().map(super::float);
            Some(quote!(T::real((#n * (#j) as f64 - #d * (k - (#j)) as f64) / #d)))
        }
    }
}
