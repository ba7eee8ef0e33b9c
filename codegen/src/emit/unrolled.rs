//! A kernel of one order as straight-line code: every coefficient is a local.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{balanced_sum, call, doc, float, index, names, scalars};
use crate::Error;
use crate::program::{
    Initial, Number, ORDERS, Recurrence, ScalarId, SeriesId, SeriesOp, SeriesProgram,
};

/// `fn NAME_ORDER(k, start, rows)`: Taylor coefficients 0 to `order` of every
/// unknown, at the head of rows with room for the highest order.
///
/// # Errors
/// [`Error::Order`] for an order outside [`ORDERS`], [`Error::Name`] for a name
/// that emitted code cannot have.
pub fn unrolled(name: &str, program: &SeriesProgram, order: usize) -> Result<TokenStream, Error> {
    if !ORDERS.contains(&order) {
        return Err(Error::Order(order));
    }
    names::check(program)?;
    let kernel = Kernel { program, constants: scalars::used(program) };
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
    let stores = (0..program.states.len()).map(|i| {
        let row = (0..=order).map(|k| kernel.local(SeriesId::State(i), k));
        let (i, length) = (index(i), index(order + 1));
        quote!(rows[#i][..#length].copy_from_slice(&[#(#row),*]);)
    });
    let function = format_ident!("{name}_{order}");
    let (states, length) = (index(program.states.len()), index(ORDERS.end() + 1));
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
    let (constants, argument) = kernel.argument();
    Ok(quote! {
        #lines
        pub fn #function(#argument start: &[f64; #states], rows: &mut [[f64; #length]; #states]) {
            #constants
            #body
            #(#stores)*
        }
    })
}

struct Kernel<'a> {
    program: &'a SeriesProgram,
    constants: Vec<ScalarId>,
}

impl Kernel<'_> {
    /// The parameter `k` and its unpacking, if the program has constants.
    fn argument(&self) -> (TokenStream, TokenStream) {
        if self.constants.is_empty() {
            return Default::default();
        }
        let names = (0..self.constants.len()).map(|i| format_ident!("k{i}"));
        let size = index(self.constants.len());
        (quote!(let [#(#names),*] = *k;), quote!(k: &[f64; #size],))
    }

    fn local(&self, series: SeriesId, k: usize) -> Ident {
        match series {
            SeriesId::State(i) => format_ident!("{}_{k}", self.program.states[i].name),
            SeriesId::Op(i) => format_ident!("u{i}_{k}"),
        }
    }

    fn constant(&self, id: ScalarId) -> TokenStream {
        match self.program.scalars.number(id) {
            Some(n) => float(n.to_f64()),
            None => {
                let i = self.constants.binary_search(&id).unwrap_or_default();
                let name = format_ident!("k{i}");
                quote!(#name)
            }
        }
    }

    /// `factor · x`, without a multiplication by ±1.
    fn scaled(&self, factor: ScalarId, x: &Ident) -> TokenStream {
        match self.program.scalars.number(factor) {
            Some(n) if n.is_one() => quote!(#x),
            Some(n) if *n == Number::from(-1) => quote!(-#x),
            _ => {
                let factor = self.constant(factor);
                quote!(#factor * #x)
            }
        }
    }

    fn advance(&self, i: usize, k: usize) -> TokenStream {
        let state = self.local(SeriesId::State(i), k + 1);
        let rate = self.local(self.program.states[i].rate, k);
        if k == 0 {
            return quote!(let #state = #rate;);
        }
        let inverse = float(1.0 / (k + 1) as f64);
        quote!(let #state = #rate * #inverse;)
    }

    fn operation(&self, i: usize, k: usize) -> TokenStream {
        let this = SeriesId::Op(i);
        let name = self.local(this, k);
        match (&self.program.ops[i], self.program.ops[i].rules(this)) {
            (SeriesOp::Linear { constant, terms }, _) => {
                let constant = constant.filter(|_| k == 0).map(|c| self.constant(c));
                let terms = terms.iter().map(|&(f, x)| self.scaled(f, &self.local(x, k)));
                let sum = balanced_sum(&constant.into_iter().chain(terms).collect::<Vec<_>>());
                quote!(let #name = #sum;)
            }
            (_, Some((initial, rule))) if k == 0 => self.first(i, &name, &initial, &rule),
            (_, Some((_, rule))) => self.later(i, &name, &rule, k),
            (_, None) => TokenStream::new(),
        }
    }

    fn first(&self, i: usize, name: &Ident, initial: &Initial, rule: &Recurrence) -> TokenStream {
        let at = |series| self.local(series, 0);
        let value = match initial {
            Initial::Product(x, y) => {
                let (x, y) = (at(*x), at(*y));
                quote!(#x * #y)
            }
            Initial::Quotient(x, y) => {
                let y = at(*y);
                let x = x.map_or(quote!(1.0), |x| {
                    let x = at(x);
                    quote!(#x)
                });
                quote!(#x / #y)
            }
            Initial::Power(x, alpha) => {
                let (x, alpha) = (at(*x), float(alpha.to_f64()));
                quote!(pow(#x, #alpha))
            }
            Initial::Apply(function, x) => {
                let x = at(*x);
                call(*function, &quote!(#x))
            }
        };
        let inverse = rule.divisor.map(|(n, d)| {
            let inverse = format_ident!("inverse{i}");
            let (scale, d) = (float(1.0 / n as f64), at(d));
            quote!(let #inverse = #scale / #d;)
        });
        quote!(let #name = #value; #inverse)
    }

    fn later(&self, i: usize, name: &Ident, rule: &Recurrence, k: usize) -> TokenStream {
        let sum = self.convolution(rule, k);
        let sum = match rule.mean && k > 1 {
            true => {
                let inverse = float(1.0 / k as f64);
                quote!((#sum) * #inverse)
            }
            false => sum,
        };
        let lead = rule.lead.map(|x| self.local(x, k));
        let sum = match (lead, rule.subtract) {
            (Some(x), true) => quote!(#x - (#sum)),
            (Some(x), false) => quote!(#x + (#sum)),
            (None, true) => quote!(-(#sum)),
            (None, false) => sum,
        };
        match rule.divisor {
            Some(_) => {
                let inverse = format_ident!("inverse{i}");
                quote!(let #name = (#sum) * #inverse;)
            }
            None => quote!(let #name = #sum;),
        }
    }

    fn convolution(&self, rule: &Recurrence, k: usize) -> TokenStream {
        let c = &rule.convolution;
        let product = |left: usize, right: usize| {
            let (x, y) = (self.local(c.left, left), self.local(c.right, right));
            quote!(#x * #y)
        };
        let terms = c.terms(k);
        if c.is_symmetric() {
            let (pairs, middle): (Vec<_>, Vec<_>) = terms.iter().partition(|t| t.left != t.right);
            let pairs: Vec<_> = pairs.iter().map(|t| product(t.left, t.right)).collect();
            let middle = middle.first().map(|t| product(t.left, t.right));
            return match (pairs.is_empty(), middle) {
                (true, middle) => middle.unwrap_or_else(|| quote!(0.0)),
                (false, middle) => {
                    let pairs = balanced_sum(&pairs);
                    let middle = middle.map(|m| quote!(+ #m));
                    quote!(2.0 * (#pairs) #middle)
                }
            };
        }
        let terms: Vec<_> = terms
            .iter()
            .map(|t| {
                let product = product(t.left, t.right);
                if t.factor.is_one() {
                    return product;
                }
                let factor = float(t.factor.to_f64());
                quote!(#factor * (#product))
            })
            .collect();
        balanced_sum(&terms)
    }
}
