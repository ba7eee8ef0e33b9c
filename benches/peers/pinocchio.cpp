// The generated C for D(q), J(q) and M⁻¹Jᵀ against Pinocchio, timed in turn in
// one process, many times over; the shortest counts. Every result of one is
// checked against the other's first.
//
// Pinocchio goes the fastest of the ways it offers: composite bodies in the
// world's axes, which leave the joints' Jacobians, or in those of the joints; the
// sparse Cholesky of its own, or Eigen's dense one.

#include <pinocchio/fwd.hpp>

#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/parsers/urdf.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "arm7.h"
#include "leg3_floating.h"
#include "planar_arm.h"
#include "spatial_arm4.h"

namespace {

constexpr int MANY = 100;
constexpr int ROUNDS = 400;
constexpr double TOLERANCE = 1e-10;
constexpr double SAMPLE = 1e5; // ns

// Numbers in ±1, the same as in `robots.rs`.
struct Numbers {
    std::uint64_t state = 1;

    double next()
    {
        state = state * 6364136223846793005u + 1;
        return static_cast<double>(state >> 33) / static_cast<double>(1 << 30) - 1.0;
    }
};

// What the compiler must believe to be read.
template <typename T> void used(T &value) { asm volatile("" : : "g"(&value) : "memory"); }

// What is timed, in how large samples, and its shortest time so far.
struct Timed {
    std::function<void()> run;
    int runs = 1;
    double least = std::numeric_limits<double>::infinity();

    explicit Timed(std::function<void()> what) : run(std::move(what))
    {
        sample();
        runs = static_cast<int>(std::clamp(SAMPLE / least, 1.0, 1e4));
    }

    void sample()
    {
        using clock = std::chrono::steady_clock;
        auto start = clock::now();
        for (int i = 0; i < runs; ++i) {
            run();
        }
        std::chrono::duration<double, std::nano> time = clock::now() - start;
        least = std::min(least, time.count() / runs);
    }
};

enum class Convention { World, Local };
enum class Factors { Sparse, Dense };

// Pinocchio's way to V velocities' response in C directions.
template <int V, int C> class Rival {
  public:
    using Rows = Eigen::Matrix<double, C, V>;

    Eigen::Matrix<double, C, C> inertia;
    Rows jacobian;
    Eigen::Matrix<double, V, C> response;

    Rival(const std::string &urdf, bool floating)
    {
        if (floating) {
            pinocchio::urdf::buildModel(urdf, pinocchio::JointModelFreeFlyer(), model);
        } else {
            pinocchio::urdf::buildModel(urdf, model);
        }
        data = pinocchio::Data(model);
        tip = model.getFrameId("tip");
        whole.setZero();
        check_size();
    }

    template <Convention convention, Factors factors> void at(const Eigen::VectorXd &q)
    {
        if constexpr (convention == Convention::World) {
            pinocchio::crba(model, data, q, pinocchio::Convention::WORLD);
            pinocchio::getFrameJacobian(model, data, tip, pinocchio::LOCAL_WORLD_ALIGNED, whole);
        } else {
            pinocchio::crba(model, data, q, pinocchio::Convention::LOCAL);
            pinocchio::computeFrameJacobian(
                model, data, q, tip, pinocchio::LOCAL_WORLD_ALIGNED, whole);
        }
        // The normal is z; the tangents are x and y.
        jacobian.row(0) = whole.row(2);
        jacobian.template bottomRows<C - 1>() = whole.template topRows<C - 1>();
        if constexpr (factors == Factors::Sparse) {
            pinocchio::cholesky::decompose(model, data);
            response = jacobian.transpose();
            pinocchio::cholesky::solve(model, data, response);
            inertia.noalias() = jacobian * response;
        } else {
            Eigen::LLT<Eigen::Matrix<double, V, V>, Eigen::Upper> factored(data.M);
            response = jacobian.transpose();
            factored.solveInPlace(response);
            inertia.noalias() = jacobian * response;
        }
    }

  private:
    pinocchio::Model model;
    pinocchio::Data data;
    pinocchio::FrameIndex tip = 0;
    Eigen::Matrix<double, 6, V> whole;

    void check_size() const
    {
        if (model.nv != V) {
            std::fprintf(stderr, "%d velocities instead of %d\n", model.nv, V);
            std::exit(1);
        }
    }
};

void near(double x, double y, double scale)
{
    if (!(std::abs(x - y) < TOLERANCE * std::max(scale, 1.0))) {
        std::fprintf(stderr, "%.17g is not %.17g\n", x, y);
        std::exit(1);
    }
}

template <int V, int C, typename Dynamics>
void compare(const Dynamics &generated, const Rival<V, C> &rival)
{
    double scale = std::max(
        rival.inertia.cwiseAbs().maxCoeff(), rival.response.cwiseAbs().maxCoeff());
    for (int i = 0; i < C; ++i) {
        for (int j = 0; j < V; ++j) {
            near(generated.jacobian[i][j], rival.jacobian(i, j), 1.0);
            near(generated.response[j][i], rival.response(j, i), scale);
        }
        for (int j = 0; j < C; ++j) {
            near(generated.inertia[C * i + j], rival.inertia(i, j), scale);
        }
    }
}

template <int P, int V, int C, typename Dynamics>
void measure(const std::string &folder, const char *name, void (*dynamics)(const double *, Dynamics *))
{
    constexpr bool floating = P != V;
    Rival<V, C> rival(folder + "/" + name + ".urdf", floating);
    Numbers numbers;
    std::vector<std::array<double, P>> positions(MANY);
    std::vector<Eigen::VectorXd> configurations;
    Dynamics generated;
    for (auto &q : positions) {
        for (auto &x : q) {
            x = 3.0 * numbers.next();
        }
        for (int i = 0; i < V; ++i) {
            numbers.next();
        }
        // Before a free base's quaternion, which must be of length one, its place.
        Eigen::VectorXd configuration = Eigen::VectorXd::Zero(P + (floating ? 3 : 0));
        configuration.template tail<P>() = Eigen::Map<Eigen::Matrix<double, P, 1>>(q.data());
        if (floating) {
            configuration.template segment<4>(3).normalize();
        }
        configurations.push_back(configuration);
        dynamics(q.data(), &generated);
        rival.template at<Convention::World, Factors::Sparse>(configuration);
        compare(generated, rival);
        rival.template at<Convention::World, Factors::Dense>(configuration);
        compare(generated, rival);
        rival.template at<Convention::Local, Factors::Sparse>(configuration);
        compare(generated, rival);
        rival.template at<Convention::Local, Factors::Dense>(configuration);
        compare(generated, rival);
    }
    auto each = [&](auto way) {
        return Timed([&, way] {
            for (const auto &q : configurations) {
                way(q);
                used(rival);
            }
        });
    };
    std::vector<Timed> times = {
        Timed([&] {
            for (const auto &q : positions) {
                dynamics(q.data(), &generated);
                used(generated);
            }
        }),
        each([&](auto &q) { rival.template at<Convention::World, Factors::Sparse>(q); }),
        each([&](auto &q) { rival.template at<Convention::World, Factors::Dense>(q); }),
        each([&](auto &q) { rival.template at<Convention::Local, Factors::Sparse>(q); }),
        each([&](auto &q) { rival.template at<Convention::Local, Factors::Dense>(q); }),
    };
    for (int round = 0; round < ROUNDS; ++round) {
        for (auto &timed : times) {
            timed.sample();
        }
    }
    double least = std::numeric_limits<double>::infinity();
    std::printf("| %s | %.0f |", name, times[0].least / MANY);
    for (std::size_t i = 1; i < times.size(); ++i) {
        least = std::min(least, times[i].least);
        std::printf(" %.0f |", times[i].least / MANY);
    }
    std::printf(" %.2f |\n", least / times[0].least);
}

} // namespace

int main(int count, char **arguments)
{
    if (count != 2) {
        std::fprintf(stderr, "usage: pinocchio FOLDER_OF_URDFS\n");
        return 1;
    }
    std::string folder = arguments[1];
    std::puts("| robot | generated | world, sparse | world, dense | local, sparse | local, dense | "
              "fastest / generated |");
    std::puts("|---|---|---|---|---|---|---|");
    measure<2, 2, 2>(folder, "planar_arm", planar_arm_dynamics);
    measure<4, 4, 3>(folder, "spatial_arm4", spatial_arm4_dynamics);
    measure<7, 9, 3>(folder, "leg3_floating", leg3_floating_dynamics);
    measure<7, 7, 3>(folder, "arm7", arm7_dynamics);
    return 0;
}
