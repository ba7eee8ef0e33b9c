//! Operators, conversions, fields and elements.

use quote::ToTokens;
use syn::{BinOp, Expr, ExprBinary, ExprField, ExprIndex, ExprUnary, Member, UnOp};

use super::{Checker, peeled};
use crate::Error;
use crate::emit::c::no_c;
use crate::emit::c::tree::{Node, Tree};
use crate::emit::c::types::Type;
use crate::emit::c::value::Binding;

impl Checker<'_> {
    pub(super) fn binary(&mut self, binary: &ExprBinary) -> Result<Tree, Error> {
        let refused = || no_c(binary, "no such operation on these operands");
        let (operator, binding) =
            operator(&binary.op).ok_or_else(|| no_c(binary, "no such operator"))?;
        if binding == Binding::Conditional {
            return self.compound(binary, operator);
        }
        if matches!(binding, Binding::And | Binding::Or) {
            let left = self.typed(&binary.left, &Type::Bool)?;
            let scope = self.scope.len();
            let right = self.typed(&binary.right, &Type::Bool)?;
            if binding == Binding::Or {
                self.scope.truncate(scope);
            }
            return Ok(Tree::infix(operator, binding, [left, right], Type::Bool));
        }
        // Operators take references to numbers, too.
        let left = self.expr(&binary.left)?.referent();
        let right = self.expr(&binary.right)?.referent();
        self.ordered(&[left.clone(), right.clone()], binary)?;
        let shifts = binding == Binding::Shift;
        if !shifts {
            self.fit(&right, &left.ty, &binary.right)?;
        }
        let ty = self.resolved(&left.ty);
        let compares = matches!(binding, Binding::Equality | Binding::Relation);
        let operable = match &ty {
            Type::Real => !matches!(operator, "%" | "^" | "&" | "|" | "<<" | ">>"),
            Type::Integer(integer) => operator != "<<" || !integer.is_signed(),
            Type::Unknown(_) => true,
            Type::Bool => binding == Binding::Equality,
            ty => binding == Binding::Equality && self.symbols.is_enumeration(ty),
        };
        if !operable
            || shifts && !matches!(self.resolved(&right.ty), Type::Integer(_) | Type::Unknown(_))
        {
            return Err(refused());
        }
        // C would compute it as an `int`.
        if let Ok(value) = self.symbols.evaluate(&Expr::Binary(binary.clone()), 0)
            && value > i32::MAX as usize
        {
            let digits = value.to_string();
            return Ok(Tree::new(Node::Integer { digits, value: value as u64 }, ty));
        }
        Ok(Tree::infix(operator, binding, [left, right], if compares { Type::Bool } else { ty }))
    }

    /// `a += b`, which computes `b` first.
    fn compound(&mut self, binary: &ExprBinary, operator: &'static str) -> Result<Tree, Error> {
        let target = self.place(&binary.left)?;
        let value = self.expr(&binary.right)?.referent();
        self.ordered(&[target.clone(), value.clone()], binary)?;
        let shift = matches!(operator, "<<=" | ">>=");
        if !shift {
            self.fit(&value, &target.ty, &binary.right)?;
        }
        let operable = match self.resolved(&target.ty) {
            Type::Real => matches!(operator, "+=" | "-=" | "*=" | "/="),
            Type::Integer(integer) => operator != "<<=" || !integer.is_signed(),
            Type::Unknown(_) => !shift,
            _ => false,
        };
        match operable {
            true => Ok(Tree::new(Node::Compound(operator, Box::new([target, value])), Type::Unit)),
            false => Err(no_c(binary, "no such operation on these operands")),
        }
    }

    pub(super) fn unary(&mut self, unary: &ExprUnary) -> Result<Tree, Error> {
        let value = self.expr(&unary.expr)?;
        if let UnOp::Deref(_) = unary.op {
            return match value.ty {
                Type::Reference { .. } => Ok(value.referent()),
                _ => Err(no_c(unary, "not a reference")),
            };
        }
        let value = value.referent();
        let ty = self.resolved(&value.ty);
        let operator = match (&unary.op, &ty) {
            (UnOp::Neg(_), Type::Real | Type::Unknown(_)) => "-",
            (UnOp::Neg(_), Type::Integer(integer)) if integer.is_signed() => "-",
            (UnOp::Neg(_), _) => return Err(no_c(unary, "no negative numbers of this type")),
            (UnOp::Not(_), Type::Bool) => "!",
            (UnOp::Not(_), Type::Integer(_)) => "~",
            _ => return Err(no_c(unary, "no such operation on this operand")),
        };
        Ok(Tree::new(Node::Prefix(operator, Box::new(value)), ty))
    }

    pub(super) fn cast(&mut self, cast: &syn::ExprCast) -> Result<Tree, Error> {
        let ty = self.symbols.value_type(&cast.ty)?;
        let value = self.expr(&cast.expr)?.referent();
        if is_integer_literal(&cast.expr) && matches!(ty, Type::Integer(_)) {
            self.unify(&value.ty, &ty);
        }
        let fits = match (self.resolved(&value.ty), &ty) {
            (Type::Real | Type::Integer(_) | Type::Unknown(_), Type::Real | Type::Integer(_)) => {
                true
            }
            (Type::Bool, Type::Integer(_)) => true,
            (from, Type::Integer(_)) => self.symbols.is_enumeration(&from),
            _ => false,
        };
        match fits {
            true => Ok(Tree::new(Node::Cast(Box::new(value)), ty)),
            false => Err(no_c(cast, "no such conversion")),
        }
    }

    pub(super) fn field(&mut self, field: &ExprField) -> Result<Tree, Error> {
        let name = match &field.member {
            Member::Named(name) => name.to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        };
        let base = self.expr(&field.base)?.referent();
        let unknown = || no_c(field, "no such field");
        let kind = self.symbols.kind(&base.ty).ok_or_else(unknown)?;
        let fields = kind.fields().ok_or_else(unknown)?;
        let name = name.trim_start_matches("r#");
        let (_, found) = fields.iter().find(|(known, _)| known == name).ok_or_else(unknown)?;
        Ok(base.member(&found.c_name, found.ty.clone()))
    }

    /// The index is computed before the array is read.
    pub(super) fn index(&mut self, index: &ExprIndex) -> Result<Tree, Error> {
        let base = self.expr(&index.expr)?.referent();
        let at = self.typed(&index.index, &Type::USIZE)?;
        self.ordered(&[base.clone(), at.clone()], index)?;
        match base.ty.clone() {
            Type::Array(element, _) => Ok(base.element(at, *element)),
            _ => Err(no_c(index, "not an array")),
        }
    }
}

fn is_integer_literal(expr: &Expr) -> bool {
    match peeled(expr) {
        Expr::Lit(literal) => matches!(literal.lit, syn::Lit::Int(_)),
        Expr::Unary(unary) => is_integer_literal(&unary.expr),
        _ => false,
    }
}

/// How tightly operators hold together, and those that assign.
const OPERATORS: [(Binding, &[&str]); 12] = [
    (Binding::Product, &["*", "/", "%"]),
    (Binding::Sum, &["+", "-"]),
    (Binding::Shift, &["<<", ">>"]),
    (Binding::Relation, &["<", "<=", ">=", ">"]),
    (Binding::Equality, &["==", "!="]),
    (Binding::BitAnd, &["&"]),
    (Binding::BitXor, &["^"]),
    (Binding::BitOr, &["|"]),
    (Binding::And, &["&&"]),
    (Binding::Or, &["||"]),
    (Binding::Conditional, &["+=", "-=", "*=", "/=", "%="]),
    (Binding::Conditional, &["^=", "&=", "|=", "<<=", ">>="]),
];

fn operator(op: &BinOp) -> Option<(&'static str, Binding)> {
    let text = op.to_token_stream().to_string();
    OPERATORS.into_iter().find_map(|(binding, operators)| {
        operators.iter().find(|operator| **operator == text).map(|found| (*found, binding))
    })
}
