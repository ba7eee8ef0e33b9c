//! Types and macros, declared in the header or in the source.

use std::collections::BTreeSet;
use std::rc::Rc;

use syn::{Item, ItemEnum};

use super::check::Checker;
use super::items::{Items, docs};
use super::layout::Lines;
use super::shapes::{Kind, Shape, types};
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
        for enumerations in [true, false] {
            let such = types(&self.file.items)
                .filter(|(item, ..)| matches!(item, Item::Enum(_)) == enumerations);
            shapes
                .extend(such.filter_map(|(_, ident, _)| self.symbols.declared(&ident.to_string())));
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
        let mut types = types(&self.file.items);
        let item = types.find(|(_, ident, _)| shape.name.as_deref() == Some(&ident.to_string()));
        lines.blank();
        match (item.map(|(item, ..)| item), &shape.kind) {
            (Some(Item::Enum(item)), Kind::Enumeration(variants)) => {
                lines.doc(&docs(&item.attrs));
                let labels: Vec<_> = variants.iter().map(|(_, label)| label.as_str()).collect();
                lines.open(&format!("typedef enum {} {{", tag(&shape.c_name)));
                self.labels(lines, item, &labels)?;
                lines.close(&format!("}} {};", shape.c_name));
            }
            (Some(Item::Struct(item)), _) => {
                lines.doc(&docs(&item.attrs));
                self.structure(lines, shape, item.fields.iter().map(|f| docs(&f.attrs)).collect());
            }
            _ => self.structure(lines, shape, Vec::new()),
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

    /// A structure, a tuple, an `Option` or a `Result`, with docs of its members.
    fn structure(&self, lines: &mut Lines, shape: &Shape, docs: Vec<Vec<String>>) {
        lines.open(&format!("typedef struct {} {{", tag(&shape.c_name)));
        if let Kind::Sum(variants) = &shape.kind
            && let Some(variant) = variants.first()
        {
            lines.code(&format!("bool {};", variant.flag));
        }
        for (i, field) in shape.fields().into_iter().enumerate() {
            lines.doc(docs.get(i).map_or(&[], Vec::as_slice));
            lines.code(&format!("{};", field.ty.declare(&field.c_name, self.symbols)));
        }
        lines.close(&format!("}} {};", shape.c_name));
    }
}

/// The tag of a structure or an enumeration.
fn tag(c_name: &str) -> &str {
    c_name.trim_end_matches('_').strip_suffix("_t").unwrap_or(c_name)
}
