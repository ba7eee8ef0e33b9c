//! Programs as Rust source: straight-line kernels of one order, loops for any
//! order, and closed forms. Output depends on nothing but the program. [`c`]
//! prints generated Rust as C, [`concrete()`] makes kernels ready for that.
//!
//! Kernels work in any number type `T: Real`. The module that includes them
//! provides that trait, with arithmetic and `T::real(f64)`, and elementary
//! functions by their bare names (`sqrt`, `exp`, `ln`, `sin`, `cos`, `pow`).

pub mod c;
mod chosen;
mod closed_form;
mod concrete;
mod first_integral;
mod flatten;
mod formula;
pub mod kernels;
mod loops;
mod names;
mod reachable;
mod rolled;
mod scalars;
mod staged;
mod unrolled;

pub use chosen::chosen;
pub(crate) use closed_form::{is_planar_result, planar_choice, planar_form};
pub use concrete::concrete;
pub use first_integral::first_integral;
pub(crate) use flatten::{Instance, flattened};
pub use reachable::reachable;
pub use rolled::rolled;
pub use scalars::constants;
pub(crate) use scalars::{assignments, reference, used};
pub use staged::staged;
pub use unrolled::unrolled;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use crate::Error;
use crate::program::Function;

/// Prints items as a formatted Rust file under a head of `//` lines.
///
/// # Errors
/// [`Error::Emit`] if the items are not Rust.
pub fn file(head: &str, items: impl IntoIterator<Item = TokenStream>) -> Result<String, Error> {
    let items: TokenStream = items.into_iter().collect();
    let parsed = syn::parse2(items).map_err(|e| Error::Emit(e.to_string()))?;
    let head: String =
        head.lines().map(|line| format!("// {line}").trim_end().to_owned() + "\n").collect();
    Ok(format!("{head}\n{}", prettyplease::unparse(&parsed)))
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// An index or a length.
pub(crate) fn index(i: usize) -> Literal {
    Literal::usize_unsuffixed(i)
}

/// A constant of the number type that a kernel works in.
fn real(value: f64) -> TokenStream {
    let value = float(value);
    quote!(T::real(#value))
}

/// A float literal, negative ones in parentheses.
pub(crate) fn float(value: f64) -> TokenStream {
    let size = Literal::f64_unsuffixed(value.abs());
    if value.is_sign_negative() { quote!((-#size)) } else { quote!(#size) }
}

/// An integer literal, negative ones in parentheses.
pub(crate) fn signed(value: i32) -> TokenStream {
    let size = Literal::u32_unsuffixed(value.unsigned_abs());
    if value < 0 { quote!((-#size)) } else { quote!(#size) }
}

/// The same of single precision.
pub(crate) fn single(value: f32) -> TokenStream {
    let size = Literal::f32_unsuffixed(value.abs());
    if value.is_sign_negative() { quote!((-#size)) } else { quote!(#size) }
}

fn call(function: Function, x: &TokenStream) -> TokenStream {
    let name = ident(match function {
        Function::Log => "ln",
        other => other.name(),
    });
    quote!(#name(#x))
}

/// A sum in a balanced tree, so that its additions do not wait for each other.
fn balanced_sum(terms: &[TokenStream]) -> TokenStream {
    match terms {
        [] => real(0.0),
        [one] => one.clone(),
        [x, y] => quote!(#x + #y),
        _ => {
            let (left, right) = terms.split_at(terms.len() / 2);
            let (left, right) = (balanced_sum(left), balanced_sum(right));
            quote!((#left) + (#right))
        }
    }
}

pub(crate) fn doc(lines: impl IntoIterator<Item = String>) -> TokenStream {
    lines
        .into_iter()
        .map(|line| {
            let line = format!(" {line}");
            quote!(#[doc = #line])
        })
        .collect()
}
