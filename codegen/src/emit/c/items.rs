//! Items: the public ones declared in a header, the others `static`.

use std::collections::BTreeSet;

use syn::{Attribute, Expr, ExprLit, Fields, File, FnArg, Item, ItemConst, ItemEnum, ItemFn};
use syn::{ItemStruct, Lit, Meta, ReturnType};

use super::function::{Calls, Function};
use super::layout::Lines;
use super::no_c;
use super::symbols::{Constant, SEAM, Symbols, is_public, mentions, words};
use super::types::{Integer, Type};
use super::value::{Binding, Value};
use crate::Error;

/// A file's items by kind, in their order.
pub(super) struct Items<'a> {
    symbols: &'a Symbols<'a>,
    constants: Vec<&'a ItemConst>,
    enumerations: Vec<&'a ItemEnum>,
    records: Vec<&'a ItemStruct>,
    functions: Vec<&'a ItemFn>,
}

impl<'a> Items<'a> {
    pub(super) fn sort(file: &'a File, symbols: &'a Symbols<'a>) -> Result<Self, Error> {
        let mut items = Self {
            symbols,
            constants: Vec::new(),
            enumerations: Vec::new(),
            records: Vec::new(),
            functions: Vec::new(),
        };
        for item in &file.items {
            match item {
                Item::Const(item) => items.constants.push(item),
                Item::Enum(item) => items.enumerations.push(item),
                Item::Struct(item) => items.records.push(item),
                Item::Fn(item) if SEAM.contains(&item.sig.ident.to_string().as_str()) => continue,
                Item::Fn(item) => items.functions.push(item),
                Item::Type(item) if item.ident == "Real" || item.ident == "Bits" => continue,
                other => return Err(no_c(other, "no such item")),
            }
            check_attributes(item)?;
        }
        items.check_visibility()?;
        Ok(items)
    }

    /// What a header shows must not need what it does not show.
    fn check_visibility(&self) -> Result<(), Error> {
        let mut private = BTreeSet::new();
        let constants = self.constants.iter().map(|item| (&item.vis, &item.ident));
        let enumerations = self.enumerations.iter().map(|item| (&item.vis, &item.ident));
        let records = self.records.iter().map(|item| (&item.vis, &item.ident));
        for (visibility, ident) in constants.chain(enumerations).chain(records) {
            if !is_public(visibility) {
                private.insert(ident.to_string());
            }
        }
        let check = |shown: BTreeSet<String>, item: &dyn quote::ToTokens| match shown
            .intersection(&private)
            .next()
        {
            Some(name) => Err(no_c(&item, format!("public, but `{name}` is not"))),
            None => Ok(()),
        };
        for item in self.functions.iter().filter(|item| is_public(&item.vis)) {
            let types = item.sig.inputs.iter().filter_map(|input| match input {
                FnArg::Typed(input) => Some(&input.ty),
                FnArg::Receiver(_) => None,
            });
            let output = match &item.sig.output {
                ReturnType::Type(_, ty) => Some(ty),
                ReturnType::Default => None,
            };
            check(types.chain(output).flat_map(words).collect(), &item.sig)?;
        }
        for item in self.records.iter().filter(|item| is_public(&item.vis)) {
            check(item.fields.iter().flat_map(|field| words(&field.ty)).collect(), item)?;
        }
        for item in self.constants.iter().filter(|item| is_public(&item.vis)) {
            let value = words(&item.expr).into_iter();
            let value = value.filter(|_| self.constant(item).is_some_and(|c| c.is_macro));
            check(words(&item.ty).into_iter().chain(value).collect(), item)?;
        }
        Ok(())
    }

    fn constant(&self, item: &ItemConst) -> Option<&'a Constant> {
        self.symbols.constants.get(&item.ident.to_string())
    }

    /// Macros and types, of the header or of the source.
    pub(super) fn declarations(&self, public: bool) -> Result<Lines, Error> {
        let mut lines = Lines::default();
        for item in self.constants.iter().filter(|item| is_public(&item.vis) == public) {
            let Some(constant) = self.constant(item).filter(|c| c.is_macro) else { continue };
            let docs = docs(&item.attrs);
            if !docs.is_empty() {
                lines.blank();
            }
            lines.doc(&docs);
            let value = self.constant_value(item, constant)?;
            lines.code(&format!(
                "#define {} {}",
                constant.c_name,
                value.at_least(Binding::Postfix)
            ));
        }
        for item in self.enumerations.iter().filter(|item| is_public(&item.vis) == public) {
            self.enumeration(&mut lines, item)?;
        }
        let mut done = BTreeSet::new();
        for item in &self.records {
            self.record(&mut lines, item, public, &mut done)?;
        }
        Ok(lines)
    }

    fn enumeration(&self, lines: &mut Lines, item: &ItemEnum) -> Result<(), Error> {
        let known = self.symbols.enumerations.get(&item.ident.to_string());
        let known = known.ok_or_else(|| no_c(&item.ident, "unknown"))?;
        lines.blank();
        lines.doc(&docs(&item.attrs));
        lines.open(&format!("typedef enum {} {{", tag(&known.c_name)));
        for (variant, (_, name)) in item.variants.iter().zip(&known.variants) {
            if !matches!(variant.fields, Fields::Unit) {
                return Err(no_c(variant, "variants have no fields"));
            }
            lines.doc(&docs(&variant.attrs));
            let comma = if variant.ident == item.variants[item.variants.len() - 1].ident {
                ""
            } else {
                ","
            };
            match &variant.discriminant {
                Some((_, value)) => {
                    let int = Type::Integer(Integer::I32);
                    let value = Function::outside(self.symbols).value(value, Some(&int))?;
                    lines.code(&format!("{name} = {}{comma}", value.text));
                }
                None => lines.code(&format!("{name}{comma}")),
            }
        }
        lines.close(&format!("}} {};", known.c_name));
        Ok(())
    }

    /// A structure after those that it holds.
    fn record(
        &self,
        lines: &mut Lines,
        item: &ItemStruct,
        public: bool,
        done: &mut BTreeSet<String>,
    ) -> Result<(), Error> {
        let name = item.ident.to_string();
        if is_public(&item.vis) != public || !done.insert(name.clone()) {
            return Ok(());
        }
        let held = words(&item.fields);
        for other in self.records.iter().filter(|other| held.contains(&other.ident.to_string())) {
            self.record(lines, other, public, done)?;
        }
        let known = self.symbols.records.get(&name);
        let known = known.ok_or_else(|| no_c(&item.ident, "unknown"))?;
        lines.blank();
        lines.doc(&docs(&item.attrs));
        lines.open(&format!("typedef struct {} {{", tag(&known.c_name)));
        for (field, (_, known)) in item.fields.iter().zip(&known.fields) {
            lines.doc(&docs(&field.attrs));
            lines.code(&format!("{};", known.ty.declare(&known.c_name, self.symbols.precision)));
        }
        lines.close(&format!("}} {};", known.c_name));
        Ok(())
    }

    /// Constants in memory and functions, as the header announces them.
    pub(super) fn prototypes(&self) -> Result<Lines, Error> {
        let mut lines = Lines::default();
        for item in self.constants.iter().filter(|item| is_public(&item.vis)) {
            let Some(constant) = self.constant(item).filter(|c| !c.is_macro) else { continue };
            let declaration = constant.ty.declare(&constant.c_name, self.symbols.precision);
            lines.blank();
            lines.doc(&docs(&item.attrs));
            lines.code(&format!("extern const {declaration};"));
        }
        for item in self.functions.iter().filter(|item| is_public(&item.vis)) {
            lines.blank();
            lines.doc(&docs(&item.attrs));
            lines.code(&format!("{};", self.head(item)?));
        }
        Ok(lines)
    }

    /// Constants in memory and functions, defined.
    pub(super) fn definitions(&self) -> Result<Lines, Error> {
        let mut lines = Lines::default();
        for item in &self.constants {
            let Some(constant) = self.constant(item).filter(|c| !c.is_macro) else { continue };
            let public = is_public(&item.vis);
            let declaration = constant.ty.declare(&constant.c_name, self.symbols.precision);
            let value = self.constant_value(item, constant)?;
            let linkage = if public { "" } else { "static " };
            lines.blank();
            if !public {
                lines.doc(&docs(&item.attrs));
            }
            lines.code(&format!("{linkage}const {declaration} = {};", value.text));
        }
        lines.blank();
        for item in self.called_early() {
            lines.code(&format!("static {};", self.head(item)?));
        }
        for item in &self.functions {
            let public = is_public(&item.vis);
            lines.blank();
            if !public {
                lines.doc(&docs(&item.attrs));
            }
            let linkage = if public { "" } else { "static " };
            lines.code(&format!("{linkage}{}", self.head(item)?));
            lines.raw("{");
            lines.append(Function::body(self.symbols, item)?);
            lines.raw("}");
        }
        Ok(lines)
    }

    /// Functions of the source that are called before they are defined.
    fn called_early(&self) -> Vec<&'a ItemFn> {
        let mut waiting: Vec<&ItemFn> = self.functions.clone();
        waiting.retain(|item| !is_public(&item.vis));
        let mut early: Vec<&ItemFn> = Vec::new();
        for item in &self.functions {
            waiting.retain(|other| other.sig.ident != item.sig.ident);
            let calls = Calls::of(&item.block);
            let (now, later): (Vec<_>, Vec<_>) =
                waiting.into_iter().partition(|other| calls.contains(&other.sig.ident.to_string()));
            early.extend(now);
            waiting = later;
        }
        early
    }

    fn head(&self, item: &ItemFn) -> Result<String, Error> {
        let signature = self.symbols.functions.get(&item.sig.ident.to_string());
        let signature = signature.ok_or_else(|| no_c(&item.sig, "unknown"))?;
        let parameters = Function::parameters(self.symbols, item)?.join(", ");
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters };
        let name = format!("{}({parameters})", signature.c_name);
        Ok(signature.output.declare(&name, self.symbols.precision))
    }

    fn constant_value(&self, item: &ItemConst, constant: &Constant) -> Result<Value, Error> {
        let memory = self
            .constants
            .iter()
            .filter(|other| self.constant(other).is_some_and(|other| !other.is_macro));
        let from_memory =
            memory.into_iter().any(|other| mentions(&item.expr, &other.ident.to_string()));
        let value = Function::outside(self.symbols).initialiser(&item.expr, &constant.ty)?;
        value
            .filter(|value| value.fixed && !from_memory)
            .ok_or_else(|| no_c(item, "C cannot compute this before the program runs"))
    }
}

/// The tag of a structure or an enumeration.
fn tag(c_name: &str) -> &str {
    c_name.trim_end_matches('_').strip_suffix("_t").unwrap_or(c_name)
}

/// The lines of an item's documentation.
fn docs(attributes: &[Attribute]) -> Vec<String> {
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

fn check_attributes(item: &Item) -> Result<(), Error> {
    let attributes = match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        _ => return Ok(()),
    };
    let known = ["doc", "inline", "derive", "allow", "must_use"];
    match attributes.iter().find(|a| !known.iter().any(|name| a.path().is_ident(name))) {
        Some(other) => Err(no_c(other, "no such attribute")),
        None => Ok(()),
    }
}
