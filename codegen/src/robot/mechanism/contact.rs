//! A contact's place and directions, checked.

use nalgebra::Vector3;

use super::urdf::listed;
use super::{Base, ContactFrame, Mechanism};
use crate::Error;

/// How far directions may be from orthonormal.
const ORTHONORMAL: f64 = 1e-9;

impl ContactFrame {
    /// Normal and tangents, orthonormal.
    pub(super) fn directions(&self) -> Result<Vec<Vector3<f64>>, Error> {
        if !matches!(self.tangents.len(), 1 | 2) {
            return Err(Error::Tangents(self.tangents.len()));
        }
        let mut directions: Vec<Vector3<f64>> = Vec::new();
        for (i, value) in std::iter::once(&self.normal).chain(&self.tangents).enumerate() {
            let wrong = |reason| Error::ContactDirection {
                field: if i == 0 { "normal".to_owned() } else { format!("tangents[{}]", i - 1) },
                value: *value,
                reason,
            };
            let mut v = Vector3::from(*value);
            if !v.iter().all(|x| x.is_finite()) {
                return Err(wrong("is not finite"));
            }
            if (v.norm() - 1.0).abs() > ORTHONORMAL {
                return Err(wrong("is not of unit length"));
            }
            for earlier in &directions {
                let along = v.dot(earlier);
                if along.abs() > ORTHONORMAL {
                    return Err(wrong("is not at right angles to the directions before it"));
                }
                v -= along * earlier;
            }
            directions.push(v.normalize());
        }
        Ok(directions)
    }
}

impl Mechanism {
    /// The body that a frame is on, and where.
    pub(super) fn contact_point(
        &self,
        frame: &str,
    ) -> Result<(Option<usize>, Vector3<f64>), Error> {
        let Some(link) = self.tree.links.iter().find(|link| link.name == frame) else {
            let known = listed(self.link_names());
            return Err(Error::UnknownFrame { frame: frame.to_owned(), known });
        };
        if link.body.is_none() && self.tree.base == Base::Fixed {
            return Err(Error::UnmovedContact(frame.to_owned()));
        }
        Ok((link.body, link.frame.translation))
    }
}
