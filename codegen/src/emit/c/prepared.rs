//! The part of a file that C has a use for: no imports, implementations of
//! traits and tests, and the types that `Self` stands for by their names.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, File, Item, ItemImpl};

use super::no_c;
use crate::Error;

pub(super) fn prepared(file: &File) -> Result<File, Error> {
    let kept = file.items.iter().filter(|item| match item {
        Item::Use(_) => false,
        Item::Impl(item) => item.trait_.is_none(),
        Item::Mod(item) => !item.attrs.iter().any(is_for_tests),
        _ => true,
    });
    let items = kept.map(|item| match item {
        Item::Impl(item) => spelled_out(item).map(Item::Impl),
        item => Ok(item.clone()),
    });
    let items = items.collect::<Result<_, _>>()?;
    Ok(File { shebang: None, frontmatter: None, attrs: Vec::new(), items })
}

fn is_for_tests(attribute: &Attribute) -> bool {
    attribute.to_token_stream().to_string() == "# [cfg (test)]"
}

/// The type whose implementation this is.
pub(super) fn owner(item: &ItemImpl) -> Result<&Ident, Error> {
    let name = match &*item.self_ty {
        syn::Type::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    };
    let generic = !item.generics.params.is_empty();
    name.filter(|_| !generic).ok_or_else(|| no_c(&item.self_ty, "no such type to implement"))
}

fn spelled_out(item: &ItemImpl) -> Result<ItemImpl, Error> {
    let tokens = with_self_as(owner(item)?, item.to_token_stream());
    syn::parse2(tokens).map_err(|error| no_c(item, error.to_string()))
}

fn with_self_as(name: &Ident, tokens: TokenStream) -> TokenStream {
    let tokens = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(word) if word == "Self" => TokenTree::Ident(name.clone()),
        TokenTree::Group(group) => {
            let inner = with_self_as(name, group.stream());
            TokenTree::Group(Group::new(group.delimiter(), inner))
        }
        token => token,
    });
    tokens.collect()
}
