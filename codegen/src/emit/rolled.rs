//! A kernel of any order as loops over coefficients.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::loops::{Loops, Storage};
use super::{doc, index, names};
use crate::Error;
use crate::program::SeriesProgram;

/// `fn NAME_any(constants, start, order, rows)`: the same coefficients as a
/// straight-line kernel, to an order chosen at run time for which there are
/// rows.
///
/// ```
/// use routh_codegen::{derivations::Derivations, emit};
/// let program = Derivations::committed()?.sliding;
/// let parts = [emit::constants("slide", &program)?, emit::rolled("slide", &program)?];
/// let source = emit::file("an expansion of any order", parts)?;
/// assert!(source.contains("fn slide_constants") && source.contains("fn slide_any"));
/// # Ok::<(), routh_codegen::Error>(())
/// ```
///
/// # Errors
/// [`Error::Name`] for a name that emitted code cannot have,
/// [`Error::Unsupported`] for a system that needs series from elsewhere.
pub fn rolled(name: &str, program: &SeriesProgram) -> Result<TokenStream, Error> {
    names::check_whole(program)?;
    let rolled = Loops::new(program, Storage::Locals);
    let series = (0..program.ops.len()).filter(|&i| rolled.kept[i]).map(|i| {
        let row = rolled.row(i);
        quote!(let mut #row = [T::real(0.0); LENGTH];)
    });
    let first = (0..program.ops.len()).map(|i| {
        let (first, prepare) = (rolled.first(i), rolled.prepare(i));
        quote!(#first #prepare)
    });
    let later = (0..program.ops.len()).map(|i| rolled.later(i));
    let rates = |k: TokenStream| -> Vec<_> {
        program.states.iter().map(|state| rolled.at(state.rate, &k)).collect()
    };
    let (rates_0, rates_k) = (rates(quote!(0)), rates(quote!(k)));
    let states = index(program.states.len());
    let function = format_ident!("{name}_any");
    let (argument, constants) = rolled.formula.argument();
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
