//! Operations on series as loops over coefficients, which round as the
//! straight-line kernels do.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::formula::{self, Formula, Sums};
use super::index;
use crate::program::{Convolution, Recurrence, SeriesId, SeriesOp, SeriesProgram};

/// Where coefficients are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// Those of unknowns in `rows`, those of operations in locals.
    Locals,
    /// Those of unknowns in `unknowns`, of given series in `given`, of
    /// operations in `self.rows`.
    Memory,
}

/// How a program's operations are written as loops.
pub(super) struct Loops<'a> {
    pub(super) formula: Formula<'a>,
    /// Which operations' lower coefficients are asked for again.
    pub(super) kept: Vec<bool>,
    storage: Storage,
}

fn kept(program: &SeriesProgram) -> Vec<bool> {
    let mut kept = vec![false; program.ops.len()];
    let mut keep = |id: SeriesId| {
        if let SeriesId::Op(i) = id {
            kept[i] = true;
        }
    };
    for (i, op) in program.ops.iter().enumerate() {
        if let SeriesOp::Times(_, x) = op {
            keep(*x);
        }
        if let Some((_, rule)) = op.rules(SeriesId::Op(i)) {
            rule.convolutions().flat_map(|c| [c.left, c.right]).for_each(&mut keep);
        }
    }
    kept
}

impl<'a> Loops<'a> {
    pub(super) fn new(program: &'a SeriesProgram, storage: Storage) -> Self {
        Self { formula: Formula::new(program), kept: kept(program), storage }
    }

    fn local(&self, i: usize) -> Ident {
        format_ident!("u{i}_")
    }

    /// Where the coefficients of operation `i` are kept.
    pub(super) fn row(&self, i: usize) -> TokenStream {
        match self.storage {
            Storage::Locals => {
                let row = self.local(i);
                quote!(#row)
            }
            Storage::Memory => {
                let place = index(self.kept[..i].iter().filter(|kept| **kept).count());
                quote!(self.rows[#place])
            }
        }
    }

    /// The unknowns that operations or rates read.
    pub(super) fn read(&self) -> Vec<usize> {
        let program = self.formula.program;
        let mut read = vec![false; program.states.len()];
        let mut note = |id: SeriesId| {
            if let SeriesId::State(i) = id {
                read[i] = true;
            }
        };
        program.ops.iter().for_each(|op| op.clone().each_operand(|x| note(*x)));
        program.states.iter().for_each(|state| note(state.rate));
        (0..read.len()).filter(|&i| read[i]).collect()
    }

    pub(super) fn at(&self, series: SeriesId, k: &TokenStream) -> TokenStream {
        match series {
            SeriesId::State(i) => match self.storage {
                Storage::Locals => {
                    let i = index(i);
                    quote!(rows[#k][#i])
                }
                Storage::Memory => {
                    let i = index(self.read().iter().take_while(|&&read| read < i).count());
                    quote!(unknowns[#i][#k])
                }
            },
            SeriesId::Op(i) if self.kept[i] => {
                let row = self.row(i);
                quote!(#row[#k])
            }
            SeriesId::Op(i) => {
                let local = self.local(i);
                quote!(#local)
            }
            SeriesId::Given(i) => {
                let i = index(i);
                quote!(given[#i][#k])
            }
        }
    }

    /// The statement that sets coefficient `k` of operation `i`.
    fn set(&self, i: usize, k: TokenStream, value: TokenStream) -> TokenStream {
        if self.kept[i] {
            let row = self.row(i);
            quote!(#row[#k] = #value;)
        } else {
            let local = self.local(i);
            quote!(let #local = #value;)
        }
    }

    /// Coefficient 0 of operation `i`.
    pub(super) fn first(&self, i: usize) -> TokenStream {
        let set = |value| self.set(i, quote!(0), value);
        let at = |series| self.at(series, &quote!(0));
        match &self.formula.program.ops[i] {
            SeriesOp::Linear { constant, terms } => set(self.formula.linear(*constant, terms, &at)),
            SeriesOp::Times(polynomial, x) => set(self.formula.scaled(polynomial[0], &at(*x))),
            op => op
                .rules(SeriesId::Op(i))
                .map_or(TokenStream::new(), |(initial, _)| set(self.formula.first(&initial, &at))),
        }
    }

    /// What the later coefficients of operation `i` need of coefficients 0.
    pub(super) fn prepare(&self, i: usize) -> TokenStream {
        let rules = self.formula.program.ops[i].rules(SeriesId::Op(i));
        rules.map_or(TokenStream::new(), |(_, rule)| {
            self.formula.prepare(i, &rule, &|series| self.at(series, &quote!(0)))
        })
    }

    /// Coefficient `k ≥ 1` of operation `i`.
    pub(super) fn later(&self, i: usize) -> TokenStream {
        let set = |value| self.set(i, quote!(k), value);
        let at = |series| self.at(series, &quote!(k));
        match &self.formula.program.ops[i] {
            SeriesOp::Linear { terms, .. } => set(self.formula.linear(None, terms, &at)),
            SeriesOp::Times(polynomial, x) => {
                let lower = polynomial.iter().enumerate().skip(1).rev().map(|(j, &c)| {
                    let j = index(j);
                    let term = self.formula.scaled(c, &self.at(*x, &quote!(k - #j)));
                    quote!(if k >= #j { value = value + #term; })
                });
                let newest = self.formula.scaled(polynomial[0], &at(*x));
                let sum = set(quote!(value + #newest));
                quote! {
                    let mut value = T::real(-0.0);
                    #(#lower)*
                    #sum
                }
            }
            op => op.rules(SeriesId::Op(i)).map_or(TokenStream::new(), |(_, rule)| {
                let (statements, sums) = self.sums(&rule);
                let mean = rule.mean.then(|| quote!(T::real(1.0 / k as f64)));
                let value = set(self.formula.later(i, &rule, sums, &at, mean));
                quote!(#statements #value)
            }),
        }
    }

    /// Statements that sum, and where the sums are then found.
    fn sums(&self, rule: &Recurrence) -> (TokenStream, Sums) {
        let accumulator = |i: usize| format_ident!("sum{i}");
        if rule.convolutions().all(Convolution::is_symmetric) {
            let first = index(rule.convolutions().map(|c| c.first).max().unwrap_or(0));
            let start = rule.convolutions().enumerate().map(|(i, _)| accumulator(i));
            let terms = rule.convolutions().enumerate().map(|(i, c)| {
                let sum = accumulator(i);
                let (x, y) = (self.at(c.left, &quote!(j)), self.at(c.right, &quote!(k - j)));
                quote!(#sum = #sum + #x * #y;)
            });
            let statements = quote! {
                #(let mut #start = T::real(-0.0);)*
                for j in (#first..k.div_ceil(2)).rev() {
                    #(#terms)*
                }
            };
            let pairs = formula::signed(rule, |i, _| {
                let sum = accumulator(i);
                Some(quote!(#sum))
            });
            let middle = formula::signed(rule, |_, c| {
                let (x, y) = (self.at(c.left, &quote!(k / 2)), self.at(c.right, &quote!(k / 2)));
                Some(quote!(#x * #y))
            });
            let middle = middle.map(|m| quote!(if k % 2 == 0 { #m } else { T::real(-0.0) }));
            let middle = middle.map(|m| quote!((#m)));
            return (statements, Sums::Halved { pairs, middle });
        }
        let Some(c) = rule.convolutions().next() else {
            return (TokenStream::new(), Sums::Full(super::real(0.0)));
        };
        let (first, omit) = (index(c.first), index(c.omit));
        let term = |j: TokenStream| {
            let (x, y) = (self.at(c.left, &j), self.at(c.right, &quote!(k - (#j))));
            formula::term(formula::weight(&c.weight, &j), &x, &y)
        };
        let (middle, low, high) =
            (term(quote!(#first + half)), term(quote!(#first + i)), term(quote!(last - i)));
        let statements = quote! {
            let last = k - #omit;
            let count = (last + 1).saturating_sub(#first);
            let half = count / 2;
            let (mut low, mut high) = (T::real(-0.0), T::real(-0.0));
            if count % 2 == 1 {
                low = low + #middle;
            }
            for i in (0..half).rev() {
                low = low + #low;
                high = high + #high;
            }
        };
        (statements, Sums::Full(quote!(low + high)))
    }
}
