//! A kernel of any order as loops over coefficients.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{call, doc, float, index, names, scalars};
use crate::Error;
use crate::program::{
    Convolution, Initial, ORDERS, ScalarId, SeriesId, SeriesOp, SeriesProgram, Weight,
};

/// `fn NAME_any(constants, start, order, rows)`: the same coefficients as a straight-line
/// kernel, to an order chosen at run time and at most 64.
///
/// # Errors
/// [`Error::Name`] for a name that emitted code cannot have.
pub fn rolled(name: &str, program: &SeriesProgram) -> Result<TokenStream, Error> {
    names::check(program)?;
    let rolled = Rolled { program, constants: scalars::used(program) };
    let (highest, length) = (index(*ORDERS.end()), index(ORDERS.end() + 1));
    let series = (0..program.ops.len()).map(|i| {
        let name = rolled.row(SeriesId::Op(i));
        quote!(let mut #name = [0.0; #length];)
    });
    let rows: Vec<_> = (0..program.states.len()).map(|i| rolled.row(SeriesId::State(i))).collect();
    let starts = rows.iter().enumerate().map(|(i, row)| {
        let i = index(i);
        quote!(#row[0] = start[#i];)
    });
    let operations = (0..program.ops.len()).map(|i| rolled.operation(i));
    let advances = program.states.iter().enumerate().map(|(i, state)| {
        let (row, rate) = (&rows[i], rolled.row(state.rate));
        quote!(#row[k + 1] = #rate[k] / (k + 1) as f64;)
    });
    let states = index(program.states.len());
    let function = format_ident!("{name}_any");
    let argument = match rolled.constants.len() {
        0 => quote!(),
        size => {
            let size = index(size);
            quote!(constants: &[f64; #size],)
        }
    };
    let lines = doc([format!(
        "Taylor coefficients 0 to `order`, at most {highest}, in `{}`.",
        program.variable
    )]);
    Ok(quote! {
        #lines
        pub fn #function(
            #argument
            start: &[f64; #states],
            order: usize,
            rows: &mut [[f64; #length]; #states],
        ) {
            let order = order.min(#highest);
            #(#series)*
            let [#(#rows),*] = rows;
            #(#starts)*
            for k in 0..order {
                #(#operations)*
                #(#advances)*
            }
        }
    })
}

struct Rolled<'a> {
    program: &'a SeriesProgram,
    constants: Vec<ScalarId>,
}

impl Rolled<'_> {
    fn row(&self, series: SeriesId) -> Ident {
        match series {
            SeriesId::State(i) => format_ident!("{}_", self.program.states[i].name),
            SeriesId::Op(i) => format_ident!("u{i}_"),
        }
    }

    fn constant(&self, id: ScalarId) -> TokenStream {
        match self.program.scalars.number(id) {
            Some(n) => float(n.to_f64()),
            None => {
                let i = index(self.constants.binary_search(&id).unwrap_or_default());
                quote!(constants[#i])
            }
        }
    }

    fn operation(&self, i: usize) -> TokenStream {
        let this = SeriesId::Op(i);
        let row = self.row(this);
        let op = &self.program.ops[i];
        if let SeriesOp::Linear { constant, terms } = op {
            let start = constant.map(|c| {
                let c = self.constant(c);
                quote!(if k == 0 { #c } else { 0.0 })
            });
            let terms = terms.iter().map(|&(f, x)| {
                let (f, x) = (self.constant(f), self.row(x));
                quote!(#f * #x[k])
            });
            let all = start.into_iter().chain(terms);
            return quote!(#row[k] = 0.0 #(+ #all)*;);
        }
        let Some((initial, rule)) = op.rules(this) else { return TokenStream::new() };
        let first = self.first(&initial);
        let sum = self.convolution(&rule.convolution);
        let sum = if rule.mean { quote!(#sum / k as f64) } else { sum };
        let lead = rule.lead.map_or(quote!(0.0), |x| {
            let x = self.row(x);
            quote!(#x[k])
        });
        let sum = if rule.subtract { quote!(#lead - #sum) } else { quote!(#lead + #sum) };
        let value = match rule.divisor {
            Some((n, d)) => {
                let (n, d) = (float(n as f64), self.row(d));
                quote!((#sum) / (#n * #d[0]))
            }
            None => sum,
        };
        quote!(#row[k] = if k == 0 { #first } else { #value };)
    }

    fn first(&self, initial: &Initial) -> TokenStream {
        let at = |series| {
            let row = self.row(series);
            quote!(#row[0])
        };
        match initial {
            Initial::Product(x, y) => {
                let (x, y) = (at(*x), at(*y));
                quote!(#x * #y)
            }
            Initial::Quotient(x, y) => {
                let (x, y) = (x.map_or(quote!(1.0), at), at(*y));
                quote!(#x / #y)
            }
            Initial::Power(x, alpha) => {
                let (x, alpha) = (at(*x), float(alpha.to_f64()));
                quote!(pow(#x, #alpha))
            }
            Initial::Apply(function, x) => call(*function, &at(*x)),
        }
    }

    fn convolution(&self, c: &Convolution) -> TokenStream {
        let (first, omit) = (index(c.first), index(c.omit));
        let (left, right) = (self.row(c.left), self.row(c.right));
        if c.is_symmetric() {
            return quote! {{
                let pairs: f64 = (#first..k.div_ceil(2)).map(|j| #left[j] * #left[k - j]).sum();
                2.0 * pairs + if k % 2 == 0 { #left[k / 2] * #left[k / 2] } else { 0.0 }
            }};
        }
        let weight = match &c.weight {
            Weight::One => quote!(),
            Weight::Index => quote!(j as f64 *),
            Weight::Power(alpha) => {
                let alpha = float(alpha.to_f64());
                quote!((#alpha * j as f64 - (k - j) as f64) *)
            }
        };
        let last = if c.omit == 0 { quote!(k) } else { quote!(k - #omit) };
        quote!((#first..=#last).map(|j| #weight #left[j] * #right[k - j]).sum::<f64>())
    }
}
