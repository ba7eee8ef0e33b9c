//! Items: the public ones declared in a header, the others `static`.

use std::collections::BTreeSet;

use syn::{Attribute, Expr, ExprLit, File, FnArg, ImplItem, Item, Lit, Meta, ReturnType};

use super::check::Checker;
use super::inventory::{Calls, Inventory, Named, Routine, is_public};
use super::layout::Lines;
use super::no_c;
use super::print::{self, Printed};
use super::symbols::{Constant, SEAM, Symbols, words};
use super::types::Type;
use super::value::Value;
use crate::Error;

/// What a file declares.
pub(super) struct Items<'a> {
    pub(super) file: &'a File,
    pub(super) inventory: &'a Inventory<'a>,
    pub(super) symbols: &'a Symbols<'a>,
}

impl<'a> Items<'a> {
    /// Refuses items and attributes that C has nothing for.
    pub(super) fn check(&self) -> Result<(), Error> {
        for item in &self.file.items {
            match item {
                Item::Const(item) => check_attributes(&item.attrs),
                Item::Enum(item) => check_attributes(&item.attrs),
                Item::Struct(item) => check_attributes(&item.attrs),
                Item::Fn(item) if SEAM.contains(&item.sig.ident.to_string().as_str()) => Ok(()),
                Item::Fn(item) => check_attributes(&item.attrs),
                Item::Type(item) if item.ident == "Real" || item.ident == "Bits" => Ok(()),
                Item::Impl(item) => item.items.iter().try_for_each(|part| match part {
                    ImplItem::Fn(part) => check_attributes(&part.attrs),
                    ImplItem::Const(part) => check_attributes(&part.attrs),
                    _ => Ok(()),
                }),
                other => Err(no_c(other, "no such item")),
            }?;
        }
        self.check_visibility()
    }

    /// What a header shows must not need what it does not show.
    fn check_visibility(&self) -> Result<(), Error> {
        let hidden = self.inventory.constants.iter().filter(|item| !item.public);
        let mut private: BTreeSet<String> = hidden.map(|item| item.name.clone()).collect();
        let shapes = self.symbols.shapes.borrow();
        private.extend(shapes.iter().filter(|s| !s.public).filter_map(|s| s.name.clone()));
        let check = |shown: BTreeSet<String>, item: &dyn quote::ToTokens| match shown
            .intersection(&private)
            .next()
        {
            Some(name) => Err(no_c(&item, format!("public, but `{name}` is not"))),
            None => Ok(()),
        };
        for item in self.inventory.routines.iter().filter(|item| item.public) {
            let types = item.sig.inputs.iter().filter_map(|input| match input {
                FnArg::Typed(input) => Some(&input.ty),
                FnArg::Receiver(_) => None,
            });
            let output = match &item.sig.output {
                ReturnType::Type(_, ty) => Some(ty),
                ReturnType::Default => None,
            };
            check(types.chain(output).flat_map(words).collect(), item.sig)?;
        }
        for item in &self.file.items {
            match item {
                Item::Struct(item) if is_public(&item.vis) => {
                    check(item.fields.iter().flat_map(|f| words(&f.ty)).collect(), item)?;
                }
                _ => {}
            }
        }
        for item in self.inventory.constants.iter().filter(|item| item.public) {
            let value = words(item.expr).into_iter();
            let value = value.filter(|_| self.constant(item).is_some_and(|c| c.is_macro));
            check(words(item.ty).into_iter().chain(value).collect(), item.expr)?;
        }
        Ok(())
    }

    pub(super) fn constant(&self, item: &Named) -> Option<&'a Constant> {
        self.symbols.constants.get(&item.name)
    }

    /// Constants in memory and functions, as the header announces them.
    pub(super) fn prototypes(&self) -> Result<Lines, Error> {
        let mut lines = Lines::default();
        for item in self.inventory.constants.iter().filter(|item| item.public) {
            let Some(constant) = self.constant(item).filter(|c| !c.is_macro) else { continue };
            let declaration = constant.ty.declare(&constant.c_name, self.symbols);
            lines.blank();
            lines.doc(&docs(item.attrs));
            lines.code(&format!("extern const {declaration};"));
        }
        for item in self.inventory.routines.iter().filter(|item| item.public) {
            lines.blank();
            lines.doc(&docs(item.attrs));
            lines.code(&format!("{};", self.routine(item)?.0));
        }
        Ok(lines)
    }

    /// Constants in memory and functions, defined.
    pub(super) fn definitions(&self) -> Result<Lines, Error> {
        let mut lines = Lines::default();
        for item in &self.inventory.constants {
            let Some(constant) = self.constant(item).filter(|c| !c.is_macro) else { continue };
            let public = item.public;
            let declaration = constant.ty.declare(&constant.c_name, self.symbols);
            let value = self.constant_value(item, constant)?;
            let linkage = if public { "" } else { "static " };
            lines.blank();
            if !public {
                lines.doc(&docs(item.attrs));
            }
            lines.code(&format!("{linkage}const {declaration} = {};", value.text));
        }
        lines.blank();
        for item in self.called_early() {
            lines.code(&format!("static {};", self.routine(item)?.0));
        }
        for item in &self.inventory.routines {
            let public = item.public;
            lines.blank();
            if !public {
                lines.doc(&docs(item.attrs));
            }
            let linkage = if public { "" } else { "static " };
            let (head, body) = self.routine(item)?;
            lines.code(&format!("{linkage}{head}"));
            lines.raw("{");
            lines.append(body);
            lines.raw("}");
        }
        Ok(lines)
    }

    /// Functions of the source that are called before they are defined.
    fn called_early(&self) -> Vec<&Routine<'_>> {
        let mut waiting: Vec<&Routine> = self.inventory.routines.iter().collect();
        waiting.retain(|item| !item.public);
        let mut early: Vec<&Routine> = Vec::new();
        for item in &self.inventory.routines {
            waiting.retain(|other| other.name != item.name);
            let calls = Calls::of(item.block);
            let (now, later): (Vec<_>, Vec<_>) =
                waiting.into_iter().partition(|other| calls.reach(&other.name));
            early.extend(now);
            waiting = later;
        }
        early
    }

    /// The head of a function, and its statements.
    fn routine(&self, item: &Routine) -> Result<(String, Lines), Error> {
        let signature = self.symbols.functions.get(&item.name);
        let signature = signature.ok_or_else(|| no_c(item.sig, "unknown"))?;
        let checked = Checker::function(self.symbols, item)?;
        let Printed { parameters, body } = print::function(self.symbols, item, signature, checked);
        let parameters = parameters.join(", ");
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters };
        let name = format!("{}({parameters})", signature.c_name);
        let output = match signature.output.is_array() {
            true => &Type::Unit,
            false => &signature.output,
        };
        Ok((output.declare(&name, self.symbols), body))
    }

    pub(super) fn constant_value(&self, item: &Named, constant: &Constant) -> Result<Value, Error> {
        let memory = self.inventory.constants.iter();
        let mut memory =
            memory.filter(|other| self.constant(other).is_some_and(|other| !other.is_macro));
        let from_memory = memory.any(|other| other.is_in(item.expr));
        let checked = Checker::constant(self.symbols, item.expr, &constant.ty)?;
        print::constant(self.symbols, checked)
            .filter(|_| !from_memory)
            .ok_or_else(|| no_c(item.expr, "C cannot compute this before the program runs"))
    }
}

/// The lines of an item's documentation.
pub(super) fn docs(attributes: &[Attribute]) -> Vec<String> {
    let docs = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    docs.flat_map(|text| match text.is_empty() {
        true => vec![text],
        false => text.lines().map(str::to_owned).collect(),
    })
    .collect()
}

fn check_attributes(attributes: &[Attribute]) -> Result<(), Error> {
    let known = ["doc", "inline", "derive", "allow", "expect", "must_use"];
    match attributes.iter().find(|a| !known.iter().any(|name| a.path().is_ident(name))) {
        Some(other) => Err(no_c(other, "no such attribute")),
        None => Ok(()),
    }
}
