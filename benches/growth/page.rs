//! The tables of `docs/growth.md`, which stand between comments that name them.

use std::error::Error;
use std::fs;

use crate::measured::root;

/// Puts a table in its place in the page.
pub(crate) fn put(name: &str, table: &str) -> Result<(), Box<dyn Error>> {
    let path = root().join("docs/growth.md");
    let page = fs::read_to_string(&path)?;
    let (begins, ends) = (format!("<!-- {name} -->\n"), "<!-- end -->\n");
    let missing = || format!("docs/growth.md has no place for {name}");
    let start = page.find(&begins).ok_or_else(missing)? + begins.len();
    let length = page[start..].find(ends).ok_or_else(missing)?;
    let (before, after) = (&page[..start], &page[start + length..]);
    Ok(fs::write(path, format!("{before}{}\n{after}", table))?)
}
