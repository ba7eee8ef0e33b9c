//! What a file declares, under the names that it gets in C.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, ExprLit, Fields, File, FnArg, Item, Lit, Pat, ReturnType, Visibility};

use super::types::{Integer, Length, Type};
use super::{names, no_c};
use crate::{Error, Precision};

/// Functions that a file may call without defining them. Definitions of them in
/// the file are for Rust; C has its own.
pub(super) const SEAM: [&str; 9] =
    ["sqrt", "sin", "cos", "exp", "exp_m1", "ln", "ln_1p", "bits", "from_bits"];

pub(super) struct Constant {
    pub(super) c_name: String,
    pub(super) ty: Type,
    /// Whether it is a macro, which has no address.
    pub(super) is_macro: bool,
}

pub(super) struct Field {
    pub(super) c_name: String,
    pub(super) ty: Type,
}

pub(super) struct Record {
    pub(super) c_name: String,
    pub(super) fields: Vec<(String, Field)>,
}

pub(super) struct Enumeration {
    pub(super) c_name: String,
    pub(super) variants: Vec<(String, String)>,
}

pub(super) struct Signature {
    pub(super) c_name: String,
    pub(super) parameters: Vec<Type>,
    pub(super) output: Type,
}

impl Signature {
    /// Whether a call may change what its arguments refer to.
    pub(super) fn mutates(&self) -> bool {
        self.parameters.iter().any(|ty| matches!(ty, Type::Reference { mutable: true, .. }))
    }
}

pub(super) struct Symbols<'a> {
    pub(super) precision: Precision,
    pub(super) constants: BTreeMap<String, Constant>,
    pub(super) records: BTreeMap<String, Record>,
    pub(super) enumerations: BTreeMap<String, Enumeration>,
    pub(super) functions: BTreeMap<String, Signature>,
    values: BTreeMap<String, &'a Expr>,
    /// Names of C at file scope.
    names: BTreeSet<String>,
}

impl<'a> Symbols<'a> {
    pub(super) fn collect(
        file: &'a File,
        prefix: &str,
        precision: Precision,
    ) -> Result<Self, Error> {
        let mut symbols = Self {
            precision,
            constants: BTreeMap::new(),
            records: BTreeMap::new(),
            enumerations: BTreeMap::new(),
            functions: BTreeMap::new(),
            values: BTreeMap::new(),
            names: BTreeSet::from([super::guard(prefix)]),
        };
        let namer = |public: bool| if public { format!("{prefix}_") } else { String::new() };
        symbols.name_types(file, &namer);
        symbols.name_constants(file, &namer)?;
        symbols.describe(file, &namer)?;
        Ok(symbols)
    }

    pub(super) fn is_file_name(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    fn claim(&mut self, name: &str, public: bool) -> String {
        let taken = if public { names::is_taken_publicly } else { names::is_taken };
        let free = names::freed(name, |n| taken(n) || self.names.contains(n));
        self.names.insert(free.clone());
        free
    }

    fn name_types(&mut self, file: &'a File, namer: &dyn Fn(bool) -> String) {
        for item in &file.items {
            match item {
                Item::Struct(item) => {
                    let stem = names::snake_case(&item.ident.to_string());
                    let c_name = self.claim(
                        &format!("{}{stem}_t", namer(is_public(&item.vis))),
                        is_public(&item.vis),
                    );
                    let record = Record { c_name, fields: Vec::new() };
                    self.records.insert(item.ident.to_string(), record);
                }
                Item::Enum(item) => {
                    let stem = namer(is_public(&item.vis))
                        + names::snake_case(&item.ident.to_string()).as_str();
                    let c_name = self.claim(&format!("{stem}_t"), is_public(&item.vis));
                    let variants = item.variants.iter().map(|variant| {
                        let name =
                            format!("{stem}_{}", names::snake_case(&variant.ident.to_string()));
                        (
                            variant.ident.to_string(),
                            self.claim(&name.to_uppercase(), is_public(&item.vis)),
                        )
                    });
                    let variants = variants.collect();
                    let enumeration = Enumeration { c_name, variants };
                    self.enumerations.insert(item.ident.to_string(), enumeration);
                }
                _ => {}
            }
        }
    }

    /// Constants that others are computed from become macros, since C takes no
    /// other for an initialiser.
    fn name_constants(
        &mut self,
        file: &'a File,
        namer: &dyn Fn(bool) -> String,
    ) -> Result<(), Error> {
        let constants = || {
            file.items.iter().filter_map(|item| match item {
                Item::Const(item) => Some(item),
                _ => None,
            })
        };
        for item in constants() {
            let name = item.ident.to_string();
            let prefix = namer(is_public(&item.vis));
            let c_name = match is_public(&item.vis) && self.is_aggregate(&item.ty) {
                true => self.claim(&(prefix + name.to_lowercase().as_str()), true),
                false => self.claim(&(prefix.to_uppercase() + name.as_str()), is_public(&item.vis)),
            };
            self.values.insert(name.clone(), &item.expr);
            let constant = Constant { c_name, ty: Type::Unit, is_macro: false };
            self.constants.insert(name, constant);
        }
        for item in constants() {
            let name = item.ident.to_string();
            let ty = self.ty(&item.ty)?;
            let quoted = constants().any(|other| mentions(&other.expr, &name));
            let scalar = matches!(ty, Type::Real | Type::Bool | Type::Integer(_));
            let public = is_public(&item.vis);
            let is_macro = scalar && (public || quoted || matches!(ty, Type::Integer(_)));
            if let Some(constant) = self.constants.get_mut(&name) {
                (constant.ty, constant.is_macro) = (ty, is_macro);
            }
        }
        Ok(())
    }

    fn is_aggregate(&self, ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Path(path) => {
                path.path.get_ident().is_some_and(|n| self.records.contains_key(&n.to_string()))
            }
            _ => true,
        }
    }

    fn describe(&mut self, file: &File, namer: &dyn Fn(bool) -> String) -> Result<(), Error> {
        for item in &file.items {
            match item {
                Item::Struct(item) => {
                    let fields = self.fields(item)?;
                    if let Some(record) = self.records.get_mut(&item.ident.to_string()) {
                        record.fields = fields;
                    }
                }
                Item::Fn(item) if !SEAM.contains(&item.sig.ident.to_string().as_str()) => {
                    let name = item.sig.ident.to_string();
                    let stem = name.trim_start_matches("r#");
                    let c_name = self.claim(
                        &format!("{}{stem}", namer(is_public(&item.vis))),
                        is_public(&item.vis),
                    );
                    let signature = self.signature(&item.sig, c_name)?;
                    self.functions.insert(name, signature);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn fields(&self, item: &syn::ItemStruct) -> Result<Vec<(String, Field)>, Error> {
        let Fields::Named(fields) = &item.fields else {
            return Err(no_c(&item, "fields must have names"));
        };
        if fields.named.is_empty() || !item.generics.params.is_empty() {
            return Err(no_c(&item, "a structure needs fields and no parameters"));
        }
        let fields = fields.named.iter().map(|field| {
            let ty = self.value_type(&field.ty)?;
            let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
            Ok((name.clone(), Field { c_name: names::freed(&name, names::is_keyword), ty }))
        });
        fields.collect()
    }

    fn signature(&self, sig: &syn::Signature, c_name: String) -> Result<Signature, Error> {
        let plain = sig.asyncness.is_none() && sig.abi.is_none() && sig.variadic.is_none();
        let generic = !sig.generics.params.is_empty() || sig.generics.where_clause.is_some();
        if !plain || generic || !matches!(sig.safety, syn::Safety::Default) {
            return Err(no_c(sig, "functions are plain and not generic"));
        }
        let parameters = sig.inputs.iter().map(|input| match input {
            FnArg::Typed(input) if matches!(*input.pat, Pat::Ident(_) | Pat::Wild(_)) => {
                let ty = self.ty(&input.ty)?;
                match ty.is_array() {
                    true => Err(no_c(input, "arrays are passed by reference")),
                    false => Ok(ty),
                }
            }
            other => Err(no_c(other, "parameters are names with types")),
        });
        let output = match &sig.output {
            ReturnType::Default => Type::Unit,
            ReturnType::Type(_, ty) => match self.value_type(ty)? {
                Type::Array(..) => return Err(no_c(sig, "arrays are not returned")),
                ty => ty,
            },
        };
        Ok(Signature { c_name, parameters: parameters.collect::<Result<_, _>>()?, output })
    }

    /// A type that is no reference.
    pub(super) fn value_type(&self, ty: &syn::Type) -> Result<Type, Error> {
        match self.ty(ty)? {
            Type::Reference { .. } => Err(no_c(ty, "only parameters are references")),
            ty => Ok(ty),
        }
    }

    pub(super) fn ty(&self, ty: &syn::Type) -> Result<Type, Error> {
        match ty {
            syn::Type::Paren(inner) => self.ty(&inner.elem),
            syn::Type::Group(inner) => self.ty(&inner.elem),
            syn::Type::Tuple(tuple) if tuple.elems.is_empty() => Ok(Type::Unit),
            syn::Type::Array(array) => {
                let element = self.value_type(&array.elem)?;
                Ok(Type::Array(Box::new(element), self.length(&array.len)?))
            }
            syn::Type::Reference(reference) if reference.lifetime.is_none() => {
                let to = Box::new(self.value_type(&reference.elem)?);
                Ok(Type::Reference { mutable: reference.mutability.is_some(), to })
            }
            syn::Type::Path(path) if path.qself.is_none() => path
                .path
                .get_ident()
                .and_then(|name| self.named(&name.to_string()))
                .ok_or_else(|| no_c(ty, "no such type")),
            _ => Err(no_c(ty, "no such type")),
        }
    }

    fn named(&self, name: &str) -> Option<Type> {
        if let Some(integer) = Integer::of_name(name) {
            return Some(Type::Integer(integer));
        }
        Some(match name {
            "Real" | "f64" | "f32" => Type::Real,
            "bool" => Type::Bool,
            "Bits" => self.bits(),
            _ => {
                let record = self.records.get(name).map(|record| &record.c_name);
                let enumeration = || self.enumerations.get(name).map(|e| &e.c_name);
                Type::Named(record.or_else(enumeration)?.clone())
            }
        })
    }

    /// The integer as wide as a real number.
    pub(super) fn bits(&self) -> Type {
        Type::Integer(match self.precision {
            Precision::F64 => Integer::U64,
            Precision::F32 => Integer::U32,
        })
    }

    pub(super) fn is_enumeration(&self, ty: &Type) -> bool {
        matches!(ty, Type::Named(name) if self.enumerations.values().any(|e| e.c_name == *name))
    }

    pub(super) fn record(&self, ty: &Type) -> Option<&Record> {
        match ty {
            Type::Named(name) => self.records.values().find(|record| record.c_name == *name),
            _ => None,
        }
    }

    pub(super) fn length(&self, expr: &Expr) -> Result<Length, Error> {
        let value = self.evaluate(expr, 0)?;
        if value == 0 {
            return Err(no_c(expr, "arrays must not be empty"));
        }
        let name = match expr {
            Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
            _ => None,
        };
        let constant = name.and_then(|name| self.constants.get(&name));
        let text = constant.map_or_else(|| value.to_string(), |c| c.c_name.clone());
        Ok(Length { value, text })
    }

    /// Whether a constant expression has a value beyond C's `int`.
    pub(super) fn exceeds_int(&self, expr: &Expr) -> bool {
        self.evaluate(expr, 0).is_ok_and(|value| value > i32::MAX as usize)
    }

    /// The value of a length, which may use constants.
    fn evaluate(&self, expr: &Expr, depth: usize) -> Result<usize, Error> {
        let refused = || no_c(expr, "not a length");
        let depth = Some(depth + 1).filter(|&d| d < 64).ok_or_else(refused)?;
        match expr {
            Expr::Paren(inner) => self.evaluate(&inner.expr, depth),
            Expr::Group(inner) => self.evaluate(&inner.expr, depth),
            Expr::Lit(ExprLit { lit: Lit::Int(n), .. }) => n.base10_parse().map_err(|_| refused()),
            Expr::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string);
                let value = name.and_then(|name| self.values.get(&name)).ok_or_else(refused)?;
                self.evaluate(value, depth)
            }
            Expr::Binary(binary) => {
                let x = self.evaluate(&binary.left, depth)?;
                let y = self.evaluate(&binary.right, depth)?;
                let value = match binary.op {
                    syn::BinOp::Add(_) => x.checked_add(y),
                    syn::BinOp::Sub(_) => x.checked_sub(y),
                    syn::BinOp::Mul(_) => x.checked_mul(y),
                    syn::BinOp::Div(_) => x.checked_div(y),
                    _ => None,
                };
                value.ok_or_else(refused)
            }
            _ => Err(refused()),
        }
    }
}

pub(super) fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// The names that stand in a piece of code.
pub(super) fn words(code: &impl ToTokens) -> BTreeSet<String> {
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

pub(super) fn mentions(code: &impl ToTokens, name: &str) -> bool {
    words(code).contains(name)
}
