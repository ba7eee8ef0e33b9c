//! A kernel of one order as straight-line code: every coefficient is a local.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::formula::{self, Formula, Sums};
use super::{doc, index, names, real};
use crate::Error;
use crate::program::{Convolution, ORDERS, Recurrence, SeriesId, SeriesOp, SeriesProgram};

/// `fn NAME_ORDER(constants, start, rows)`: Taylor coefficients 0 to `order` of
/// every unknown, a row for each order.
///
/// # Errors
/// [`Error::Order`] for an order outside [`ORDERS`], [`Error::Name`] for a name
/// that emitted code cannot have, [`Error::Unsupported`] for a system that needs
/// series from elsewhere.
pub fn unrolled(name: &str, program: &SeriesProgram, order: usize) -> Result<TokenStream, Error> {
    if !ORDERS.contains(&order) {
        return Err(Error::Order(order));
    }
    names::check_whole(program)?;
    let kernel = Kernel(Formula::new(program));
    let mut body = TokenStream::new();
    for (i, _) in program.states.iter().enumerate() {
        let first = kernel.local(SeriesId::State(i), 0);
        let i = index(i);
        body.extend(quote!(let #first = start[#i];));
    }
    for k in 0..order {
        body.extend((0..program.ops.len()).map(|i| kernel.operation(i, k)));
        body.extend((0..program.states.len()).map(|i| kernel.advance(i, k)));
    }
    let stores = (0..=order).map(|k| {
        let row = (0..program.states.len()).map(|i| kernel.local(SeriesId::State(i), k));
        quote!([#(#row),*])
    });
    let function = format_ident!("{name}_{order}");
    let (states, length) = (index(program.states.len()), index(order + 1));
    let names: Vec<_> = program.states.iter().map(|s| s.name.as_str()).collect();
    let lines = doc([
        format!(
            "Taylor coefficients 0 to {order} in `{}` of `{}`.",
            program.variable,
            names.join("`, `")
        ),
        String::new(),
        format!("{}.", program.operations(order)),
    ]);
    let (argument, constants) = kernel.0.argument();
    Ok(quote! {
        #lines
        pub fn #function<T: Real>(
            #argument
            start: &[T; #states],
            rows: &mut [[T; #states]; #length],
        ) {
            #constants
            #body
            *rows = [#(#stores),*];
        }
    })
}

struct Kernel<'a>(Formula<'a>);

impl Kernel<'_> {
    fn local(&self, series: SeriesId, k: usize) -> TokenStream {
        let name = match series {
            SeriesId::State(i) => format_ident!("{}_{k}", self.0.program.states[i].name),
            SeriesId::Op(i) => format_ident!("u{i}_{k}"),
            SeriesId::Given(i) => format_ident!("{}_{k}", self.0.program.given[i]),
        };
        quote!(#name)
    }

    fn advance(&self, i: usize, k: usize) -> TokenStream {
        let state = self.local(SeriesId::State(i), k + 1);
        let rate = self.local(self.0.program.states[i].rate, k);
        if k == 0 {
            return quote!(let #state = #rate;);
        }
        let inverse = real(1.0 / (k + 1) as f64);
        quote!(let #state = #rate * #inverse;)
    }

    fn operation(&self, i: usize, k: usize) -> TokenStream {
        let this = SeriesId::Op(i);
        let name = self.local(this, k);
        let at = |series| self.local(series, k);
        match &self.0.program.ops[i] {
            SeriesOp::Linear { constant, terms } => {
                let sum = self.0.linear(constant.filter(|_| k == 0), terms, &at);
                quote!(let #name = #sum;)
            }
            SeriesOp::Times(polynomial, x) => {
                // The newest coefficient comes last, so that it alone is waited for.
                let terms = polynomial.iter().enumerate().take(k + 1).rev();
                let terms = terms.map(|(j, &c)| self.0.scaled(c, &self.local(*x, k - j)));
                quote!(let #name = #(#terms)+*;)
            }
            op => {
                let Some((initial, rule)) = op.rules(this) else { return TokenStream::new() };
                if k == 0 {
                    let value = self.0.first(&initial, &at);
                    let prepare = self.0.prepare(i, &rule, &at);
                    return quote!(let #name = #value; #prepare);
                }
                let mean = (rule.mean && k > 1).then(|| real(1.0 / k as f64));
                let value = self.0.later(i, &rule, self.sums(&rule, k), &at, mean);
                quote!(let #name = #value;)
            }
        }
    }

    fn sums(&self, rule: &Recurrence, k: usize) -> Sums {
        if rule.convolutions().all(Convolution::is_symmetric) {
            let pairs = formula::signed(rule, |_, c| {
                let terms = (c.first..k.div_ceil(2)).rev().map(|j| self.term(c, j, k));
                chain(terms.collect())
            });
            let middle = formula::signed(rule, |_, c| {
                (k.is_multiple_of(2) && k / 2 >= c.first).then(|| self.term(c, k / 2, k))
            });
            return Sums::Halved { pairs, middle };
        }
        let sum = rule.convolutions().next().and_then(|c| {
            let (low, high) = halves(c, k);
            let low = chain(low.map(|j| self.term(c, j, k)).collect());
            let high = chain(high.map(|j| self.term(c, j, k)).collect());
            match (low, high) {
                (Some(low), Some(high)) => Some(quote!(#low + #high)),
                (low, _) => low,
            }
        });
        Sums::Full(sum.unwrap_or_else(|| real(0.0)))
    }

    fn term(&self, c: &Convolution, j: usize, k: usize) -> TokenStream {
        let factor = c.factor(j, k);
        let weight = (!factor.is_one()).then(|| real(factor.to_f64()));
        formula::term(weight, &self.local(c.left, j), &self.local(c.right, k - j))
    }
}

/// The terms of a full sum in two chains that do not wait for each other, each
/// ending with its newest coefficient.
fn halves(
    c: &Convolution,
    k: usize,
) -> (impl Iterator<Item = usize> + use<>, impl Iterator<Item = usize> + use<>) {
    let (first, last) = (c.first, k.saturating_sub(c.omit));
    let middle = (first + last) / 2;
    let empty = last < first;
    let low = if empty { first..first } else { first..middle + 1 };
    let high = if empty { first..first } else { middle + 1..last + 1 };
    (low.rev(), high)
}

fn chain(terms: Vec<TokenStream>) -> Option<TokenStream> {
    match &terms[..] {
        [] => None,
        [one] => Some(one.clone()),
        _ => Some(quote!((#(#terms)+*))),
    }
}
