//! Generated solvers, as a user includes them.

macro_rules! included {
    ($($module:ident $([$size:expr])* $($friction:ident)? $(, $restitution:ident)?;)*) => {$(
        /// A generated solver.
        pub mod $module {
            routh::include_generated!(concat!(stringify!($module), ".rs"));

            /// The sizes of those arguments that are arrays, which are first.
            pub const ARRAYS: &[usize] = &[$($size),*];

            /// Those that are not.
            pub const STRUCTURES: &[&str] = &[$(stringify!($friction),)? $(stringify!($restitution))?];

            /// The impact of arguments that stand in one row: arrays, static and kinetic
            /// friction, law and coefficient of restitution.
            pub fn of_row(row: &[f64]) -> Result<Impact, Error> {
                let mut row = row.iter().map(|x| *x as Real);
                let mut next = || row.next().expect("enough numbers");
                impact(
                    $(&std::array::from_fn::<_, { $size }, _>(|_| next()),)*
                    $(&$friction { static_friction: next(), kinetic: next() },)?
                    $(&$restitution {
                        law: [Law::Newton, Law::Poisson, Law::Energetic][next() as usize],
                        e: next(),
                    },)?
                )
            }
        }
    )*};
}

included! {
    any [3] [9] Friction, Restitution;
    any_3 [3] [9] Friction, Restitution;
    any_6 [3] [9] Friction, Restitution;
    any_9 [3] [9] Friction, Restitution;
    any_12 [3] [9] Friction, Restitution;
    any_single [3] [9] Friction, Restitution;
    any_varied [3] [9] Friction, Restitution;
    any_planar [2] [4] Friction, Restitution;
    any_planar_single [2] [4] Friction, Restitution;
    any_planar_varied [2] [4] Friction, Restitution;
    seed_robot [3];
    bar [2], Restitution;
    seed_robot_flow [3], Restitution;
    seed_robot_flow_f32 [3], Restitution;
    seed_robot_pieces [3], Restitution;
    light_flow [3], Restitution;
    masses_flow [VELOCITIES], Restitution;
    planar_arm [POSITIONS] [VELOCITIES] Friction, Restitution;
    spatial_arm4 [POSITIONS] [VELOCITIES] Friction, Restitution;
    leg3_floating [POSITIONS] [VELOCITIES] Friction, Restitution;
}
