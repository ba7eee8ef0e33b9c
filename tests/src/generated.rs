//! Generated solvers, as a user includes them, and the arguments they take.

use routh_solver as solver;

use crate::reference::Input;

macro_rules! included {
    ($($module:ident)*) => {$(
        /// A generated solver.
        pub mod $module {
            routh_solver::include_generated!(concat!(stringify!($module), ".rs"));
        }
    )*};
}

included! {
    any any_3 any_6 any_9 any_12 any_single any_varied any_planar any_planar_single any_planar_varied
    seed_robot seed_robot_flow seed_robot_flow_f32 masses_flow planar_arm spatial_arm4 leg3_floating
}

/// An impact as the arguments of a generated solver that takes all.
macro_rules! arguments {
    ($($name:ident, $module:ident, $dimension:literal;)*) => {$(
        /// An impact as a generated solver takes it.
        pub fn $name(
            input: &Input<$dimension>,
        ) -> (
            [$module::Real; $dimension],
            [$module::Real; $dimension * $dimension],
            $module::Friction,
            $module::Restitution,
        ) {
            let real = |x: f64| x as $module::Real;
            let inertia = std::array::from_fn(|k| {
                real(input.inertia[k / $dimension][k % $dimension])
            });
            let law = match input.restitution.law() {
                solver::Law::Newton => $module::Law::Newton,
                solver::Law::Poisson => $module::Law::Poisson,
                solver::Law::Energetic => $module::Law::Energetic,
            };
            (
                input.velocity.map(real),
                inertia,
                $module::Friction {
                    static_friction: real(input.friction.static_friction()),
                    kinetic: real(input.friction.kinetic()),
                },
                $module::Restitution { law, e: real(input.restitution.e()) },
            )
        }
    )*};
}

arguments! {
    spatial, any, 3;
    spatial_single, any_single, 3;
    spatial_varied, any_varied, 3;
    planar, any_planar, 2;
    planar_single, any_planar_single, 2;
    planar_varied, any_planar_varied, 2;
}
