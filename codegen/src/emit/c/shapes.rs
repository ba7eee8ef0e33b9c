//! Types that C declares: structures, enumerations, and those made of others
//! (`Option`, `Result`, tuples).

use std::rc::Rc;

use syn::{Fields, GenericArgument, Item, PathArguments};

use super::inventory::is_public;
use super::symbols::Symbols;
use super::tree::{Node, Tree};
use super::types::{Integer, Type};
use super::{names, no_c};
use crate::Error;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    /// The member of C.
    pub(super) c_name: String,
    pub(super) ty: Type,
}

/// A variant of `Option` or `Result`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Variant {
    pub(super) name: &'static str,
    /// The member that is true for one variant and false for the other.
    pub(super) flag: &'static str,
    pub(super) set: bool,
    /// Its value; `()` needs no member.
    pub(super) field: Option<Field>,
}

impl Variant {
    fn new(name: &'static str, flag: &'static str, set: bool, value: (&str, &Type)) -> Self {
        let field = Field { c_name: value.0.to_owned(), ty: value.1.clone() };
        Self { name, flag, set, field: Some(field).filter(|field| field.ty != Type::Unit) }
    }

    /// Whether a value is of this variant.
    pub(super) fn test(&self, value: Tree) -> Tree {
        let flag = value.member(self.flag, Type::Bool);
        if self.set { flag } else { flag.negated() }
    }

    /// This variant with its value, if it has one.
    pub(super) fn with(&self, value: Option<Tree>, ty: Type) -> Tree {
        let flag = (self.flag.to_owned(), Tree::text(self.set.to_string(), Type::Bool));
        let value =
            self.field.as_ref().zip(value).map(|(field, value)| (field.c_name.clone(), value));
        Tree::new(Node::Parts(std::iter::once(flag).chain(value).collect()), ty)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Record(Vec<(String, Field)>),
    /// Variants that carry nothing, with their names in C.
    Enumeration(Vec<(String, String)>),
    Sum(Vec<Variant>),
}

/// A type that C declares.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) ty: Type,
    /// Its name in Rust, for those that a file declares.
    pub(super) name: Option<String>,
    pub(super) c_name: String,
    /// Its name in C without what all or all public ones have.
    pub(super) stem: String,
    pub(super) public: bool,
    pub(super) kind: Kind,
}

impl Shape {
    /// The types that must be declared before this one.
    pub(super) fn parts(&self) -> Vec<&Type> {
        self.fields().into_iter().map(|field| &field.ty).collect()
    }

    pub(super) fn fields(&self) -> Vec<&Field> {
        match &self.kind {
            Kind::Record(fields) => fields.iter().map(|(_, field)| field).collect(),
            Kind::Enumeration(_) => Vec::new(),
            Kind::Sum(variants) => variants.iter().flat_map(|variant| &variant.field).collect(),
        }
    }
}

/// Members of tuples.
const PLACES: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];

impl Kind {
    pub(super) fn variant(&self, name: &str) -> Option<&Variant> {
        match self {
            Self::Sum(variants) => variants.iter().find(|variant| variant.name == name),
            _ => None,
        }
    }

    pub(super) fn fields(&self) -> Option<&[(String, Field)]> {
        match self {
            Self::Record(fields) => Some(fields),
            _ => None,
        }
    }
}

impl Symbols<'_> {
    /// What C declares for a type; a type that is made of others when it is first
    /// needed.
    pub(super) fn shape(&self, ty: &Type) -> Option<Rc<Shape>> {
        let known = self.shapes.borrow().iter().find(|shape| shape.ty == *ty).cloned();
        let (start, parts) = match (known, ty) {
            (Some(shape), _) => return Some(shape),
            (None, Type::Option(value)) => ("option", vec![&**value]),
            (None, Type::Result(value, error)) => ("result", vec![&**value, &**error]),
            (None, Type::Tuple(parts)) => ("tuple", parts.iter().collect()),
            _ => return None,
        };
        let stems: Vec<_> = parts.into_iter().map(|part| part.stem(self)).collect();
        let stem = format!("{start}_{}", stems.join("_"));
        let public = self.showing.get();
        let c_name = self.claim(&format!("{}{stem}_t", self.prefix(public)), public);
        let kind = self.kind(ty)?;
        let shape = Rc::new(Shape { ty: ty.clone(), name: None, c_name, stem, public, kind });
        self.shapes.borrow_mut().push(shape.clone());
        Some(shape)
    }

    /// What is in a type.
    pub(super) fn kind(&self, ty: &Type) -> Option<Kind> {
        Some(match ty {
            Type::Option(value) => Kind::Sum(vec![
                Variant::new("Some", "some", true, ("value", value)),
                Variant::new("None", "some", false, ("", &Type::Unit)),
            ]),
            Type::Result(value, error) => Kind::Sum(vec![
                Variant::new("Ok", "ok", true, ("value", value)),
                Variant::new("Err", "ok", false, ("error", error)),
            ]),
            Type::Tuple(parts) => {
                let fields = parts.iter().zip(PLACES).enumerate().map(|(i, (ty, place))| {
                    (i.to_string(), Field { c_name: place.to_owned(), ty: ty.clone() })
                });
                Kind::Record(fields.collect())
            }
            ty => self.shapes.borrow().iter().find(|shape| shape.ty == *ty)?.kind.clone(),
        })
    }

    /// A type of the file by its name in Rust.
    pub(super) fn declared(&self, name: &str) -> Option<Rc<Shape>> {
        let shapes = self.shapes.borrow();
        shapes.iter().find(|shape| shape.name.as_deref() == Some(name)).cloned()
    }

    pub(super) fn is_enumeration(&self, ty: &Type) -> bool {
        matches!(self.kind(ty), Some(Kind::Enumeration(_)))
    }

    /// Gives the types of a file their names, before anything says what is in
    /// them.
    pub(super) fn name_types(&mut self, items: &[Item]) {
        for (item, ident, public) in types(items) {
            let kind = match item {
                Item::Struct(_) => Kind::Record(Vec::new()),
                _ => Kind::Enumeration(Vec::new()),
            };
            let stem = names::snake_case(&ident.to_string());
            let c_name = self.claim(&format!("{}{stem}_t", self.prefix(public)), public);
            let (ty, name) = (Type::Named(c_name.clone()), Some(ident.to_string()));
            let shape = Shape { ty, name, c_name, stem, public, kind };
            self.shapes.get_mut().push(Rc::new(shape));
        }
    }

    /// Says what is in the types of a file.
    pub(super) fn describe_types(&self, items: &[Item], public: bool) -> Result<(), Error> {
        for (item, ident, _) in types(items) {
            let shape = self.declared(&ident.to_string()).filter(|shape| shape.public == public);
            let Some(mut shape) = shape else { continue };
            let kind = match item {
                Item::Enum(item) => self.variants(item, &shape)?,
                Item::Struct(item) => {
                    let plain = item.generics.params.is_empty() && !item.fields.is_empty();
                    if !plain || !matches!(item.fields, Fields::Named(_)) {
                        return Err(no_c(item, "a structure has named fields and no parameters"));
                    }
                    Kind::Record(self.fields(&item.fields)?)
                }
                _ => continue,
            };
            Rc::make_mut(&mut shape).kind = kind;
            let mut shapes = self.shapes.borrow_mut();
            shapes.retain(|other| other.c_name != shape.c_name);
            shapes.push(shape);
        }
        Ok(())
    }

    fn variants(&self, item: &syn::ItemEnum, shape: &Shape) -> Result<Kind, Error> {
        if !item.generics.params.is_empty() || item.variants.is_empty() {
            return Err(no_c(item, "an enumeration has variants and no parameters"));
        }
        let variants = item.variants.iter().map(|variant| {
            if !matches!(variant.fields, Fields::Unit) {
                return Err(no_c(variant, "variants carry no data"));
            }
            let name = variant.ident.to_string();
            let stem = format!("{}_{}", shape.stem, names::snake_case(&name));
            let label = format!("{}{stem}", self.prefix(shape.public)).to_uppercase();
            Ok((name, self.claim(&label, shape.public)))
        });
        Ok(Kind::Enumeration(variants.collect::<Result<_, _>>()?))
    }

    fn fields(&self, fields: &Fields) -> Result<Vec<(String, Field)>, Error> {
        let fields = fields.iter().map(|field| {
            let ty = self.value_type(&field.ty)?;
            let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
            let c_name = names::freed(&name, names::is_keyword);
            Ok((name.trim_start_matches("r#").to_owned(), Field { c_name, ty }))
        });
        fields.collect()
    }

    /// A type that is no reference.
    pub(super) fn value_type(&self, ty: &syn::Type) -> Result<Type, Error> {
        match self.ty(ty)? {
            Type::Reference { .. } => Err(no_c(ty, "only parameters are references")),
            ty => Ok(ty),
        }
    }

    pub(super) fn ty(&self, ty: &syn::Type) -> Result<Type, Error> {
        let unknown = || no_c(ty, "no such type");
        match ty {
            syn::Type::Paren(inner) => self.ty(&inner.elem),
            syn::Type::Group(inner) => self.ty(&inner.elem),
            syn::Type::Tuple(tuple) if tuple.elems.is_empty() => Ok(Type::Unit),
            syn::Type::Tuple(tuple) if tuple.elems.len() <= PLACES.len() => {
                let parts = tuple.elems.iter().map(|part| self.value_type(part));
                let ty = Type::Tuple(parts.collect::<Result<_, _>>()?);
                self.shape(&ty).map(|_| ty).ok_or_else(unknown)
            }
            syn::Type::Array(array) => {
                let element = self.value_type(&array.elem)?;
                Ok(Type::Array(Box::new(element), self.length(&array.len)?))
            }
            syn::Type::Reference(reference) if reference.lifetime.is_none() => {
                let to = Box::new(self.value_type(&reference.elem)?);
                Ok(Type::Reference { mutable: reference.mutability.is_some(), to })
            }
            syn::Type::Path(path) if path.qself.is_none() => match path.path.get_ident() {
                Some(name) => self.named(&name.to_string()).ok_or_else(unknown),
                None => self.generic(&path.path).ok_or_else(unknown)?,
            },
            _ => Err(unknown()),
        }
    }

    /// `Option<T>` or `Result<T, E>`.
    fn generic(&self, path: &syn::Path) -> Option<Result<Type, Error>> {
        let segment = path.segments.first().filter(|_| path.segments.len() == 1)?;
        let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
        let types = arguments.args.iter().map(|argument| match argument {
            GenericArgument::Type(ty) => self.value_type(ty),
            other => Err(no_c(other, "no such argument of a type")),
        });
        let types = match types.collect::<Result<Vec<_>, _>>() {
            Ok(types) => types,
            Err(error) => return Some(Err(error)),
        };
        let ty = match (segment.ident.to_string().as_str(), &types[..]) {
            ("Option", [value]) if *value != Type::Unit => Type::Option(Box::new(value.clone())),
            ("Result", [value, error]) => {
                Type::Result(Box::new(value.clone()), Box::new(error.clone()))
            }
            _ => return None,
        };
        self.shape(&ty).map(|_| Ok(ty))
    }

    /// Whether this is the type of real numbers.
    pub(super) fn is_real(&self, name: &str) -> bool {
        name == "Real" || name == self.precision.name()
    }

    fn named(&self, name: &str) -> Option<Type> {
        if let Some(integer) = Integer::of_name(name) {
            return Some(Type::Integer(integer));
        }
        Some(match name {
            name if self.is_real(name) => Type::Real,
            "bool" => Type::Bool,
            "Bits" => self.bits(),
            _ => self.declared(name)?.ty.clone(),
        })
    }
}

/// The structures and enumerations among items, with their names and whether they are
/// public.
pub(super) fn types(items: &[Item]) -> impl Iterator<Item = (&Item, &syn::Ident, bool)> {
    items.iter().filter_map(|item| match item {
        Item::Struct(declared) => Some((item, &declared.ident, is_public(&declared.vis))),
        Item::Enum(declared) => Some((item, &declared.ident, is_public(&declared.vis))),
        _ => None,
    })
}
