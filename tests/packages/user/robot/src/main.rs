//! Solves one impact with the generated solver, and says where its C is.

mod seed_robot {
    #![allow(dead_code)]
    include!(concat!(env!("OUT_DIR"), "/seed_robot.rs"));
}

fn main() {
    let impact = seed_robot::impact(&[-10.0, 4.0, 0.0]).expect("an impact that can be solved");
    assert!(impact.velocity[0] > 0.0);
    println!("{}", env!("FOLDER"));
}
