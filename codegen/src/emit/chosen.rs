//! One kernel for any order: straight-line code where there is some, loops
//! otherwise.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::formula::Formula;
use super::{doc, index};
use crate::program::SeriesProgram;

/// `fn NAME(constants, start, order, rows)`: calls the kernels that
/// [`unrolled`](super::unrolled) makes of the given orders, and the one that
/// [`rolled`](super::rolled) makes for all others.
pub fn chosen(name: &str, program: &SeriesProgram, orders: &[usize]) -> TokenStream {
    let (argument, unpacked) = Formula::new(program).argument();
    let constants = if unpacked.is_empty() { quote!() } else { quote!(constants,) };
    let arms = orders.iter().map(|&order| {
        let kernel = format_ident!("{name}_{order}");
        let order = index(order);
        quote! {
            #order => if let Some(rows) = rows.first_chunk_mut() {
                return #kernel(#constants start, rows);
            }
        }
    });
    let (function, any) = (format_ident!("{name}"), format_ident!("{name}_any"));
    let states = index(program.states.len());
    let lines = doc([
        format!("Taylor coefficients 0 to `order` below `LENGTH` in `{}`,", program.variable),
        "in straight-line code if there is some of that order.".to_owned(),
    ]);
    quote! {
        #lines
        pub fn #function<T: Real, const LENGTH: usize>(
            #argument
            start: &[T; #states],
            order: usize,
            rows: &mut [[T; #states]; LENGTH],
        ) {
            match order {
                #(#arms)*
                _ => {}
            }
            #any(#constants start, order, rows)
        }
    }
}
