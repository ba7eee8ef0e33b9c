//! A kernel of any order as loops over coefficients, which rounds as the
//! straight-line kernels do.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::formula::{self, Formula, Sums};
use super::{doc, index, names};
use crate::Error;
use crate::program::{Convolution, Recurrence, SeriesId, SeriesOp, SeriesProgram};

/// `fn NAME_any(constants, start, order, rows)`: the same coefficients as a
/// straight-line kernel, to an order chosen at run time for which there are
/// rows.
///
/// # Errors
/// [`Error::Name`] for a name that emitted code cannot have.
pub fn rolled(name: &str, program: &SeriesProgram) -> Result<TokenStream, Error> {
    names::check(program)?;
    let rolled = Rolled { formula: Formula::new(program), kept: kept(program) };
    let series = (0..program.ops.len()).filter(|&i| rolled.kept[i]).map(|i| {
        let row = rolled.row(i);
        quote!(let mut #row = [T::real(0.0); LENGTH];)
    });
    let first = (0..program.ops.len()).map(|i| rolled.first(i));
    let later = (0..program.ops.len()).map(|i| rolled.later(i));
    let rates = |k: TokenStream| -> Vec<_> {
        program.states.iter().map(|state| rolled.at(state.rate, &k)).collect()
    };
    let (rates_0, rates_k) = (rates(quote!(0)), rates(quote!(k)));
    let states = index(program.states.len());
    let function = format_ident!("{name}_any");
    let (argument, constants) = Formula::new(program).argument();
    let lines = doc([format!(
        "Taylor coefficients 0 to `order` below `LENGTH` in `{}`.",
        program.variable
    )]);
    Ok(quote! {
        #lines
        #[inline(always)]
        pub fn #function<T: Real, const LENGTH: usize>(
            #argument
            start: &[T; #states],
            order: usize,
            rows: &mut [[T; #states]; LENGTH],
        ) {
            #constants
            let order = order.min(LENGTH - 1);
            #(#series)*
            rows[0] = *start;
            #(#first)*
            rows[1] = [#(#rates_0),*];
            for k in 1..order {
                #(#later)*
                let next = T::real(1.0 / (k + 1) as f64);
                rows[k + 1] = [#(#rates_k * next),*];
            }
        }
    })
}

struct Rolled<'a> {
    formula: Formula<'a>,
    /// Which operations' lower coefficients are asked for again.
    kept: Vec<bool>,
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

impl Rolled<'_> {
    fn row(&self, i: usize) -> Ident {
        format_ident!("u{i}_")
    }

    fn at(&self, series: SeriesId, k: &TokenStream) -> TokenStream {
        match series {
            SeriesId::State(i) => {
                let i = index(i);
                quote!(rows[#k][#i])
            }
            SeriesId::Op(i) => {
                let row = self.row(i);
                if self.kept[i] { quote!(#row[#k]) } else { quote!(#row) }
            }
        }
    }

    /// The statement that sets coefficient `k` of operation `i`.
    fn set(&self, i: usize, k: TokenStream, value: TokenStream) -> TokenStream {
        let row = self.row(i);
        if self.kept[i] { quote!(#row[#k] = #value;) } else { quote!(let #row = #value;) }
    }

    fn first(&self, i: usize) -> TokenStream {
        let set = |value| self.set(i, quote!(0), value);
        let at = |series| self.at(series, &quote!(0));
        match &self.formula.program.ops[i] {
            SeriesOp::Linear { constant, terms } => set(self.formula.linear(*constant, terms, &at)),
            SeriesOp::Times(polynomial, x) => set(self.formula.scaled(polynomial[0], &at(*x))),
            op => op.rules(SeriesId::Op(i)).map_or(TokenStream::new(), |(initial, rule)| {
                let value = set(self.formula.first(&initial, &at));
                let prepare = self.formula.prepare(i, &rule, &at);
                quote!(#value #prepare)
            }),
        }
    }

    fn later(&self, i: usize) -> TokenStream {
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
