//! The part of a file that some of its items need.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, ExprMethodCall, File, ImplItem, Item, Macro, PatIdent, Path};

/// Keeps the functions, constants and types that the roots reach, in their
/// order, and of each type the methods that are called somewhere. What has no name of its
/// own, such as `use`, stays.
///
/// ```
/// use routh_codegen::emit::reachable;
///
/// let file = syn::parse_str("fn a() { b() } fn b() {} fn c() {}")?;
/// assert_eq!(reachable(file, &["a"]).items.len(), 2);
/// # Ok::<(), syn::Error>(())
/// ```
pub fn reachable(mut file: File, roots: &[&str]) -> File {
    let mut mentions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for item in &file.items {
        match item {
            Item::Impl(item) if item.trait_.is_none() => {
                for member in &item.items {
                    let used = Mentions::of(|mentions| mentions.visit_impl_item(member));
                    mentions.entry(member_name(member)).or_default().extend(used);
                }
            }
            item => {
                if let Some(name) = name(item) {
                    let used = Mentions::of(|mentions| mentions.visit_item(item));
                    mentions.entry(name).or_default().extend(used);
                }
            }
        }
    }
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<String> = roots.iter().map(|root| (*root).to_owned()).collect();
    while let Some(next) = waiting.pop() {
        if let Some(names) = mentions.get(&next)
            && reached.insert(next)
        {
            waiting.extend(names.iter().cloned());
        }
    }
    file.items.retain(|item| name(item).is_none_or(|name| reached.contains(&name)));
    for item in &mut file.items {
        if let Item::Impl(item) = item
            && item.trait_.is_none()
        {
            item.items.retain(|member| reached.contains(&member_name(member)));
        }
    }
    file.items.retain(|item| !matches!(item, Item::Impl(item) if item.items.is_empty()));
    file
}

/// How methods and constants of types are told from functions.
const MEMBER: &str = "::";

fn member_name(member: &ImplItem) -> String {
    let name = match member {
        ImplItem::Fn(item) => item.sig.ident.to_string(),
        ImplItem::Const(item) => item.ident.to_string(),
        _ => String::new(),
    };
    format!("{MEMBER}{name}")
}

/// What an item is called, or belongs to.
fn name(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Impl(item) => match &*item.self_ty {
            syn::Type::Path(path) => &path.path.segments.last()?.ident,
            _ => return None,
        },
        _ => return None,
    };
    Some(ident.to_string())
}

/// Names that an item uses. A name that it binds is its own, unless called.
#[derive(Default)]
struct Mentions {
    used: BTreeSet<String>,
    called: BTreeSet<String>,
    bound: BTreeSet<String>,
}

impl Mentions {
    fn of(visit: impl FnOnce(&mut Self)) -> impl Iterator<Item = String> {
        let mut mentions = Self::default();
        visit(&mut mentions);
        let Self { used, called, bound } = mentions;
        used.into_iter().filter(move |name| !bound.contains(name)).chain(called)
    }
}

impl<'ast> Visit<'ast> for Mentions {
    fn visit_path(&mut self, path: &'ast Path) {
        self.used.extend(path.segments.iter().map(|segment| segment.ident.to_string()));
        if path.segments.len() > 1
            && let Some(last) = path.segments.last()
        {
            self.called.insert(format!("{MEMBER}{}", last.ident));
        }
        visit::visit_path(self, path);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.called.insert(format!("{MEMBER}{}", call.method));
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let Expr::Path(function) = &*call.func
            && let Some(name) = function.path.get_ident()
        {
            self.called.insert(name.to_string());
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        let name = pattern.ident.to_string();
        let constant = name.starts_with(|c: char| c.is_uppercase());
        if constant { &mut self.called } else { &mut self.bound }.insert(name);
        visit::visit_pat_ident(self, pattern);
    }

    /// A macro's arguments may be anything, so that all their words count.
    fn visit_macro(&mut self, invocation: &'ast Macro) {
        fn words(tokens: proc_macro2::TokenStream, found: &mut BTreeSet<String>) {
            for token in tokens {
                match token {
                    proc_macro2::TokenTree::Ident(word) => {
                        found.insert(word.to_string());
                    }
                    proc_macro2::TokenTree::Group(group) => words(group.stream(), found),
                    _ => {}
                }
            }
        }
        let mut found = BTreeSet::new();
        words(invocation.tokens.clone(), &mut found);
        self.called.extend(found.iter().map(|word| format!("{MEMBER}{word}")));
        self.called.append(&mut found);
        visit::visit_macro(self, invocation);
    }
}
