//! Values of several parts: arrays, structures, tuples, and variants with data.

use syn::{Expr, ExprStruct, Member};

use super::Checker;
use crate::Error;
use crate::emit::c::no_c;
use crate::emit::c::shapes::{Field, Variant};
use crate::emit::c::symbols::key;
use crate::emit::c::tree::{Node, Tree};
use crate::emit::c::types::{Length, Type};

impl Checker<'_> {
    pub(super) fn aggregate(&mut self, expr: &Expr) -> Result<Tree, Error> {
        match expr {
            Expr::Array(array) => {
                let count = array.elems.len();
                if count == 0 {
                    return Err(no_c(expr, "arrays must not be empty"));
                }
                let ty = self.fresh(false);
                let elements = array.elems.iter().map(|element| self.typed(element, &ty));
                let elements = elements.collect::<Result<Vec<_>, _>>()?;
                self.ordered(&elements, expr)?;
                let length = Length { value: count, text: count.to_string() };
                let ty = Type::Array(Box::new(self.resolved(&ty)), length);
                Ok(Tree::new(Node::Array(elements), ty))
            }
            Expr::Repeat(repeat) => {
                let element = self.expr(&repeat.expr)?;
                if !element.changed(self.symbols).is_empty() {
                    return Err(no_c(expr, "what is repeated changes something"));
                }
                let length = self.symbols.length(&repeat.len)?;
                let ty = Type::Array(Box::new(element.ty.clone()), length.clone());
                Ok(Tree::new(Node::Repeat(Box::new(element), length), ty))
            }
            Expr::Tuple(tuple) if tuple.elems.is_empty() => Ok(Tree::unit()),
            Expr::Tuple(tuple) => {
                let values = tuple.elems.iter().map(|value| self.expr(value));
                let values = values.collect::<Result<Vec<_>, _>>()?;
                self.ordered(&values, expr)?;
                let ty = Type::Tuple(values.iter().map(|value| value.ty.clone()).collect());
                let kind = self.symbols.kind(&ty);
                let fields = kind.as_ref().and_then(|kind| kind.fields());
                let fields = fields.filter(|fields| fields.len() == values.len());
                let fields = fields.ok_or_else(|| no_c(expr, "too many parts"))?;
                let names = fields.iter().map(|(_, field)| field.c_name.clone());
                let parts = names.zip(values).collect();
                Ok(Tree::new(Node::Parts(parts), ty))
            }
            Expr::Struct(literal) => self.structure(literal),
            _ => Err(no_c(expr, "no such value")),
        }
    }

    fn structure(&mut self, literal: &ExprStruct) -> Result<Tree, Error> {
        let refused = || no_c(literal, "no such structure");
        let name =
            key(&literal.path).filter(|_| literal.dot2_token.is_none()).ok_or_else(refused)?;
        let shape = self.symbols.declared(&name).ok_or_else(refused)?;
        let fields = shape.kind.fields().ok_or_else(refused)?;
        if literal.fields.len() != fields.len() {
            return Err(no_c(literal, "other fields are expected"));
        }
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for value in &literal.fields {
            let field = named(fields, &value.member);
            let field = field.ok_or_else(|| no_c(&value.member, "no such field"))?;
            names.push(field.c_name.clone());
            values.push(self.typed(&value.expr, &field.ty)?);
        }
        self.ordered(&values, literal)?;
        let parts = names.into_iter().zip(values).collect();
        Ok(Tree::new(Node::Parts(parts), shape.ty.clone()))
    }

    /// A variant with its value; `()` is none.
    pub(super) fn made(
        &mut self,
        code: &impl quote::ToTokens,
        ty: Type,
        variant: &Variant,
        value: Option<Tree>,
    ) -> Result<Tree, Error> {
        let unit = |value: &Tree| {
            value.ty == Type::Unit
                && matches!(&value.node, Node::Block { statements, tail: None, .. } if statements.is_empty())
        };
        match (&variant.field, value) {
            (None, None) => Ok(variant.with(None, ty)),
            (Some(field), Some(value)) if unit(&value) && self.unify(&field.ty, &Type::Unit) => {
                Ok(variant.with(None, ty))
            }
            (Some(field), Some(value)) if value.ty != Type::Unit => {
                self.fit(&value, &field.ty, code)?;
                Ok(variant.with(Some(value), ty))
            }
            _ => Err(no_c(code, "other values are expected")),
        }
    }
}

pub(super) fn named<'f>(fields: &'f [(String, Field)], member: &Member) -> Option<&'f Field> {
    let Member::Named(name) = member else { return None };
    let name = name.to_string();
    let name = name.trim_start_matches("r#");
    fields.iter().find(|(known, _)| known == name).map(|(_, field)| field)
}
