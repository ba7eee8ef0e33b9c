//! What a file declares, under the names that it gets in C.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, File, FnArg, ReceiverKind, ReturnType};

use super::inventory::{Inventory, Routine, c_stem};
use super::shapes::Shape;
use super::types::{Integer, Type};
use super::{names, no_c};
use crate::{Error, Precision};

/// Functions that a file may call without defining them. Definitions of them in
/// the file are for Rust; C has its own.
pub(super) const SEAM: [&str; 5] = ["sqrt", "sin", "cos", "bits", "from_bits"];

pub(super) struct Constant {
    pub(super) c_name: String,
    pub(super) ty: Type,
    /// Whether it is a macro, which has no address.
    pub(super) is_macro: bool,
}

#[derive(Clone)]
pub(super) struct Signature {
    pub(super) c_name: String,
    /// Those of a method begin with what it is called on.
    pub(super) parameters: Vec<Type>,
    pub(super) output: Type,
    pub(super) is_method: bool,
}

pub(super) struct Symbols<'a> {
    pub(super) precision: Precision,
    prefix: String,
    /// Constants, those of types as `Type::NAME`.
    pub(super) constants: BTreeMap<String, Constant>,
    /// Functions, those of types as `Type::function`.
    pub(super) functions: BTreeMap<String, Signature>,
    pub(super) shapes: RefCell<Vec<Rc<Shape>>>,
    /// Whether types that are made now are shown in the header.
    pub(super) showing: Cell<bool>,
    pub(super) values: BTreeMap<String, &'a Expr>,
    /// Names of C at file scope.
    names: RefCell<BTreeSet<String>>,
}

impl<'a> Symbols<'a> {
    pub(super) fn collect(
        file: &File,
        inventory: &Inventory<'a>,
        prefix: &str,
        precision: Precision,
    ) -> Result<Self, Error> {
        let mut symbols = Self {
            precision,
            prefix: prefix.to_owned(),
            constants: BTreeMap::new(),
            functions: BTreeMap::new(),
            shapes: RefCell::default(),
            showing: Cell::new(false),
            values: BTreeMap::new(),
            names: RefCell::new(BTreeSet::from([super::guard(prefix)])),
        };
        symbols.name_types(&file.items);
        let constants = inventory.constants.iter();
        symbols.values = constants.map(|item| (item.name.clone(), item.expr)).collect();
        symbols.name_constants(inventory);
        for public in [true, false] {
            symbols.showing.set(public);
            symbols.describe_types(&file.items, public)?;
            symbols.describe(inventory, public)?;
        }
        Ok(symbols)
    }

    pub(super) fn is_file_name(&self, name: &str) -> bool {
        self.names.borrow().contains(name)
    }

    /// What public names begin with.
    pub(super) fn prefix(&self, public: bool) -> String {
        if public { format!("{}_", self.prefix) } else { String::new() }
    }

    pub(super) fn claim(&self, name: &str, public: bool) -> String {
        let taken = if public { names::is_taken_publicly } else { names::is_taken };
        let mut names = self.names.borrow_mut();
        let free = names::freed(name, |n| taken(n) || names.contains(n));
        names.insert(free.clone());
        free
    }

    fn name_constants(&mut self, inventory: &Inventory) {
        for item in &inventory.constants {
            let stem = c_stem(&item.name);
            let prefix = self.prefix(item.public);
            let c_name = match item.public && self.is_aggregate(item.ty) {
                true => format!("{prefix}{stem}").to_lowercase(),
                false => format!("{prefix}{stem}").to_uppercase(),
            };
            let c_name = self.claim(&c_name, item.public);
            let constant = Constant { c_name, ty: Type::Unit, is_macro: false };
            self.constants.insert(item.name.clone(), constant);
        }
    }

    fn is_aggregate(&self, ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Path(path) => path.path.get_ident().is_none_or(|name| {
                let shape = self.declared(&name.to_string());
                shape.is_some_and(|shape| shape.kind.fields().is_some())
            }),
            _ => true,
        }
    }

    /// Constants that others are computed from become macros, since C takes no
    /// other for an initialiser.
    fn describe(&mut self, inventory: &Inventory, public: bool) -> Result<(), Error> {
        for item in inventory.constants.iter().filter(|item| item.public == public) {
            let ty = self.ty(item.ty)?;
            let quoted = inventory.constants.iter().any(|other| item.is_in(other.expr));
            let scalar = matches!(ty, Type::Real | Type::Bool | Type::Integer(_));
            let is_macro = scalar && (public || quoted || matches!(ty, Type::Integer(_)));
            if let Some(constant) = self.constants.get_mut(&item.name) {
                (constant.ty, constant.is_macro) = (ty, is_macro);
            }
        }
        for item in inventory.routines.iter().filter(|item| item.public == public) {
            let c_name = format!("{}{}", self.prefix(public), c_stem(&item.name));
            let signature = self.signature(item, self.claim(&c_name, public))?;
            self.functions.insert(item.name.clone(), signature);
        }
        Ok(())
    }

    fn signature(&self, item: &Routine, c_name: String) -> Result<Signature, Error> {
        let sig = item.sig;
        let plain = sig.asyncness.is_none() && sig.abi.is_none() && sig.variadic.is_none();
        let generic = !sig.generics.params.is_empty() || sig.generics.where_clause.is_some();
        if !plain || generic || !matches!(sig.safety, syn::Safety::Default) {
            return Err(no_c(sig, "functions are plain and not generic"));
        }
        let parameters = sig.inputs.iter().map(|input| match input {
            FnArg::Typed(input) => self.ty(&input.ty),
            FnArg::Receiver(receiver) => {
                let owner = item.owner.as_deref().and_then(|owner| self.declared(owner));
                let owner =
                    owner.ok_or_else(|| no_c(receiver, "no such type has methods"))?.ty.clone();
                match &receiver.kind {
                    ReceiverKind::Value => Ok(owner),
                    ReceiverKind::Reference(_, None, mutable) => {
                        Ok(Type::Reference { mutable: mutable.is_some(), to: Box::new(owner) })
                    }
                    _ => Err(no_c(receiver, "no such receiver")),
                }
            }
        });
        let parameters = parameters.collect::<Result<_, _>>()?;
        let output = match &sig.output {
            ReturnType::Default => Type::Unit,
            ReturnType::Type(_, ty) => self.value_type(ty)?,
        };
        let is_method = matches!(sig.inputs.first(), Some(FnArg::Receiver(_)));
        Ok(Signature { c_name, parameters, output, is_method })
    }

    /// The integer as wide as a real number.
    pub(super) fn bits(&self) -> Type {
        Type::Integer(match self.precision {
            Precision::F64 => Integer::U64,
            Precision::F32 => Integer::U32,
        })
    }
}

/// `name` or `Type::name`.
pub(super) fn key(path: &syn::Path) -> Option<String> {
    let plain = path.segments.iter().all(|segment| segment.arguments.is_none());
    let names: Vec<_> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    (plain && names.len() <= 2).then(|| names.join("::"))
}

/// The names that stand in a piece of code.
pub(super) fn words(code: &(impl ToTokens + ?Sized)) -> BTreeSet<String> {
    fn collect(tokens: TokenStream, found: &mut BTreeSet<String>) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    found.insert(ident.to_string());
                }
                TokenTree::Group(group) => collect(group.stream(), found),
                _ => {}
            }
        }
    }
    let mut found = BTreeSet::new();
    collect(code.to_token_stream(), &mut found);
    found
}
