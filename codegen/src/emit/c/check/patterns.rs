//! Patterns: what they ask of a place, and the names that they give its parts.

use syn::{Expr, ExprLet, Pat};

use super::Checker;
use super::aggregates::named;
use crate::Error;
use crate::emit::c::no_c;
use crate::emit::c::shapes::{Field, Mark};
use crate::emit::c::symbols::key;
use crate::emit::c::tree::{Bound, Node, Statement, Tree};
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
                let fields = kind.fields();
                let parts: Vec<&Pat> = tuple.elems.iter().collect();
                self.find_all(&parts, fields.ok_or_else(refused)?, &place, by, found, pattern)
            }
            Pat::TupleStruct(tuple) => {
                let fields = self.mark(&tuple.path, &place, found).ok_or_else(refused)?;
                let parts = tuple.elems.iter();
                let parts = parts.filter(|p| !matches!(p, Pat::Tuple(t) if t.elems.is_empty()));
                self.find_all(&parts.collect::<Vec<_>>(), &fields, &place, by, found, pattern)
            }
            Pat::Struct(literal) => {
                let known = key(&literal.path).and_then(|name| self.symbols.declared(&name));
                let fields = match known {
                    Some(shape) if shape.ty == place.ty => shape.kind.fields().map(<[_]>::to_vec),
                    _ => self.mark(&literal.path, &place, found),
                };
                let fields = fields.ok_or_else(refused)?;
                if literal.rest.is_none() && literal.fields.len() != fields.len() {
                    return Err(no_c(literal, "other fields are expected"));
                }
                for part in &literal.fields {
                    let field = named(&fields, &part.member);
                    let field = field.ok_or_else(|| no_c(&part.member, "no such field"))?;
                    let inner = place.clone().member(&field.c_name, field.ty.clone());
                    self.find(&part.pat, inner, by, found)?;
                }
                Ok(())
            }
            _ => Err(refused()),
        }
    }

    fn find_all(
        &mut self,
        parts: &[&Pat],
        fields: &[(String, Field)],
        place: &Tree,
        by: Option<bool>,
        found: &mut Found,
        pattern: &Pat,
    ) -> Result<(), Error> {
        if parts.len() != fields.len() {
            return Err(no_c(pattern, "another number of parts is expected"));
        }
        for (part, (_, field)) in parts.iter().zip(fields) {
            let inner = place.clone().member(&field.c_name, field.ty.clone());
            self.find(part, inner, by, found)?;
        }
        Ok(())
    }

    /// Asks for a variant, and gives what it carries.
    fn mark(
        &mut self,
        path: &syn::Path,
        place: &Tree,
        found: &mut Found,
    ) -> Option<Vec<(String, Field)>> {
        let known = Some(&place.ty).filter(|ty| !matches!(ty, Type::Unknown(_)));
        let (ty, variant) = self.variant(&key(path)?, known)?;
        if !self.unify(&place.ty, &ty) {
            return None;
        }
        let test = Node::Marked(Box::new(place.clone()), variant.mark);
        found.tests.push(Tree::new(test, Type::Bool));
        Some(variant.fields)
    }

    /// Whether a word in a pattern is a name for a value rather than a value.
    fn is_name(&self, name: &str) -> bool {
        name != "None" && !self.symbols.constants.contains_key(name)
    }

    fn equal(&mut self, label: &Expr, place: Tree, found: &mut Found) -> Result<(), Error> {
        if let Expr::Path(path) = label
            && let Some(fields) = self.mark(&path.path, &place, found)
        {
            return match fields.is_empty() {
                true => Ok(()),
                false => Err(no_c(label, "no such pattern in this place")),
            };
        }
        let label_tree = self.typed(label, &place.ty)?;
        found.tests.push(match &label_tree.node {
            Node::Text(text) if text == "true" => place,
            Node::Text(text) if text == "false" => {
                Tree::new(Node::Prefix("!", Box::new(place)), Type::Bool)
            }
            _ => Tree::infix("==", Binding::Equality, [place, label_tree], Type::Bool),
        });
        Ok(())
    }

    /// Makes names visible.
    pub(super) fn bind(&mut self, bound: Vec<(String, bool, Tree)>) -> Vec<Bound> {
        let bound = bound.into_iter().map(|(name, mutable, part)| {
            let id = self.hidden(&name, part.ty.clone(), mutable);
            self.scope.push((name, id));
            Bound { id, part, used: false }
        });
        bound.collect()
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
        let bound = self.bind(found.bound);
        statements.extend(bound.into_iter().map(|b| Statement::Let(b.id, Some(b.part))));
        Ok(())
    }

    /// `let P = e` as a condition.
    pub(super) fn looking(&mut self, looking: &ExprLet) -> Result<Tree, Error> {
        let value = self.expr(&looking.expr)?;
        self.is(&looking.pat, value)
    }

    /// Whether a pattern holds for a value; its names are visible from here on.
    pub(super) fn is(&mut self, pattern: &Pat, value: Tree) -> Result<Tree, Error> {
        let (subject, place) = match value.is_steady() {
            true => (None, value),
            false => {
                let id = self.hidden("matched", value.ty.clone(), false);
                (Some((id, Box::new(value))), self.local(id))
            }
        };
        let found = self.found(pattern, place)?;
        if found.tests.is_empty() {
            return Err(no_c(pattern, "it always holds"));
        }
        let bound = self.bind(found.bound);
        Ok(Tree::new(Node::Is { subject, tests: found.tests, bound }, Type::Bool))
    }

    /// Notes which names of a condition are used beyond it.
    pub(super) fn note_uses(&self, condition: &mut Tree, before: &[usize]) {
        match &mut condition.node {
            Node::Infix("&&", _, pair) => {
                pair.iter_mut().for_each(|part| self.note_uses(part, before));
            }
            Node::Is { bound, .. } => {
                for bound in bound {
                    bound.used = self.locals[bound.id].uses > before[bound.id];
                }
            }
            _ => {}
        }
    }

    pub(super) fn uses(&self) -> Vec<usize> {
        self.locals.iter().map(|local| local.uses).collect()
    }

    /// The labels of a `switch` for a pattern, none where it stands for all; or
    /// nothing if a `switch` cannot tell.
    pub(super) fn labels(&mut self, pattern: &Pat, ty: &Type) -> Result<Option<Vec<Tree>>, Error> {
        let number = matches!(ty, Type::Integer(_)) || self.symbols.is_enumeration(ty);
        let tag = |checker: &mut Self, path: &syn::Path| {
            let (found, variant) = checker.variant(&key(path)?, Some(ty))?;
            match variant.mark {
                Mark::Tag(label) if found == *ty => Some(vec![Tree::text(label, Type::Unit)]),
                _ => None,
            }
        };
        Ok(match pattern {
            Pat::Wild(_) => Some(Vec::new()),
            Pat::Paren(inner) => self.labels(&inner.pat, ty)?,
            Pat::Or(either) => {
                let cases = either.cases.iter().map(|case| self.labels(case, ty));
                let cases = cases.collect::<Result<Option<Vec<_>>, _>>()?;
                cases.filter(|cases| !cases.iter().any(Vec::is_empty)).map(|c| c.concat())
            }
            Pat::TupleStruct(tuple) if tuple.elems.iter().all(is_plain) => tag(self, &tuple.path),
            Pat::Struct(named) if named.fields.iter().all(|f| is_plain(&f.pat)) => {
                tag(self, &named.path)
            }
            Pat::Ident(name) if number && !self.is_name(&name.ident.to_string()) => {
                Some(vec![self.typed(&syn::parse_quote!(#name), ty)?])
            }
            Pat::Path(path) if !number => tag(self, &path.path),
            Pat::Lit(literal) if number => Some(vec![self.typed(&Expr::Lit(literal.clone()), ty)?]),
            Pat::Path(path) => Some(vec![self.typed(&Expr::Path(path.clone()), ty)?]),
            _ => None,
        })
    }
}

/// Whether a pattern gives a name to any value.
fn is_plain(pattern: &Pat) -> bool {
    matches!(pattern, Pat::Wild(_))
        || matches!(pattern, Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none())
}
