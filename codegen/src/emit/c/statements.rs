//! Locals and assignments. C copies arrays by `memcpy` and has no value of
//! array type, so literals are stored element by element where braces do not
//! serve.

use syn::{Expr, ExprAssign, ExprBinary, Pat, PatSlice, Stmt};

use super::expressions::{element, nth, only_tail, peeled};
use super::function::{Function, Sink, binding, compound_operator};
use super::no_c;
use super::scope::Local;
use super::symbols::mentions;
use super::types::Type;
use super::value::{Binding, Value};
use crate::Error;

impl Function<'_> {
    pub(super) fn local(&mut self, local: &syn::Local) -> Result<(), Error> {
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(self.symbols.value_type(&typed.ty)?)),
            pattern => (pattern, None),
        };
        let expr = match &local.init {
            Some(init) if init.diverge.is_some() => return Err(no_c(local, "no `let … else`")),
            Some(init) => Some(&*init.expr),
            None => None,
        };
        if let (Pat::Slice(slice), Some(expr)) = (pattern, expr) {
            return self.unpacked(slice, ty, expr);
        }
        let (name, mutable) = binding(pattern)?;
        match (name, expr) {
            (Some(name), Some(expr)) => {
                let declared = self.declared(&name, ty, expr)?;
                self.bind(&name, Local { mutable, ..declared });
                Ok(())
            }
            (Some(name), None) => {
                let ty = ty.ok_or_else(|| no_c(local, "its type must be written"))?;
                let c_name = self.declare(&name, &ty);
                self.scope.bind(&name, Local { c_name, ty, mutable });
                Ok(())
            }
            (None, Some(expr)) => self.deliver(expr, &Sink::Discard),
            (None, None) => Ok(()),
        }
    }

    fn bind(&mut self, name: &str, local: Local) {
        if name.starts_with('_') {
            self.lines.code(&format!("(void){};", local.c_name));
        }
        self.scope.bind(name, local);
    }

    fn declare(&mut self, name: &str, ty: &Type) -> String {
        let c_name = self.reserve(name);
        self.declares = true;
        self.lines.code(&format!("{};", ty.declare(&c_name, self.symbols.precision)));
        c_name
    }

    /// A local of C that Rust does not have.
    pub(super) fn declare_fresh(&mut self, name: &str, ty: &Type) -> Value {
        place(self.declare(name, ty), ty.clone())
    }

    /// A local with its value, not yet visible under its name.
    pub(super) fn declared(
        &mut self,
        name: &str,
        ty: Option<Type>,
        expr: &Expr,
    ) -> Result<Local, Error> {
        let ty = match ty {
            Some(ty) => ty,
            None => self.infer(expr)?.unwrap_or(Type::USIZE),
        };
        if matches!(ty, Type::Unit | Type::Reference { .. }) {
            return Err(no_c(expr, "locals are neither references nor nothing"));
        }
        let initial = self.initialiser(expr, &ty)?;
        let c_name = match initial {
            Some(value) => self.declare_as(name, &ty, &value),
            None => {
                let c_name = self.declare(name, &ty);
                self.deliver(expr, &Sink::Store(place(&c_name, ty.clone())))?;
                c_name
            }
        };
        Ok(Local { c_name, ty, mutable: false })
    }

    fn declare_as(&mut self, name: &str, ty: &Type, value: &Value) -> String {
        let c_name = self.reserve(name);
        self.declares = true;
        let declaration = ty.declare(&c_name, self.symbols.precision);
        self.lines.code(&format!("{declaration} = {};", value.text));
        c_name
    }

    /// `let [a, b] = …;`
    fn unpacked(&mut self, slice: &PatSlice, ty: Option<Type>, expr: &Expr) -> Result<(), Error> {
        let names = slice.elems.iter().map(binding).collect::<Result<Vec<_>, _>>()?;
        let mut locals = Vec::new();
        if let Expr::Array(array) = peeled(expr) {
            let ty = match ty {
                Some(Type::Array(element, _)) => Some(*element),
                _ => None,
            };
            for ((name, mutable), expr) in names.iter().zip(&array.elems) {
                match name {
                    None => self.deliver(expr, &Sink::Discard)?,
                    Some(name) => {
                        let local = self.declared(name, ty.clone(), expr)?;
                        locals.push((name, Local { mutable: *mutable, ..local }));
                    }
                }
            }
        } else {
            let array = self.value(expr, ty.as_ref())?;
            let Type::Array(ty, length) = array.ty.clone() else {
                return Err(no_c(expr, "not an array"));
            };
            if length.value != names.len() {
                return Err(no_c(slice, format!("{} names are expected", length.value)));
            }
            for (i, (name, mutable)) in names.iter().enumerate() {
                let (Some(name), Some(value)) = (name, nth(&array, i)) else { continue };
                let c_name = match ty.is_array() {
                    false => self.declare_as(name, &ty, &value),
                    true => {
                        let c_name = self.declare(name, &ty);
                        self.copy(&place(&c_name, (*ty).clone()), &value);
                        c_name
                    }
                };
                locals.push((name, Local { c_name, ty: (*ty).clone(), mutable: *mutable }));
            }
        }
        locals.into_iter().for_each(|(name, local)| self.bind(name, local));
        Ok(())
    }

    pub(super) fn assignment(&mut self, assignment: &ExprAssign) -> Result<(), Error> {
        let (left, right) = (peeled(&assignment.left), peeled(&assignment.right));
        if matches!(left, Expr::Infer(_)) {
            return self.deliver(right, &Sink::Discard);
        }
        let target = self.target(left)?;
        let aliased = root(left).is_some_and(|root| mentions(right, &root));
        let by_parts = target.ty.is_array()
            || self.symbols.record(&target.ty).is_some()
                && self.initialiser(right, &target.ty)?.is_none();
        if aliased && target.ty.is_array() && root(right).is_some() {
            let value = self.value(right, Some(&target.ty))?;
            self.transfer("memmove", &target, &value);
            return Ok(());
        }
        if aliased && by_parts {
            let local = self.declared("next", Some(target.ty.clone()), right)?;
            self.copy(&target, &place(local.c_name, local.ty));
            return Ok(());
        }
        let mutates = || self.value(right, Some(&target.ty)).is_ok_and(|value| value.mutates);
        if has_free_index(left) && mutates() {
            return Err(no_c(assignment, "C does not say which side comes first"));
        }
        self.deliver(right, &Sink::Store(target))
    }

    pub(super) fn compound_assignment(&mut self, binary: &ExprBinary) -> Result<(), Error> {
        let operator = compound_operator(&binary.op).unwrap_or_default();
        let target = self.target(peeled(&binary.left))?;
        let shift = matches!(operator, "<<=" | ">>=");
        let value = self.value(&binary.right, (!shift).then_some(&target.ty))?;
        let arithmetic = matches!(operator, "+=" | "-=" | "*=" | "/=");
        match target.ty {
            _ if value.mutates => Err(no_c(binary, "C does not say which side comes first")),
            Type::Real if arithmetic => Ok(()),
            Type::Integer(_) => Ok(()),
            _ => Err(no_c(binary, "no such operation on these operands")),
        }?;
        self.lines.code(&format!("{} {operator} {};", target.text, value.text));
        Ok(())
    }

    fn target(&self, expr: &Expr) -> Result<Value, Error> {
        let target = self.value(expr, None)?;
        let reference = matches!(target.ty, Type::Reference { .. });
        match target.place && !target.read_only && !reference {
            true => Ok(target),
            false => Err(no_c(expr, "no place to assign to")),
        }
    }

    /// Brings a value to a place that it does not depend on.
    pub(super) fn store(&mut self, expr: &Expr, target: &Value) -> Result<(), Error> {
        match expr {
            Expr::If(conditional) if self.initialiser(expr, &target.ty)?.is_none() => {
                self.branches(conditional, &Sink::Store(target.clone()))
            }
            Expr::Array(array) => {
                if !matches!(&target.ty, Type::Array(_, n) if n.value == array.elems.len()) {
                    return Err(no_c(expr, format!("its type is not {:?}", target.ty)));
                }
                for (i, part) in array.elems.iter().enumerate() {
                    let part_target = nth(target, i).ok_or_else(|| no_c(expr, "not an array"))?;
                    self.deliver(part, &Sink::Store(part_target))?;
                }
                Ok(())
            }
            Expr::Repeat(repeat) => self.fill(repeat, target),
            Expr::Struct(literal) if self.initialiser(expr, &target.ty)?.is_none() => {
                for field in &literal.fields {
                    let syn::Member::Named(name) = &field.member else { continue };
                    let part = self.field(target, &name.to_string());
                    let part = part.ok_or_else(|| no_c(field, "no such field"))?;
                    self.deliver(&field.expr, &Sink::Store(part))?;
                }
                Ok(())
            }
            _ => {
                let value = self.value(expr, Some(&target.ty))?;
                self.copy(target, &value);
                Ok(())
            }
        }
    }

    fn fill(&mut self, repeat: &syn::ExprRepeat, target: &Value) -> Result<(), Error> {
        let length = self.symbols.length(&repeat.len)?;
        let element_type = match &target.ty {
            Type::Array(element, expected) if *expected == length => (**element).clone(),
            _ => return Err(no_c(repeat, format!("its type is not {:?}", target.ty))),
        };
        self.scope.enter();
        let part = peeled(&repeat.expr);
        let simple = matches!(part, Expr::Lit(_) | Expr::Path(_) | Expr::Repeat(_));
        let once = match simple {
            true => None,
            false => Some(self.declared("value", Some(element_type), part)?),
        };
        let i = self.reserve("i");
        self.lines.open(&format!("for (size_t {i} = 0; {i} < {}; {i}++) {{", length.text));
        let at = element(target, &place(i, Type::USIZE));
        let at = at.ok_or_else(|| no_c(repeat, "not an array"))?;
        match once {
            Some(local) => self.copy(&at, &place(local.c_name, local.ty)),
            None => self.deliver(part, &Sink::Store(at))?,
        }
        self.lines.close("}");
        self.scope.leave();
        Ok(())
    }

    fn copy(&mut self, target: &Value, value: &Value) {
        match target.ty.is_array() {
            true => self.transfer("memcpy", target, value),
            false => self.lines.code(&format!("{} = {};", target.text, value.text)),
        }
    }

    fn transfer(&mut self, function: &str, target: &Value, value: &Value) {
        let (to, from) = (&target.text, &value.text);
        let size = target.ty.declare("", self.symbols.precision);
        self.lines.code(&format!("{function}({to}, {from}, sizeof({size}));"));
    }

    /// The type of a value; nothing for one that is never there or that is an
    /// integer of any type.
    pub(super) fn infer(&self, expr: &Expr) -> Result<Option<Type>, Error> {
        match peeled(expr) {
            Expr::If(conditional) => {
                let then = self.infer_block(&conditional.then_branch)?;
                match (&conditional.else_branch, then) {
                    (Some((_, otherwise)), None) => self.infer(otherwise),
                    (_, then) => Ok(then),
                }
            }
            Expr::Match(matching) => {
                let types = matching.arms.iter().map(|arm| self.infer(&arm.body));
                types.filter_map(Result::transpose).next().transpose()
            }
            Expr::Block(block) => self.infer_block(&block.block),
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => Ok(None),
            Expr::Struct(literal) => self.record_type(literal).map(Some),
            Expr::Array(array) => {
                let types = array.elems.iter().map(|part| self.infer(part));
                let part = types.filter_map(Result::transpose).next().transpose()?;
                let length = syn::parse_str(&array.elems.len().to_string());
                let length = length.map_err(|e| no_c(expr, e.to_string()))?;
                let length = self.symbols.length(&length)?;
                Ok(Some(Type::Array(Box::new(part.unwrap_or(Type::USIZE)), length)))
            }
            Expr::Repeat(repeat) => {
                let part = self.infer(&repeat.expr)?.unwrap_or(Type::USIZE);
                Ok(Some(Type::Array(Box::new(part), self.symbols.length(&repeat.len)?)))
            }
            expr => {
                let value = self.value(expr, None)?;
                Ok((!value.untyped).then_some(value.ty))
            }
        }
    }

    fn infer_block(&self, block: &syn::Block) -> Result<Option<Type>, Error> {
        if let Some(tail) = only_tail(block) {
            return self.infer(tail);
        }
        let Some(Stmt::Expr(tail, None)) = block.stmts.last() else { return Ok(None) };
        let mut inner = Function::outside(self.symbols);
        (inner.scope, inner.output) = (self.scope.clone(), self.output.clone());
        inner.has_body = true;
        inner.scope.enter();
        for statement in &block.stmts {
            if let Stmt::Local(local) = statement {
                inner.local(local)?;
            }
        }
        inner.infer(tail)
    }
}

fn place(text: impl Into<String>, ty: Type) -> Value {
    let mut value = Value::new(text, Binding::Postfix, ty);
    value.place = true;
    value
}

/// The local that a place is part of.
fn root(expr: &Expr) -> Option<String> {
    match peeled(expr) {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        Expr::Field(field) => root(&field.base),
        Expr::Index(index) => root(&index.expr),
        Expr::Unary(unary) => root(&unary.expr),
        _ => None,
    }
}

/// Whether a place is chosen by more than literals.
fn has_free_index(expr: &Expr) -> bool {
    match peeled(expr) {
        Expr::Field(field) => has_free_index(&field.base),
        Expr::Unary(unary) => has_free_index(&unary.expr),
        Expr::Index(index) => {
            !matches!(peeled(&index.index), Expr::Lit(_)) || has_free_index(&index.expr)
        }
        _ => false,
    }
}
