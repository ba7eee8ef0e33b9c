//! The integrands of the first integral as one function of the parameters.

use proc_macro2::TokenStream;
use quote::quote;

use super::{doc, ident, index, scalars};
use crate::program::ScalarProgram;

/// `fn half_angle(parameters…) -> HalfAngle`, with a field for each group of
/// outputs whose names differ in their index only.
pub fn first_integral(program: &ScalarProgram) -> TokenStream {
    let mut groups: Vec<(&str, Vec<TokenStream>)> = Vec::new();
    for (name, id) in &program.outputs {
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let value = scalars::reference(&program.graph, *id);
        match groups.last_mut() {
            Some((group, values)) if *group == name => values.push(value),
            _ => groups.push((name, vec![value])),
        }
    }
    let fields: Vec<_> = groups.iter().map(|(name, _)| ident(name)).collect();
    let sizes = groups.iter().map(|(_, values)| index(values.len()));
    let values = groups.iter().map(|(_, values)| quote!([#(#values),*]));
    let inputs = program.graph.inputs.iter().map(|i| ident(i));
    let body = scalars::statements(&program.graph);
    let lines = doc([
        "The flow in the principal axes of `b`, `m = μ b`, `δ = m1 − m2`, `u = tan(φ/2)`:"
            .to_owned(),
        "`∫ g/f dφ = ∫ circle u/(1 + u²) + growth/turning du`, `τ = ∫ time/turning du`,".to_owned(),
        format!("each a polynomial in `u`, lowest power first ({}).", program.graph.operations()),
    ]);
    quote! {
        /// Polynomials in `u = tan(φ/2)`.
        #[derive(Clone, Copy, Debug)]
        pub struct HalfAngle {
            #(pub #fields: [f64; #sizes]),*
        }

        #lines
        pub fn half_angle(#(#inputs: f64),*) -> HalfAngle {
            #body
            HalfAngle { #(#fields: #values),* }
        }
    }
}
