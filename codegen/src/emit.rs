//! Programs as Rust source: straight-line kernels of one order, loops for any
//! order, and closed forms. Output depends on nothing but the program. [`c`]
//! prints generated Rust as C, [`concrete()`] makes kernels ready for that.
//!
//! Kernels work in any number type `T: Real`. The module that includes them
//! provides that trait, with arithmetic and `T::real(f64)`, and elementary
//! functions by their bare names (`sqrt`, `exp`, `ln`, `sin`, `cos`, `pow`).

#[cfg(feature = "robots")]
pub mod c;
mod chosen;
mod closed_form;
#[cfg(feature = "robots")]
mod concrete;
mod first_integral;
#[cfg(feature = "robots")]
mod flatten;
mod formula;
pub mod kernels;
mod loops;
mod names;
#[cfg(feature = "robots")]
mod reachable;
mod rolled;
mod scalars;
mod staged;
mod unrolled;

pub use chosen::chosen;
pub(crate) use closed_form::{is_planar_result, planar_choice, planar_form};
#[cfg(feature = "robots")]
pub use concrete::concrete;
pub use first_integral::first_integral;
#[cfg(feature = "robots")]
pub(crate) use flatten::{Instance, flattened};
#[cfg(feature = "robots")]
pub use reachable::reachable;
pub use rolled::rolled;
pub use scalars::constants;
#[cfg(feature = "robots")]
pub(crate) use scalars::used;
pub(crate) use scalars::{assignments, reference};
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
    let head: String =
        head.lines().map(|line| format!("// {line}").trim_end().to_owned() + "\n").collect();
    Ok(format!("{head}\n{}", formatted(items)?))
}

#[cfg(feature = "robots")]
fn formatted(items: TokenStream) -> Result<String, Error> {
    let parsed = syn::parse2(items).map_err(|e| Error::Emit(e.to_string()))?;
    Ok(prettyplease::unparse(&parsed))
}

/// A statement a line. What is only compiled needs no more, and a parser of all of Rust
/// takes longer to build than the rest of this crate.
#[cfg(not(feature = "robots"))]
fn formatted(items: TokenStream) -> Result<String, Error> {
    let mut text = String::new();
    lines(items, 0, &mut text);
    Ok(text)
}

#[cfg(not(feature = "robots"))]
fn lines(tokens: TokenStream, depth: usize, text: &mut String) {
    use proc_macro2::{Delimiter, TokenTree};
    let add = |line: &str, text: &mut String| {
        *text += &format!("{}{line}\n", "    ".repeat(depth));
    };
    let mut line = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Group(block) if block.delimiter() == Delimiter::Brace => {
                add(&format!("{line} {{"), text);
                lines(block.stream(), depth + 1, text);
                add("}", text);
                line = TokenStream::new();
            }
            TokenTree::Punct(end) if end.as_char() == ';' => {
                add(&format!("{line};"), text);
                line = TokenStream::new();
            }
            other => line.extend([other]),
        }
    }
    if !line.is_empty() {
        add(&line.to_string(), text);
    }
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
#[cfg(feature = "robots")]
pub(crate) fn signed(value: i32) -> TokenStream {
    let size = Literal::u32_unsuffixed(value.unsigned_abs());
    if value < 0 { quote!((-#size)) } else { quote!(#size) }
}

/// The same of single precision.
#[cfg(feature = "robots")]
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
