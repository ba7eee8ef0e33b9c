//! A part of a larger system: its rates, one order at a time, so that what it
//! is given can depend on what it yields at lower orders.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::loops::{Loops, Storage};
use super::{doc, index, names};
use crate::Error;
use crate::program::SeriesProgram;

/// `struct NAME` with a method `rates(constants, given, unknowns, k)`: order
/// `k` of the rates from orders 0 to `k` of the given series and of those
/// unknowns that are read. It must be asked for one order after the other.
///
/// # Errors
/// [`Error::Name`] for a name that emitted code cannot have.
pub fn staged(name: &str, program: &SeriesProgram) -> Result<TokenStream, Error> {
    names::check(program)?;
    let staged = Loops::new(program, Storage::Memory);
    let all = 0..program.ops.len();
    let first = all.clone().map(|i| staged.first(i));
    let prepare = all.clone().map(|i| staged.prepare(i));
    let later = all.map(|i| staged.later(i));
    let rates = |k: TokenStream| -> Vec<_> {
        program.states.iter().map(|state| staged.at(state.rate, &k)).collect()
    };
    let (rates_0, rates_k) = (rates(quote!(0)), rates(quote!(k)));
    let structure = format_ident!("{name}");
    let kept = index(staged.kept.iter().filter(|kept| **kept).count());
    let read = staged.read();
    let given = array("given", program.given.len());
    let unknowns = array("unknowns", read.len());
    let (argument, constants) = staged.formula.argument();
    let names = |names: Vec<&str>| format!("`{}`", names.join("`, `"));
    let states = program.states.iter().map(|state| state.name.as_str());
    let lines =
        doc([format!("The rates in `{}` of {}.", program.variable, names(states.collect()))]);
    let mut told =
        vec![format!("given {}", names(program.given.iter().map(String::as_str).collect()))];
    if !read.is_empty() {
        let read = read.iter().map(|&i| program.states[i].name.as_str());
        told.push(format!("and the unknowns {}", names(read.collect())));
    }
    let asked = doc([format!("Their coefficients of order `k`, {}.", told.join(" "))]);
    let count = index(program.states.len());
    Ok(quote! {
        #lines
        #[derive(Clone, Debug)]
        pub struct #structure<T, const LENGTH: usize> {
            rows: [[T; LENGTH]; #kept],
        }

        impl<T: Real, const LENGTH: usize> #structure<T, LENGTH> {
            /// Nothing is known yet.
            pub fn new() -> Self {
                Self { rows: [[T::real(0.0); LENGTH]; #kept] }
            }

            #asked
            #[inline]
            pub fn rates(&mut self, #argument #given #unknowns k: usize) -> [T; #count] {
                #constants
                if k == 0 {
                    #(#first)*
                    return [#(#rates_0),*];
                }
                #(#prepare)*
                #(#later)*
                [#(#rates_k),*]
            }
        }
    })
}

/// A parameter that holds so many series, if there are any.
fn array(name: &str, count: usize) -> TokenStream {
    if count == 0 {
        return TokenStream::new();
    }
    let (name, count) = (format_ident!("{name}"), index(count));
    quote!(#name: [&[T]; #count],)
}
