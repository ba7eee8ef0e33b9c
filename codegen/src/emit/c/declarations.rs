//! Types and macros, declared in the header or in the source.

use std::collections::BTreeSet;
use std::rc::Rc;

use syn::{Fields, Item, ItemEnum};

use super::check::Checker;
use super::items::{Items, docs};
use super::layout::Lines;
use super::shapes::{Field, Kind, Mark, Shape};
use super::types::{Integer, Type};
use super::value::Binding;
use super::{no_c, print};
use crate::Error;

impl Items<'_> {
    /// Macros and types, of the header or of the source.
    pub(super) fn declarations(&self, public: bool) -> Result<Lines, Error> {
        let mut lines = Lines::default();
        for item in self.inventory.constants.iter().filter(|item| item.public == public) {
            let Some(constant) = self.constant(item).filter(|c| c.is_macro) else { continue };
            let docs = docs(item.attrs);
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
        let mut shapes = Vec::new();
        for kind in [true, false] {
            for item in &self.file.items {
                let (ident, first) = match item {
                    Item::Enum(item) => (&item.ident, true),
                    Item::Struct(item) => (&item.ident, false),
                    _ => continue,
                };
                shapes.extend(self.symbols.declared(&ident.to_string()).filter(|_| first == kind));
            }
        }
        let made = self.symbols.shapes.borrow();
        shapes.extend(made.iter().filter(|shape| shape.name.is_none()).cloned());
        let mut done = BTreeSet::new();
        for shape in &shapes {
            self.shape(&mut lines, shape, public, &mut done)?;
        }
        Ok(lines)
    }

    /// A type after those that it is made of.
    fn shape(
        &self,
        lines: &mut Lines,
        shape: &Rc<Shape>,
        public: bool,
        done: &mut BTreeSet<String>,
    ) -> Result<(), Error> {
        if shape.public != public || !done.insert(shape.c_name.clone()) {
            return Ok(());
        }
        for part in shape.parts() {
            let mut part = part;
            while let Type::Array(element, _) = part {
                part = element;
            }
            if let Some(part) = self.symbols.shape(part) {
                self.shape(lines, &part, public, done)?;
            }
        }
        let item = self.file.items.iter().find(|item| match item {
            Item::Struct(item) => shape.name.as_deref() == Some(&item.ident.to_string()),
            Item::Enum(item) => shape.name.as_deref() == Some(&item.ident.to_string()),
            _ => false,
        });
        lines.blank();
        match (item, &shape.kind) {
            (Some(Item::Enum(item)), Kind::Enumeration(variants)) => {
                lines.doc(&docs(&item.attrs));
                let labels: Vec<_> = variants.iter().map(|(_, label)| label.as_str()).collect();
                lines.open(&format!("typedef enum {} {{", tag(&shape.c_name)));
                self.labels(lines, item, &labels)?;
                lines.close(&format!("}} {};", shape.c_name));
            }
            (Some(Item::Enum(item)), _) => self.sum(lines, item, shape)?,
            (Some(Item::Struct(item)), Kind::Record(fields)) => {
                lines.doc(&docs(&item.attrs));
                lines.open(&format!("typedef struct {} {{", tag(&shape.c_name)));
                let docs = item.fields.iter().map(|field| docs(&field.attrs));
                self.members(lines, fields.iter().map(|(_, field)| field), docs);
                lines.close(&format!("}} {};", shape.c_name));
            }
            _ => self.made(lines, shape),
        }
        Ok(())
    }

    fn labels(&self, lines: &mut Lines, item: &ItemEnum, labels: &[&str]) -> Result<(), Error> {
        for (i, (variant, name)) in item.variants.iter().zip(labels).enumerate() {
            lines.doc(&docs(&variant.attrs));
            let comma = if i + 1 == item.variants.len() { "" } else { "," };
            match &variant.discriminant {
                Some((_, value)) => {
                    let int = Type::Integer(Integer::I32);
                    let checked = Checker::constant(self.symbols, value, &int)?;
                    let value = print::constant(self.symbols, checked);
                    let value = value.ok_or_else(|| no_c(variant, "no such number"))?;
                    lines.code(&format!("{name} = {}{comma}", value.text));
                }
                None => lines.code(&format!("{name}{comma}")),
            }
        }
        Ok(())
    }

    fn members<'f>(
        &self,
        lines: &mut Lines,
        fields: impl Iterator<Item = &'f Field>,
        docs: impl Iterator<Item = Vec<String>>,
    ) {
        for (field, docs) in fields.zip(docs) {
            lines.doc(&docs);
            let name = field.c_name.rsplit('.').next().unwrap_or(&field.c_name);
            lines.code(&format!("{};", field.ty.declare(name, self.symbols)));
        }
    }

    /// An enumeration with data: a tag, and what each variant carries in a union.
    fn sum(&self, lines: &mut Lines, item: &ItemEnum, shape: &Shape) -> Result<(), Error> {
        let Kind::Sum(variants) = &shape.kind else { return Err(no_c(item, "unknown")) };
        let labels = variants.iter().map(|variant| match &variant.mark {
            Mark::Tag(label) => label.as_str(),
            Mark::Flag(member, _) => member,
        });
        let labels: Vec<_> = labels.collect();
        let name = tag(&shape.c_name);
        lines.doc(&docs(&item.attrs));
        lines.open(&format!("typedef struct {name} {{"));
        lines.open(&format!("enum {name}_tag {{"));
        self.labels(lines, item, &labels)?;
        lines.close("} tag;");
        lines.open("union {");
        for (variant, declared) in variants.iter().zip(&item.variants) {
            let none = std::iter::repeat_with(Vec::new);
            let fields = variant.fields.iter().map(|(_, field)| field);
            match (&variant.fields[..], &declared.fields) {
                ([], _) => {}
                ([_], Fields::Unnamed(_)) => self.members(lines, fields, none),
                ([(_, first), ..], _) => {
                    let member = first.c_name.split('.').nth(1).unwrap_or_default();
                    lines.open("struct {");
                    let docs = declared.fields.iter().map(|field| docs(&field.attrs));
                    self.members(lines, fields, docs);
                    lines.close(&format!("}} {member};"));
                }
            }
        }
        lines.close("} as;");
        lines.close(&format!("}} {};", shape.c_name));
        Ok(())
    }

    /// A tuple, an `Option` or a `Result`.
    fn made(&self, lines: &mut Lines, shape: &Shape) {
        lines.open(&format!("typedef struct {} {{", tag(&shape.c_name)));
        let none = || std::iter::repeat_with(Vec::new);
        match &shape.kind {
            Kind::Sum(variants) => {
                if let Some(Mark::Flag(member, _)) = variants.first().map(|v| &v.mark) {
                    lines.code(&format!("bool {member};"));
                }
                let fields = variants.iter().flat_map(|variant| &variant.fields);
                self.members(lines, fields.map(|(_, field)| field), none());
            }
            Kind::Record(fields) => {
                self.members(lines, fields.iter().map(|(_, field)| field), none());
            }
            Kind::Enumeration(_) => {}
        }
        lines.close(&format!("}} {};", shape.c_name));
    }
}

/// The tag of a structure or an enumeration.
fn tag(c_name: &str) -> &str {
    c_name.trim_end_matches('_').strip_suffix("_t").unwrap_or(c_name)
}
