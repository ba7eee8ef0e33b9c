//! A solver as one Rust file.

mod checks;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) use checks::{allowance, columns, slope_allowance};

use super::code::{Argument, Code};
use super::head::head;
use super::trial::samples::Samples;
use crate::emit::c::snake_case;
use crate::output::File;
use crate::robot::{Body, Plan};
use crate::{Error, Precision, emit};

pub(super) fn file(plan: &Plan, code: &Code, samples: &Samples) -> Result<File, Error> {
    let name = format_ident!("{}", plan.name);
    let external_functions = external_functions(plan.precision, code);
    let items = private_status(code);
    let public_functions = public_functions(plan, code);
    let tests = checks::tests(plan, code, samples);
    let lines = emit::doc([format!("Rigid impact with friction of `{}`.", plan.name)]);
    let module = quote! {
        #lines
        #[allow(
            clippy::all,
            clippy::pedantic,
            dead_code,
            unexpected_cfgs,
            unreachable_pub,
            unused_mut,
            unused_parens
        )]
        #[forbid(unsafe_code)]
        mod #name {
            #external_functions
            #(#items)*
            #public_functions
            #tests
        }

        #[allow(unreachable_pub, unused_imports)]
        pub use #name::*;
    };
    let text = emit::file(&head(plan, code), [module])?;
    Ok(File { name: format!("{}.rs", plan.name), text })
}

/// Elementary functions and bit patterns, as far as they are used.
fn external_functions(precision: Precision, code: &Code) -> TokenStream {
    let text = quote::ToTokens::to_token_stream(&code.file).to_string();
    let suffix = match precision {
        Precision::F64 => "",
        Precision::F32 => "f",
    };
    let functions = [("sqrt", "sqrt"), ("sin", "sin"), ("cos", "cos")];
    let used = functions.iter().filter(|(name, _)| text.contains(&format!("{name} (")));
    let functions = used.map(|(name, libm)| {
        let (name, libm) = (format_ident!("{name}"), format_ident!("{libm}{suffix}"));
        quote! {
            #[cfg(not(routh_libm))]
            fn #name(x: Real) -> Real {
                x.#name()
            }

            #[cfg(routh_libm)]
            fn #name(x: Real) -> Real {
                libm::#libm(x)
            }
        }
    });
    let bits = text.contains("bits (").then(|| {
        quote! {
            fn bits(x: Real) -> Bits {
                x.to_bits()
            }

            fn from_bits(pattern: Bits) -> Real {
                Real::from_bits(pattern)
            }
        }
    });
    quote!(#(#functions)* #bits)
}

/// The code with its status for itself: Rust has results.
fn private_status(code: &Code) -> Vec<syn::Item> {
    let mut items = code.file.items.clone();
    for item in &mut items {
        if let syn::Item::Enum(item) = item
            && item.ident == "Status"
        {
            item.vis = syn::Visibility::Inherited;
            item.attrs.retain(|a| !a.path().is_ident("doc"));
        }
        if let syn::Item::Type(item) = item
            && item.ident == "Real"
        {
            item.vis = syn::parse_quote!(pub);
        }
        if let syn::Item::Fn(item) = item
            && item.sig.ident == "dynamics"
        {
            item.vis = syn::Visibility::Inherited;
        }
    }
    items
}

fn variants_of<'a>(code: &'a Code, name: &str) -> impl Iterator<Item = &'a syn::Variant> {
    let found = code.file.items.iter().find_map(|item| match item {
        syn::Item::Enum(item) if item.ident == name => Some(item),
        _ => None,
    });
    found.into_iter().flat_map(|item| &item.variants)
}

/// The variants of the status but the first, with what they mean.
fn failures(code: &Code) -> Vec<(syn::Ident, String)> {
    let variants = variants_of(code, "Status").skip(1);
    variants.map(|variant| (variant.ident.clone(), meaning(&variant.attrs))).collect()
}

/// What doc comments say, as one line that begins in lower case.
fn meaning(attributes: &[syn::Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(syn::MetaNameValue {
            value: syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }),
            ..
        }) => Some(line.value().trim().to_owned()),
        _ => None,
    });
    let text = lines.collect::<Vec<_>>().join(" ");
    let text = text.trim_end_matches('.');
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |c| c.to_lowercase().chain(letters).collect())
}

/// `pub fn impact` and its error.
fn public_functions(plan: &Plan, code: &Code) -> TokenStream {
    let failures = failures(code);
    let (variants, meanings): (Vec<_>, Vec<_>) = failures.into_iter().unzip();
    let docs = meanings.iter().map(|m| emit::doc([format!("{}.", capital(m))]));
    let parameters = code.arguments.iter().map(|Argument { name, kind, .. }| {
        let name = format_ident!("{name}");
        quote!(#name: &#kind)
    });
    let names = code.arguments.iter().map(|a| format_ident!("{}", a.name));
    let modes: Vec<_> = variants_of(code, "Mode").map(|variant| &variant.ident).collect();
    let mode_names = modes.iter().map(|mode| snake_case(&mode.to_string()));
    let mut lines =
        vec!["The impact of the contact point with the ground.".to_owned(), String::new()];
    lines.extend(code.arguments.iter().map(|a| format!("- `{}`: {}", a.name, a.meaning)));
    let lines = emit::doc(lines);
    let qd = match plan.body {
        Body::Inertia(_) => quote!(),
        _ => quote!(qd: [0.0; VELOCITIES],),
    };
    let jacobian = plan.derivatives.then(|| {
        let size = plan.dimension.size();
        let (rows, columns) = (emit::index(size), emit::index(size + 2));
        quote!(jacobian: [[0.0; #columns]; #rows],)
    });
    let dynamics = matches!(plan.body, Body::Model { .. }).then(|| {
        quote! {
            impl Dynamics {
                /// The dynamics at given positions.
                pub fn at(q: &[Real; POSITIONS]) -> Self {
                    let mut out = NO_DYNAMICS;
                    dynamics(q, &mut out);
                    out
                }
            }
        }
    });
    quote! {
        /// Why an impact has no result.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Error {
            #(#docs #variants),*
        }

        impl core::fmt::Display for Error {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(match self {
                    #(Self::#variants => #meanings),*
                })
            }
        }

        impl core::error::Error for Error {}

        impl Mode {
            /// The mode's name.
            pub fn name(self) -> &'static str {
                match self {
                    #(Self::#modes => #mode_names),*
                }
            }
        }

        #lines
        pub fn impact(#(#parameters),*) -> Result<Impact, Error> {
            let mut out = Impact {
                velocity: [0.0; DIMENSION],
                impulse: [0.0; DIMENSION],
                compression_impulse: 0.0,
                normal_work: 0.0,
                friction_work: 0.0,
                energy_change: 0.0,
                critical_friction: 0.0,
                mode: Mode::Sticking,
                events: Events {
                        list: [Event { kind: EventKind::Halt, impulse: 0.0 }; MOST_EVENTS],
                        count: 0,
                    },
                steps: 0,
                #qd
                #jacobian
            };
            match solve(#(#names,)* &mut out) {
                Status::Solved => Ok(out),
                #(Status::#variants => Err(Error::#variants)),*
            }
        }

        #dynamics
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |c| c.to_uppercase().chain(letters).collect())
}
