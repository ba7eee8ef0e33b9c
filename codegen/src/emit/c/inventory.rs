//! A file's functions and constants, with those of its types among them.

use std::collections::BTreeSet;

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Block, Expr, ExprCall, ExprMethodCall, File, ImplItem, Item, Macro, Visibility,
};

use super::names::snake_case;
use super::no_c;
use super::prepared::owner;
use super::shapes::types;
use super::symbols::{SEAM, words};
use super::types::Integer;
use crate::Error;

/// A function or a method.
pub(super) struct Routine<'a> {
    /// `function` or `Type::method`
    pub(super) name: String,
    pub(super) owner: Option<String>,
    pub(super) public: bool,
    pub(super) attrs: &'a [Attribute],
    pub(super) sig: &'a syn::Signature,
    pub(super) block: &'a Block,
}

/// A constant, of the file or of a type.
pub(super) struct Named<'a> {
    /// `NAME` or `Type::NAME`
    pub(super) name: String,
    pub(super) public: bool,
    pub(super) attrs: &'a [Attribute],
    pub(super) ty: &'a syn::Type,
    pub(super) expr: &'a Expr,
}

impl Named<'_> {
    /// Whether a piece of code may use it.
    pub(super) fn is_in(&self, code: &impl quote::ToTokens) -> bool {
        let words = words(code);
        self.name.split("::").all(|part| words.contains(part))
    }
}

pub(super) struct Inventory<'a> {
    pub(super) routines: Vec<Routine<'a>>,
    pub(super) constants: Vec<Named<'a>>,
}

impl<'a> Inventory<'a> {
    pub(super) fn take(file: &'a File) -> Result<Self, Error> {
        let mut inventory = Self { routines: Vec::new(), constants: Vec::new() };
        for item in &file.items {
            match item {
                Item::Fn(item) if !SEAM.contains(&item.sig.ident.to_string().as_str()) => {
                    inventory.routines.push(Routine {
                        name: item.sig.ident.to_string(),
                        owner: None,
                        public: is_public(&item.vis),
                        attrs: &item.attrs,
                        sig: &item.sig,
                        block: &item.block,
                    });
                }
                Item::Const(item) => inventory.constants.push(Named {
                    name: item.ident.to_string(),
                    public: is_public(&item.vis),
                    attrs: &item.attrs,
                    ty: &item.ty,
                    expr: &item.expr,
                }),
                Item::Impl(item) => inventory.of_type(file, item)?,
                _ => {}
            }
        }
        inventory.prune();
        Ok(inventory)
    }

    /// Leaves out constants of types that nothing uses. Integers become macros,
    /// which may be unused.
    fn prune(&mut self) {
        let used = self.constants.iter().map(|item| {
            item.public
                || !item.name.contains("::")
                || Integer::of_name(&item.ty.to_token_stream().to_string()).is_some()
                || self.routines.iter().any(|routine| item.is_in(routine.block))
                || self.constants.iter().any(|other| item.is_in(other.expr))
        });
        let mut used = used.collect::<Vec<_>>().into_iter();
        self.constants.retain(|_| used.next() != Some(false));
    }

    /// What a type that is not public has is not public either.
    fn of_type(&mut self, file: &File, item: &'a syn::ItemImpl) -> Result<(), Error> {
        let owner = owner(item)?.to_string();
        let shown = types(&file.items).any(|(_, ident, public)| *ident == owner && public);
        for part in &item.items {
            match part {
                ImplItem::Fn(part) => self.routines.push(Routine {
                    name: format!("{owner}::{}", part.sig.ident),
                    owner: Some(owner.clone()),
                    public: shown && is_public(&part.vis),
                    attrs: &part.attrs,
                    sig: &part.sig,
                    block: &part.block,
                }),
                ImplItem::Const(part) => self.constants.push(Named {
                    name: format!("{owner}::{}", part.ident),
                    public: shown && is_public(&part.vis),
                    attrs: &part.attrs,
                    ty: &part.ty,
                    expr: &part.expr,
                }),
                other => return Err(no_c(other, "no such part of a type")),
            }
        }
        Ok(())
    }
}

pub(super) fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// `Type::method` as `type_method`.
pub(super) fn c_stem(name: &str) -> String {
    match name.split_once("::") {
        Some((owner, name)) => format!("{}_{}", snake_case(owner), name.trim_start_matches("r#")),
        None => name.trim_start_matches("r#").to_owned(),
    }
}

/// The functions that a block calls: methods by their names alone.
#[derive(Default)]
pub(super) struct Calls(BTreeSet<String>);

impl Calls {
    pub(super) fn of(block: &Block) -> Self {
        let mut calls = Self::default();
        calls.visit_block(block);
        calls
    }

    /// Whether a function may be among them.
    pub(super) fn reach(&self, name: &str) -> bool {
        self.0.contains(name.rsplit("::").next().unwrap_or(name))
    }
}

impl<'ast> Visit<'ast> for Calls {
    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        self.0.extend(words(&call.func));
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.0.insert(call.method.to_string());
        visit::visit_expr_method_call(self, call);
    }

    /// Arguments of a macro may be anything.
    fn visit_macro(&mut self, invocation: &'ast Macro) {
        self.0.extend(words(&invocation.tokens));
    }
}
