//! Random contacts of all sizes and shapes.
