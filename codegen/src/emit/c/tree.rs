//! The core that richer Rust is lowered to, with all types known: what C has,
//! and `if`, blocks and loops as values.

use std::collections::BTreeSet;

use super::symbols::Symbols;
use super::types::{Length, Type};
use super::value::Binding;

/// The number of a local.
pub(super) type Id = usize;

#[derive(Clone)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) mutable: bool,
    pub(super) uses: usize,
}

#[derive(Clone)]
pub(super) struct Tree {
    pub(super) node: Node,
    pub(super) ty: Type,
}

#[derive(Clone)]
pub(super) struct Case {
    /// None stand for all other values.
    pub(super) labels: Vec<Tree>,
    pub(super) body: Tree,
}

#[derive(Clone)]
pub(super) enum Statement {
    Let(Id, Option<Tree>),
    Do(Tree),
}

#[derive(Clone)]
pub(super) struct Count {
    pub(super) id: Id,
    pub(super) ends: [Tree; 2],
    pub(super) inclusive: bool,
    pub(super) backwards: bool,
    pub(super) body: Tree,
}

#[derive(Clone)]
pub(super) enum Node {
    Integer {
        digits: String,
        value: u64,
    },
    /// What C writes alike everywhere.
    Text(String),
    Local(Id),
    Constant(String),
    Prefix(&'static str, Box<Tree>),
    Infix(&'static str, Binding, Box<[Tree; 2]>),
    Cast(Box<Tree>),
    Member(Box<Tree>, String),
    Element(Box<[Tree; 2]>),
    Referent(Box<Tree>),
    Reference(Box<Tree>),
    Call(String, Vec<Tree>),
    /// A function of C that only reads its arguments.
    Library(String, Vec<Tree>),
    /// Members by their names.
    Parts(Vec<(String, Tree)>),
    Array(Vec<Tree>),
    Repeat(Box<Tree>, Length),
    If(Box<[Tree; 2]>, Option<Box<Tree>>),
    Switch(Box<Tree>, Vec<Case>),
    Block {
        /// Whether it was written as one.
        braces: bool,
        statements: Vec<Statement>,
        tail: Option<Box<Tree>>,
    },
    Loop(Box<Tree>),
    While(Box<[Tree; 2]>),
    Count(Box<Count>),
    Return(Option<Box<Tree>>),
    Break,
    Continue,
    Assign(Box<[Tree; 2]>),
    Compound(&'static str, Box<[Tree; 2]>),
}

/// All parts of a tree, as references of either kind.
macro_rules! parts {
    ($node:expr, $iter:ident, $deref:ident $(, $mut:ident)?) => {
        match $node {
            Node::Integer { .. } | Node::Text(_) | Node::Local(_) | Node::Constant(_)
            | Node::Break | Node::Continue | Node::Return(None) => Vec::new(),
            Node::Prefix(_, x) | Node::Cast(x) | Node::Member(x, _) | Node::Referent(x)
            | Node::Reference(x) | Node::Repeat(x, _) | Node::Loop(x)
            | Node::Return(Some(x)) => vec![& $($mut)? **x],
            Node::Infix(_, _, pair) | Node::Element(pair) | Node::While(pair)
            | Node::Assign(pair) | Node::Compound(_, pair) => pair.$iter().collect(),
            Node::Call(_, all) | Node::Library(_, all) | Node::Array(all) => all.$iter().collect(),
            Node::Parts(parts) => parts.$iter().map(|part| & $($mut)? part.1).collect(),
            Node::If(pair, otherwise) => pair.$iter().chain(otherwise.$deref()).collect(),
            Node::Switch(number, cases) => {
                let cases = cases.$iter().flat_map(|case| {
                    case.labels.$iter().chain([& $($mut)? case.body])
                });
                [& $($mut)? **number].into_iter().chain(cases).collect()
            }
            Node::Block { statements, tail, .. } => {
                let statements = statements.$iter().flat_map(|statement| match statement {
                    Statement::Let(_, value) => value.$iter().collect::<Vec<_>>(),
                    Statement::Do(tree) => vec![tree],
                });
                statements.chain(tail.$deref()).collect()
            }
            Node::Count(count) => {
                count.ends.$iter().chain([& $($mut)? count.body]).collect()
            }
        }
    };
}

impl Tree {
    pub(super) fn new(node: Node, ty: Type) -> Self {
        Self { node, ty }
    }

    pub(super) fn unit() -> Self {
        Self::block(Vec::new(), None)
    }

    pub(super) fn local(id: Id, ty: Type) -> Self {
        Self::new(Node::Local(id), ty)
    }

    pub(super) fn text(text: impl Into<String>, ty: Type) -> Self {
        Self::new(Node::Text(text.into()), ty)
    }

    pub(super) fn index(i: usize) -> Self {
        Self::new(Node::Integer { digits: i.to_string(), value: i as u64 }, Type::USIZE)
    }

    pub(super) fn member(self, member: &str, ty: Type) -> Self {
        Self::new(Node::Member(Box::new(self), member.to_owned()), ty)
    }

    pub(super) fn element(self, at: Self, ty: Type) -> Self {
        Self::new(Node::Element(Box::new([self, at])), ty)
    }

    /// What a reference refers to; other values themselves.
    pub(super) fn referent(self) -> Self {
        match self.ty.clone() {
            Type::Reference { to, .. } => match self.node {
                Node::Reference(place) => *place,
                _ => Self::new(Node::Referent(Box::new(self)), *to),
            },
            _ => self,
        }
    }

    pub(super) fn reference(self, mutable: bool) -> Self {
        let ty = Type::Reference { mutable, to: Box::new(self.ty.clone()) };
        Self::new(Node::Reference(Box::new(self)), ty)
    }

    pub(super) fn infix(
        operator: &'static str,
        binding: Binding,
        pair: [Self; 2],
        ty: Type,
    ) -> Self {
        Self::new(Node::Infix(operator, binding, Box::new(pair)), ty)
    }

    pub(super) fn negated(self) -> Self {
        Self::new(Node::Prefix("!", Box::new(self)), Type::Bool)
    }

    pub(super) fn both(left: Self, right: Self) -> Self {
        Self::infix("&&", Binding::And, [left, right], Type::Bool)
    }

    /// Statements without braces, and what they end with.
    pub(super) fn block(statements: Vec<Statement>, tail: Option<Self>) -> Self {
        let ty = tail.as_ref().map_or(Type::Unit, |tail| tail.ty.clone());
        let node = Node::Block { braces: false, statements, tail: tail.map(Box::new) };
        Self::new(node, ty)
    }

    /// A tree after some statements.
    pub(super) fn after(statements: Vec<Statement>, tree: Self) -> Self {
        if statements.is_empty() { tree } else { Self::block(statements, Some(tree)) }
    }

    /// A body with some statements at its start.
    pub(super) fn starting(mut start: Vec<Statement>, mut body: Self) -> Self {
        match &mut body.node {
            Node::Block { statements, .. } => {
                start.append(statements);
                *statements = start;
                body
            }
            _ => Self::after(start, body),
        }
    }

    pub(super) fn parts(&self) -> Vec<&Tree> {
        parts!(&self.node, iter, as_deref)
    }

    pub(super) fn parts_mut(&mut self) -> Vec<&mut Tree> {
        parts!(&mut self.node, iter_mut, as_deref_mut, mut)
    }

    pub(super) fn any(&self, holds: &dyn Fn(&Tree) -> bool) -> bool {
        holds(self) || self.parts().into_iter().any(|part| part.any(holds))
    }

    fn visit<'t>(&'t self, see: &mut dyn FnMut(&'t Tree)) {
        see(self);
        self.parts().into_iter().for_each(|part| part.visit(see));
    }

    /// Locals around it that computing it may change.
    pub(super) fn changed(&self, symbols: &Symbols) -> BTreeSet<Id> {
        let (mut changed, mut own) = (BTreeSet::new(), BTreeSet::new());
        self.visit(&mut |tree| match &tree.node {
            Node::Assign(pair) | Node::Compound(_, pair) => changed.extend(pair[0].root()),
            Node::Call(name, arguments) => {
                let passed = arguments.iter().zip(&symbols.functions[name].parameters);
                let places = passed.filter(|(_, ty)| ty.is_changed());
                changed.extend(places.filter_map(|(place, _)| place.root()));
            }
            Node::Block { statements, .. } => {
                own.extend(statements.iter().filter_map(|s| match s {
                    Statement::Let(id, _) => Some(*id),
                    Statement::Do(_) => None,
                }))
            }
            _ => {}
        });
        &changed - &own
    }

    pub(super) fn mentions(&self, id: Id) -> bool {
        self.any(&|tree| matches!(tree.node, Node::Local(local) if local == id))
    }

    /// Whether computing it may leave the function or a loop.
    pub(super) fn leaves(&self) -> bool {
        self.any(&|tree| matches!(tree.node, Node::Return(_) | Node::Break | Node::Continue))
    }

    /// The indices on the way to a place.
    pub(super) fn indices(&self) -> Vec<Self> {
        match &self.node {
            Node::Member(base, _) | Node::Referent(base) | Node::Reference(base) => base.indices(),
            Node::Element(pair) => {
                let mut indices = pair[0].indices();
                indices.push(pair[1].clone());
                indices
            }
            _ => Vec::new(),
        }
    }

    /// Whether it names a place that computing names again, at no cost.
    pub(super) fn is_steady(&self) -> bool {
        match &self.node {
            Node::Local(_) | Node::Constant(_) => true,
            Node::Member(base, _) | Node::Referent(base) | Node::Reference(base) => {
                base.is_steady()
            }
            Node::Element(pair) => pair[0].is_steady() && pair[1].is_plain(),
            _ => false,
        }
    }

    /// Whether it is arithmetic of places alone.
    fn is_plain(&self) -> bool {
        match &self.node {
            Node::Integer { .. } | Node::Text(_) => true,
            Node::Prefix(..) | Node::Infix(..) | Node::Cast(_) => {
                self.parts().into_iter().all(Self::is_plain)
            }
            _ => self.is_steady(),
        }
    }

    /// The local that a place is part of.
    pub(super) fn root(&self) -> Option<Id> {
        match &self.node {
            Node::Local(id) => Some(*id),
            Node::Member(base, _) | Node::Referent(base) | Node::Reference(base) => base.root(),
            Node::Element(pair) => pair[0].root(),
            _ => None,
        }
    }
}
