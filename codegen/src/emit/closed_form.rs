//! Planar closed forms as functions, and a table of them by mode and law.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{doc, ident, index, scalars};
use crate::derivations::{Law, PlanarForm, PlanarMode};

/// Results that only some modes have.
const OPTIONAL: &str = "halt_impulse";

/// The forms, the records they take and yield, and `PLANAR[mode][law]` in the
/// order of [`PlanarMode::ALL`] and [`Law::ALL`].
pub fn planar_forms(forms: &[PlanarForm]) -> TokenStream {
    let Some(halting) = forms.iter().max_by_key(|f| f.program.outputs.len()) else {
        return TokenStream::new();
    };
    let inputs = halting.program.graph.inputs.iter().map(|i| ident(i));
    let outputs = halting.program.outputs.iter().map(|(name, _)| {
        let field = ident(name);
        if name == OPTIONAL { quote!(pub #field: Option<f64>) } else { quote!(pub #field: f64) }
    });
    let functions = forms.iter().map(function);
    let (modes, laws) = (index(PlanarMode::ALL.len()), index(Law::ALL.len()));
    let rows = PlanarMode::ALL.map(|mode| {
        let row = Law::ALL.map(|law| format_ident!("{}_{}", mode.name(), law.name()));
        quote!([#(#row),*])
    });
    quote! {
        /// A planar contact before impact, and how the impact will end.
        #[derive(Clone, Copy, Debug)]
        pub struct PlanarInput {
            #(pub #inputs: f64),*
        }

        /// A planar impact's results.
        #[derive(Clone, Copy, Debug)]
        pub struct PlanarOutput {
            #(#outputs),*
        }

        #(#functions)*

        /// A planar closed form.
        pub type PlanarForm = fn(&PlanarInput) -> PlanarOutput;

        /// The closed forms by mode and law.
        pub const PLANAR: [[PlanarForm; #laws]; #modes] = [#(#rows),*];
    }
}

fn function(form: &PlanarForm) -> TokenStream {
    let program = &form.program;
    let name = ident(&program.name);
    let used: Vec<_> = program
        .graph
        .nodes
        .iter()
        .filter_map(|node| match node {
            crate::program::Scalar::Input(i) => Some(ident(&program.graph.inputs[*i])),
            _ => None,
        })
        .collect();
    let body = scalars::statements(&program.graph);
    let halt = match program.outputs.iter().any(|(name, _)| name == OPTIONAL) {
        true => quote!(),
        false => quote!(halt_impulse: None,),
    };
    let fields = program.outputs.iter().map(|(name, id)| {
        let (field, value) = (ident(name), scalars::reference(&program.graph, *id));
        if name == OPTIONAL { quote!(#field: Some(#value)) } else { quote!(#field: #value) }
    });
    let lines = doc([format!(
        "{} under the {} law: {}.",
        form.mode.name().replace('_', " "),
        form.law.name(),
        program.graph.operations()
    )]);
    quote! {
        #lines
        pub fn #name(input: &PlanarInput) -> PlanarOutput {
            let &PlanarInput { #(#used,)* .. } = input;
            #body
            PlanarOutput { #halt #(#fields),* }
        }
    }
}
