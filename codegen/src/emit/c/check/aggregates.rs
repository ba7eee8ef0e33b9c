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
                let length = Length { value: count, text: count.to_string() };
                let ty = Type::Array(Box::new(self.resolved(&ty)), length);
                Ok(Tree::new(Node::Array(elements), ty))
            }
            Expr::Repeat(repeat) => {
                let element = self.expr(&repeat.expr)?;
                let length = self.symbols.length(&repeat.len)?;
                let ty = Type::Array(Box::new(element.ty.clone()), length.clone());
                Ok(Tree::new(Node::Repeat(Box::new(element), length), ty))
            }
            Expr::Tuple(tuple) if tuple.elems.is_empty() => Ok(Tree::unit()),
            Expr::Tuple(tuple) => {
                let values = tuple.elems.iter().map(|value| self.expr(value));
                let values = values.collect::<Result<Vec<_>, _>>()?;
                let ty = Type::Tuple(values.iter().map(|value| value.ty.clone()).collect());
                let kind = self.symbols.kind(&ty);
                let fields = kind.as_ref().and_then(|kind| kind.fields());
                let fields = fields.filter(|fields| fields.len() == values.len());
                let fields = fields.ok_or_else(|| no_c(expr, "too many parts"))?;
                let names = fields.iter().map(|(_, field)| field.c_name.clone());
                let parts = names.zip(values).collect();
                Ok(Tree::new(Node::Parts { mark: None, parts, rest: None }, ty))
            }
            Expr::Struct(literal) => self.structure(literal),
            _ => Err(no_c(expr, "no such value")),
        }
    }

    fn structure(&mut self, literal: &ExprStruct) -> Result<Tree, Error> {
        let refused = || no_c(literal, "no such structure");
        let name = key(&literal.path).ok_or_else(refused)?;
        let (ty, mark, fields) = match self.variant(&name, None) {
            Some((ty, variant)) => (ty, Some(variant.mark), variant.fields),
            None => {
                let shape = self.symbols.declared(&name).ok_or_else(refused)?;
                let fields = shape.kind.fields().ok_or_else(refused)?.to_vec();
                (shape.ty.clone(), None, fields)
            }
        };
        if literal.fields.len() != fields.len() && literal.rest.is_none() {
            return Err(no_c(literal, "other fields are expected"));
        }
        let mut parts = Vec::new();
        for value in &literal.fields {
            let field = named(&fields, &value.member);
            let field = field.ok_or_else(|| no_c(&value.member, "no such field"))?;
            parts.push((field.c_name.clone(), self.typed(&value.expr, &field.ty)?));
        }
        let rest = match &literal.rest {
            Some(rest) => Some(Box::new(self.typed(rest, &ty)?)),
            None => None,
        };
        Ok(Tree::new(Node::Parts { mark, parts, rest }, ty))
    }

    /// A variant with what it carries; `()` needs no room.
    pub(super) fn made(
        &mut self,
        code: &impl quote::ToTokens,
        ty: Type,
        variant: &Variant,
        mut values: Vec<Tree>,
    ) -> Result<Tree, Error> {
        let refused = || no_c(code, "other values are expected");
        if let ([(_, field)], [value]) = (&variant.fields[..], &values[..])
            && value.ty == Type::Unit
            && matches!(&value.node, Node::Block { statements, tail: None, .. } if statements.is_empty())
            && self.unify(&field.ty, &Type::Unit)
        {
            values.clear();
        } else if values.len() != variant.fields.len()
            || values.iter().any(|value| value.ty == Type::Unit)
            || variant.fields.first().is_some_and(|(name, _)| name != "0")
        {
            return Err(refused());
        }
        let mut parts = Vec::new();
        for ((_, field), value) in variant.fields.iter().zip(values) {
            self.fit(&value, &field.ty, code)?;
            parts.push((field.c_name.clone(), value));
        }
        let node = Node::Parts { mark: Some(variant.mark.clone()), parts, rest: None };
        Ok(Tree::new(node, ty))
    }
}

pub(super) fn named<'f>(fields: &'f [(String, Field)], member: &Member) -> Option<&'f Field> {
    let Member::Named(name) = member else { return None };
    let name = name.to_string();
    let name = name.trim_start_matches("r#");
    fields.iter().find(|(known, _)| known == name).map(|(_, field)| field)
}
