//! What the commands give back: answers, files, progress, and why something failed.

mod answers;
mod failure;
mod files;
mod progress;
mod replies;

pub(crate) use answers::{answer_each, answer_each_as, answer_together, unreadable, write_line};
pub(crate) use failure::Failure;
pub(crate) use files::write_file;
pub(crate) use progress::Progress;
pub use replies::{Question, replies};

/// A JSON object with the given fields in their order.
macro_rules! object {
    ($($(#[$attribute:meta])* $field:ident: $value:expr),* $(,)?) => {{
        #[allow(non_camel_case_types)]
        let object = {
            #[derive(serde::Serialize)]
            struct Object<$($field),*> {
                $($(#[$attribute])* $field: $field),*
            }
            Object { $($field: $value),* }
        };
        object
    }};
}
pub(crate) use object;
