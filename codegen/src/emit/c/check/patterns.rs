//! Patterns: what they ask of a place, and the names that they give its parts.

use syn::{Expr, Pat};

use super::Checker;
use super::aggregates::named;
use crate::Error;
use crate::emit::c::no_c;
use crate::emit::c::shapes::Field;
use crate::emit::c::symbols::key;
use crate::emit::c::tree::{Id, Node, Statement, Tree};
use crate::emit::c::types::Type;
use crate::emit::c::value::Binding;

/// What a pattern finds in a place.
#[derive(Default)]
pub(super) struct Found {
    /// What must all hold.
    pub(super) tests: Vec<Tree>,
    /// Names, whether they may change, and the parts that they stand for.
    pub(super) bound: Vec<(String, bool, Tree)>,
}

impl Checker<'_> {
    pub(super) fn found(&mut self, pattern: &Pat, place: Tree) -> Result<Found, Error> {
        let mut found = Found::default();
        self.find(pattern, place, None, &mut found)?;
        Ok(found)
    }

    /// What is found in what a reference refers to is a reference, too: `by` says
    /// whether it may be changed.
    fn find(
        &mut self,
        pattern: &Pat,
        place: Tree,
        by: Option<bool>,
        found: &mut Found,
    ) -> Result<(), Error> {
        let refused = || no_c(pattern, "no such pattern in this place");
        let place = Tree { ty: self.resolved(&place.ty), ..place };
        match pattern {
            Pat::Wild(_) => return Ok(()),
            Pat::Paren(inner) => return self.find(&inner.pat, place, by, found),
            Pat::Reference(inner) => {
                return match (by, &place.ty) {
                    (Some(_), _) => self.find(&inner.pat, place, None, found),
                    (None, Type::Reference { .. }) => {
                        self.find(&inner.pat, place.referent(), None, found)
                    }
                    _ => Err(refused()),
                };
            }
            Pat::Ident(name) if self.is_name(&name.ident.to_string()) => {
                if name.by_ref.is_some() || name.subpat.is_some() {
                    return Err(refused());
                }
                let part = match by {
                    Some(mutable) => place.reference(mutable),
                    None => place,
                };
                let name = (name.ident.to_string(), name.mutability.is_some(), part);
                found.bound.push(name);
                return Ok(());
            }
            _ => {}
        }
        if let Type::Reference { mutable, .. } = place.ty {
            return self.find(pattern, place.referent(), Some(mutable), found);
        }
        match pattern {
            Pat::Ident(name) => self.equal(&syn::parse_quote!(#name), place, found),
            Pat::Lit(literal) => self.equal(&Expr::Lit(literal.clone()), place, found),
            Pat::Path(path) => self.equal(&Expr::Path(path.clone()), place, found),
            Pat::Or(either) => {
                let mut tests = Vec::new();
                for case in &either.cases {
                    let case = self.found(case, place.clone())?;
                    let test = case.tests.into_iter().reduce(Tree::both);
                    tests.extend(test.filter(|_| case.bound.is_empty()));
                }
                if tests.len() != either.cases.len() {
                    return Err(refused());
                }
                let any = |x, y| Tree::infix("||", Binding::Or, [x, y], Type::Bool);
                found.tests.extend(tests.into_iter().reduce(any));
                Ok(())
            }
            Pat::Slice(slice) => {
                let Type::Array(element, length) = place.ty.clone() else { return Err(refused()) };
                if length.value != slice.elems.len() {
                    return Err(no_c(slice, format!("{} names are expected", length.value)));
                }
                for (i, part) in slice.elems.iter().enumerate() {
                    let element = place.clone().element(Tree::index(i), (*element).clone());
                    self.find(part, element, by, found)?;
                }
                Ok(())
            }
            Pat::Tuple(tuple) if tuple.elems.is_empty() => Ok(()),
            Pat::Tuple(tuple) => {
                let ty = Type::Tuple(tuple.elems.iter().map(|_| self.fresh(false)).collect());
                self.fit(&place, &ty, pattern)?;
                let kind = self.symbols.kind(&self.resolved(&ty)).ok_or_else(refused)?;
                let fields = kind.fields().ok_or_else(refused)?;
                for (part, (_, field)) in tuple.elems.iter().zip(fields) {
                    let inner = place.clone().member(&field.c_name, field.ty.clone());
                    self.find(part, inner, by, found)?;
                }
                Ok(())
            }
            Pat::TupleStruct(tuple) => {
                let field = self.variant_of(&tuple.path, &place, found).ok_or_else(refused)?;
                match (field, tuple.elems.first().filter(|_| tuple.elems.len() == 1)) {
                    (Some(field), Some(part)) => {
                        self.find(part, place.member(&field.c_name, field.ty), by, found)
                    }
                    (None, Some(Pat::Tuple(unit))) if unit.elems.is_empty() => Ok(()),
                    _ => Err(refused()),
                }
            }
            Pat::Struct(literal) => {
                let known = key(&literal.path).and_then(|name| self.symbols.declared(&name));
                let shape = known.filter(|shape| shape.ty == place.ty).ok_or_else(refused)?;
                let fields = shape.kind.fields().ok_or_else(refused)?;
                if literal.rest.is_none() && literal.fields.len() != fields.len() {
                    return Err(no_c(literal, "other fields are expected"));
                }
                for part in &literal.fields {
                    let field = named(fields, &part.member);
                    let field = field.ok_or_else(|| no_c(&part.member, "no such field"))?;
                    let inner = place.clone().member(&field.c_name, field.ty.clone());
                    self.find(&part.pat, inner, by, found)?;
                }
                Ok(())
            }
            _ => Err(refused()),
        }
    }

    /// Asks for a variant of `Option` or `Result`, and gives the member of its value.
    fn variant_of(
        &mut self,
        path: &syn::Path,
        place: &Tree,
        found: &mut Found,
    ) -> Option<Option<Field>> {
        let known = Some(&place.ty).filter(|ty| !matches!(ty, Type::Unknown(_)));
        let (ty, variant) = self.variant(&key(path)?, known)?;
        if !self.unify(&place.ty, &ty) {
            return None;
        }
        found.tests.push(variant.test(place.clone()));
        Some(variant.field)
    }

    /// Whether a word in a pattern is a name for a value rather than a value.
    fn is_name(&self, name: &str) -> bool {
        name != "None" && !self.symbols.constants.contains_key(name)
    }

    fn equal(&mut self, label: &Expr, place: Tree, found: &mut Found) -> Result<(), Error> {
        if let Expr::Path(path) = label
            && let Some(None) = self.variant_of(&path.path, &place, found)
        {
            return Ok(());
        }
        let label_tree = self.typed(label, &place.ty)?;
        found.tests.push(match &label_tree.node {
            Node::Text(text) if text == "true" => place,
            Node::Text(text) if text == "false" => place.negated(),
            _ => Tree::infix("==", Binding::Equality, [place, label_tree], Type::Bool),
        });
        Ok(())
    }

    /// Makes names visible: values in locals, references as the places that they
    /// refer to.
    pub(super) fn bind(
        &mut self,
        bound: Vec<(String, bool, Tree)>,
    ) -> Result<Vec<(Id, Tree)>, Error> {
        let mut locals = Vec::new();
        for (name, mutable, part) in bound {
            if !matches!(part.ty, Type::Reference { .. }) {
                locals.push((self.visible(&name, part.ty.clone(), mutable), part));
            } else if !mutable && self.stays(&part) {
                self.scope.push((name, part));
            } else {
                let name: syn::Ident = syn::parse_str(&name).map_err(|_| Error::Name(name))?;
                return Err(no_c(&name, "it may come to refer to another place"));
            }
        }
        Ok(locals)
    }

    /// Whether a place is always the same one: no index on the way changes.
    fn stays(&self, place: &Tree) -> bool {
        place.is_steady()
            && place.indices().iter().all(|index| match &index.node {
                Node::Local(id) => !self.locals[*id].mutable,
                node => matches!(node, Node::Integer { .. }),
            })
    }

    /// A body after the locals for those names that it uses.
    pub(super) fn naming(&self, names: Vec<(Id, Tree)>, body: Tree) -> Tree {
        let used = names.into_iter().filter(|(id, _)| self.locals[*id].uses > 0);
        Tree::starting(used.map(|(id, part)| Statement::Let(id, Some(part))).collect(), body)
    }

    /// Locals for the names of a pattern that stands for all values.
    pub(super) fn unpacked(
        &mut self,
        pattern: &Pat,
        place: Tree,
        statements: &mut Vec<Statement>,
    ) -> Result<(), Error> {
        let found = self.found(pattern, place)?;
        if !found.tests.is_empty() {
            return Err(no_c(pattern, "it must stand for all values"));
        }
        let bound = self.bind(found.bound)?;
        statements.extend(bound.into_iter().map(|(id, part)| Statement::Let(id, Some(part))));
        Ok(())
    }

    /// Whether a pattern holds for a value, and the locals of its names, which are
    /// visible from here on.
    pub(super) fn tested(
        &mut self,
        pattern: &Pat,
        value: Tree,
        statements: &mut Vec<Statement>,
    ) -> Result<(Tree, Vec<(Id, Tree)>), Error> {
        let place = self.placed("matched", value, statements);
        let found = self.found(pattern, place)?;
        let holds = found.tests.into_iter().reduce(Tree::both);
        let holds = holds.ok_or_else(|| no_c(pattern, "it always holds"))?;
        Ok((holds, self.bind(found.bound)?))
    }
}
