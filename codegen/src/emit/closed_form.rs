//! Planar closed forms as functions, and the choice between them by mode and law.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{assignments, doc, index, reference};
use crate::derivations::{Law, PlanarMode};
use crate::program::ScalarProgram;
use crate::specialise::equations::{PLANAR_VARIED, PLANAR_VARIED_BY};

/// `fn NAME(approach, closed)`, with a parameter `jacobian` if there are derivatives.
pub(crate) fn planar_form(program: &ScalarProgram, derivatives: bool) -> TokenStream {
    let name = format_ident!("{}", program.name);
    let lines =
        doc([format!("{}: {}.", program.name.replace('_', " "), program.graph.operations())]);
    let body = assignments(&program.graph, &|input| {
        let field = format_ident!("{input}");
        quote!(approach.#field)
    });
    let stores = program.outputs.iter().filter_map(|(output, id)| {
        let (place, value) = (place(output)?, reference(&program.graph, *id));
        Some(quote!(#place = #value;))
    });
    let [parameter, _] = jacobian(derivatives);
    quote! {
        #lines
        fn #name(approach: &Approach, closed: &mut Closed #parameter) {
            #body
            #(#stores)*
        }
    }
}

/// Whether a result takes an output of a form.
pub(crate) fn is_planar_result(output: &str) -> bool {
    place(output).is_some()
}

/// Where a form's output belongs in the result.
fn place(output: &str) -> Option<TokenStream> {
    Some(match output {
        "normal_velocity" => quote!(closed.velocity[0]),
        "tangential_velocity" => quote!(closed.velocity[1]),
        "normal_impulse" => quote!(closed.impulse[0]),
        "tangential_impulse" => quote!(closed.impulse[1]),
        "compression_impulse" => quote!(closed.compression_impulse),
        "normal_work" => quote!(closed.normal_work),
        "friction_work" => quote!(closed.friction_work),
        "halt_impulse" => quote!(closed.halt_impulse),
        _ => {
            let (of, by) = output.split_once("_by_")?;
            let row = index(PLANAR_VARIED.iter().position(|name| *name == of)?);
            let column = index(PLANAR_VARIED_BY.iter().position(|name| *name == by)?);
            quote!(jacobian[#row][#column])
        }
    })
}

/// The Jacobian as a parameter and as an argument, if there is one.
fn jacobian(derivatives: bool) -> [Option<TokenStream>; 2] {
    let given = |tokens: TokenStream| derivatives.then_some(tokens);
    [given(quote!(, jacobian: &mut [[Real; 4]; 2])), given(quote!(, jacobian))]
}

/// `fn evaluate`: the closed form of a mode under a law, or under the only one.
pub(crate) fn planar_choice(
    visibility: &TokenStream,
    only: Option<Law>,
    derivatives: bool,
) -> TokenStream {
    let modes = [
        ("PermanentSliding", PlanarMode::PermanentSliding),
        ("StickingInCompression", PlanarMode::StickingInCompression),
        ("ReverseInCompression", PlanarMode::ReverseInCompression),
        ("StickingInRestitution", PlanarMode::StickingInRestitution),
        ("ReverseInRestitution", PlanarMode::ReverseInRestitution),
        ("Sticking", PlanarMode::Sticking),
        ("SlipFromRest", PlanarMode::PermanentSliding),
    ];
    let [parameter, argument] = &jacobian(derivatives);
    let under = |law: Law| {
        let arms = modes.iter().map(|(variant, mode)| {
            let variant = format_ident!("{variant}");
            let form = format_ident!("{}_{}", mode.name(), law.name());
            quote!(Mode::#variant => #form(approach, closed #argument),)
        });
        quote!(match mode { #(#arms)* })
    };
    let body = match only.map(under) {
        Some(only) => quote!(let _ = law; #only),
        None => {
            let [newton, poisson, energetic] = Law::ALL.map(under);
            quote! {
                match law {
                    Law::Newton => #newton,
                    Law::Poisson => #poisson,
                    Law::Energetic => #energetic,
                }
            }
        }
    };
    quote! {
        /// The closed form of a mode under a law.
        #visibility fn evaluate(
            approach: &Approach,
            mode: Mode,
            law: Law,
            closed: &mut Closed
            #parameter
        ) {
            #body
        }
    }
}
