//! The runtime's files as the text of one solver: type parameters become what they are
//! there, and what belongs to derivatives stays or goes.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use routh_runtime::SOURCES;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, FnArg, GenericParam, Generics, Item, PathArguments, Stmt, Type, Visibility};

use crate::{Error, Precision};

/// What callers of a solver see.
const PUBLIC: [&str; 11] = [
    "Status",
    "Mode",
    "Law",
    "Restitution",
    "Friction",
    "EventKind",
    "Event",
    "Events",
    "MOST_EVENTS",
    "MOST_STEPS",
    "Impact",
];

/// Methods of the trait `Number`, which are functions of numbers alone.
const NUMBER: [&str; 4] = ["absolute", "larger", "rough_log2", "rough_exp2"];

/// What the type parameters of the runtime are in one solver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instance {
    pub(crate) precision: Precision,
    /// The kernel's type: `Kernel` for series, `Tables` for tables.
    pub(crate) kernel: &'static str,
    pub(crate) derivatives: bool,
}

/// The items of some of the runtime's files.
///
/// # Errors
/// [`Error::Emit`] if there is no such file.
pub(crate) fn flattened(files: &[&str], instance: Instance) -> Result<Vec<Item>, Error> {
    let number = match instance.precision {
        Precision::F64 => "number/double",
        Precision::F32 => "number/single",
    };
    let mut items = Vec::new();
    for name in [number].iter().chain(files) {
        let source = SOURCES.iter().find(|source| source.name == *name);
        let source = source.ok_or_else(|| Error::Emit(format!("no file {name}")))?;
        let mut file = syn::parse_file(source.text).map_err(|e| Error::Emit(e.to_string()))?;
        file.items.retain(|item| !matches!(item, Item::Use(_) | Item::Mod(_)));
        Flatten(instance).visit_file_mut(&mut file);
        items.extend(file.items);
    }
    Ok(items)
}

struct Flatten(Instance);

impl Flatten {
    /// Whether code belongs to derivatives that nobody asked for.
    fn goes(&self, code: &impl ToTokens) -> bool {
        !self.0.derivatives && mentions_variation(code.to_token_stream())
    }

    fn hide(visibility: &mut Visibility, name: &str) {
        if !PUBLIC.contains(&name) {
            *visibility = Visibility::Inherited;
        }
    }

    fn strip(generics: &mut Generics) {
        generics.params = Punctuated::<GenericParam, _>::new();
        (generics.lt_token, generics.gt_token) = (None, None);
    }
}

/// Whether `V` or a part of it, or the Jacobian of planar forms, stands in some code.
fn mentions_variation(tokens: TokenStream) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) if mentions_variation(group.stream()) => return true,
            TokenTree::Ident(name) if name == "V" => return true,
            TokenTree::Ident(name) if name == "jacobian" => return true,
            TokenTree::Punct(mark) if mark.as_char() == '<' => {
                // Arguments of a generic type.
                tokens.by_ref().find(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == '>'));
            }
            _ => {}
        }
    }
    false
}

impl VisitMut for Flatten {
    fn visit_item_struct_mut(&mut self, item: &mut syn::ItemStruct) {
        let parameters: Vec<_> =
            item.generics.type_params().map(|parameter| parameter.ident.clone()).collect();
        Self::hide(&mut item.vis, &item.ident.to_string());
        Self::strip(&mut item.generics);
        if let syn::Fields::Named(fields) = &mut item.fields {
            let all = std::mem::take(&mut fields.named);
            let kept = all.into_iter().filter(|field| {
                let expansion = matches!(&field.ty, Type::Path(path)
                    if path.path.is_ident("E") && parameters.iter().any(|p| p == "E"));
                !expansion && !self.goes(&field.ty)
            });
            fields.named = kept
                .map(|mut field| {
                    if !PUBLIC.contains(&item.ident.to_string().as_str()) {
                        field.vis = Visibility::Inherited;
                    }
                    field
                })
                .collect();
        }
        visit_mut::visit_item_struct_mut(self, item);
    }

    fn visit_item_enum_mut(&mut self, item: &mut syn::ItemEnum) {
        Self::hide(&mut item.vis, &item.ident.to_string());
    }

    fn visit_item_const_mut(&mut self, item: &mut syn::ItemConst) {
        Self::hide(&mut item.vis, &item.ident.to_string());
        visit_mut::visit_item_const_mut(self, item);
    }

    fn visit_item_type_mut(&mut self, item: &mut syn::ItemType) {
        item.vis = Visibility::Inherited;
    }

    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        item.vis = Visibility::Inherited;
        Self::strip(&mut item.sig.generics);
        let all = std::mem::take(&mut item.sig.inputs);
        item.sig.inputs = all
            .into_iter()
            .filter(|input| match input {
                FnArg::Typed(input) => {
                    let forms = input.ty.to_token_stream().to_string() == "& F";
                    !forms && !self.goes(&input.pat)
                }
                FnArg::Receiver(_) => true,
            })
            .collect();
        visit_mut::visit_item_fn_mut(self, item);
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        Self::strip(&mut item.generics);
        visit_mut::visit_item_impl_mut(self, item);
    }

    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        item.vis = Visibility::Inherited;
        Self::strip(&mut item.sig.generics);
        visit_mut::visit_impl_item_fn_mut(self, item);
    }

    fn visit_impl_item_const_mut(&mut self, item: &mut syn::ImplItemConst) {
        item.vis = Visibility::Inherited;
        visit_mut::visit_impl_item_const_mut(self, item);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block.stmts.retain(|statement| match statement {
            Stmt::Expr(Expr::Call(call), Some(_)) => !self.goes(&call.func),
            Stmt::Expr(Expr::If(conditional), _) => !self.goes(&conditional.cond),
            _ => true,
        });
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_struct_mut(&mut self, literal: &mut syn::ExprStruct) {
        let all = std::mem::take(&mut literal.fields);
        literal.fields = all.into_iter().filter(|field| !self.goes(&field.expr)).collect();
        visit_mut::visit_expr_struct_mut(self, literal);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::MethodCall(call) = expr {
            let name = call.method.to_string();
            let function = format_ident!("{name}");
            let arguments = call.args.iter().filter(|argument| !self.goes(argument));
            let receiver = &call.receiver;
            let called: Expr = match name.as_str() {
                _ if NUMBER.contains(&name.as_str()) => {
                    syn::parse_quote!(#function(#receiver #(, #arguments)*))
                }
                "slide" => syn::parse_quote!(slide(#receiver #(, #arguments)*)),
                "find" => syn::parse_quote!(find_sector(#receiver #(, #arguments)*)),
                "count" => syn::parse_quote!(SECTORS),
                "piece_at" => syn::parse_quote!(find_piece(#receiver #(, #arguments)*)),
                "piece_count" => syn::parse_quote!(PIECES),
                "rest_rates" => syn::parse_quote!(#receiver.from_rest),
                "expand" | "evaluate" | "finish" => syn::parse_quote!(#function(#(#arguments),*)),
                _ => return,
            };
            *expr = called;
        } else if let Expr::Field(field) = expr
            && matches!(&field.member, syn::Member::Named(name) if name == "order")
        {
            // One order is known to the compiler.
            *expr = syn::parse_quote!(ORDER);
        } else if let Expr::Index(index) = expr
            && index.expr.to_token_stream().to_string() == "kernel"
        {
            *index.expr = syn::parse_quote!(kernel.sectors);
        } else if let Expr::Index(index) = expr
            && index.expr.to_token_stream().to_string() == "pieces"
        {
            *index.expr = syn::parse_quote!(pieces.list);
        } else if let Expr::Call(call) = expr
            && call.func.to_token_stream().to_string() == "T :: real"
            && let Some(value) = call.args.first()
        {
            *expr = match value {
                Expr::Binary(_) => syn::parse_quote!((#value)),
                value => value.clone(),
            };
        } else if let Expr::Call(call) = expr {
            let kept = std::mem::take(&mut call.args);
            call.args = kept.into_iter().filter(|argument| !self.is_jacobian(argument)).collect();
        }
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        let known = match ty.to_token_stream().to_string().as_str() {
            "T" => "Real",
            "K" | "M" => self.0.kernel,
            "P" => "PieceTables",
            "V" => "Variation",
            "V :: Neighbours" => "Neighbours",
            "V :: Totals" => "VariedTotals",
            "V :: Jacobian" => "[[Real; VARIATIONS]; 3]",
            "F :: Jacobian" => "[[Real; 4]; 2]",
            _ => return visit_mut::visit_type_mut(self, ty),
        };
        if let Ok(known) = syn::parse_str(known) {
            *ty = known;
        }
    }

    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        for segment in &mut path.segments {
            if segment.ident != "Option" {
                segment.arguments = PathArguments::None;
            }
        }
        visit_mut::visit_path_mut(self, path);
        if path.segments.len() == 2 && path.segments[0].ident == "V" {
            *path = path.segments[1].ident.clone().into();
        }
    }
}

impl Flatten {
    /// Whether an argument is the Jacobian that nobody asked for.
    fn is_jacobian(&self, argument: &Expr) -> bool {
        !self.0.derivatives && argument.to_token_stream().to_string() == "jacobian"
    }
}
