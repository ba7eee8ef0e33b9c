//! What the commands answer to a text, without files and terminals.

use std::io::{self, Cursor};

use routh::Accuracy;
use serde::Serialize;

use super::answers::refusal;
use crate::commands::{chain, contacts, solve, trajectory};
use crate::input::{Document, Documents, Rejection};

/// What is asked of each document: the command that answers it with a line of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// `routh solve`.
    Impact,
    /// `routh trajectory`.
    Motion,
    /// `routh chain`.
    Chain,
    /// `routh contacts`.
    Contacts,
}

impl Question {
    fn reply(self, document: Document) -> serde_json::Result<String> {
        match self {
            Self::Impact => line(solve::answer(document, Accuracy::default())),
            Self::Motion => line(trajectory::answer(document)),
            Self::Chain => line(chain::answer(document, Accuracy::default())),
            Self::Contacts => line(contacts::answer(document)),
        }
    }
}

fn line<T: Serialize>(answer: Result<T, Rejection>) -> serde_json::Result<String> {
    match answer {
        Ok(answer) => serde_json::to_string(&answer),
        Err(rejection) => serde_json::to_string(&refusal(&rejection)),
    }
}

/// The replies to the documents of a text, in order.
///
/// # Errors
/// If a reply is no JSON, which would be a defect.
pub fn replies(question: Question, text: &[u8]) -> io::Result<Vec<String>> {
    let mut documents = Documents::new(Box::new(Cursor::new(text.to_vec())), false)?;
    let mut replies = Vec::new();
    while let Some(document) = documents.next()? {
        replies.push(question.reply(document)?);
    }
    Ok(replies)
}
