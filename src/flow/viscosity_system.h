// The linear system of a liquid's viscosity (viscosity.h): which faces are unknowns, what the liquid around them weighs, and the matrix as a
// function.
//
//   ViscousSystem system(domain);
//   system.set_up({.dt = dt, .nu = 1e-2}, walls, solids, phi, u);
//   double energy = system.apply(p, product);        // product = A p on unknown faces; returns p . A p
//
//      (A p)_f = V_f p_f  +  differences of  w_c (difference of p across cell c)  and of  a_e tau_e,    tau_e = a_e dp + b_e dq
//
//   V    liquid's part of the cube around a face                            w    2 dt nu / h^2 times the liquid's part of a cell
//   a, b the roots of dt nu / h^2 times the liquid's part of the cube around an edge, over the share theta of a cell that lies before a
//        wall: a for the component along the axis after the edge's, b for the one after that. They differ only next to walls.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "field/domain.h"
#include "field/mac.h"
#include "flow/solids.h"
#include "flow/walls.h"

namespace phlo::flow {

struct ViscosityParams {
    double dt = 0;                            ///< [s]
    double nu = 0;                            ///< kinematic viscosity [m^2/s]
    const field::Grid* nu_grid = nullptr;     ///< if given, instead of `nu`: at cell centres, of the liquid and one cell around it [m^2/s]
    bool walls_stick = false;                 ///< to closed walls and inflows; bodies say it themselves (geom::Body::no_slip)
    double tolerance = 1e-4;                  ///< of the velocity, see ViscosityReport::residual
    int max_iterations = 1000;
};

class ViscousSystem {
public:
    explicit ViscousSystem(const field::Domain& domain);

    /// Sets the faces of u that liquid sticks to, see ViscositySolver::solve.
    void set_up(const ViscosityParams& params, const Walls& walls, const Solids& solids, const field::Grid& phi, field::MacGrid& u);

    /// p must be 0 on all other faces than the unknowns, or hold their given velocity.
    double apply(const field::MacGrid& p, field::MacGrid& product) const;
    /// residual -= what bodies that move exert beyond A applied to the velocities of the faces in them.
    void add_motion(field::MacGrid& residual) const;

    /// A piece of a row of faces that holds unknowns: [first, last).
    struct Row {
        int axis, j, k, first, last;
    };
    const std::vector<Row>& rows() const { return rows_; }
    static constexpr int rows_an_item = 24;  ///< of parallel work
    int items() const { return int((rows_.size() + rows_an_item - 1) / rows_an_item); }
    template <class Visit>
    void for_each_row(int item, Visit&& visit) const {
        const std::size_t first = std::size_t(item) * rows_an_item, last = std::min(first + rows_an_item, rows_.size());
        for (std::size_t r = first; r < last; ++r) visit(rows_[r]);
    }

    long unknowns() const { return unknowns_; }
    const field::MacGrid& volume() const { return volume_; }    ///< V of faces
    const field::MacGrid& inverse() const { return inverse_; }  ///< 1 / diagonal of A; 0: not an unknown
    std::size_t bytes() const;

private:
    enum class Face : std::uint8_t { free, held, stuck };  ///< held: keeps its value; stuck: has that of a body to which liquid sticks
    struct Stress {  ///< what a moving body adds to tau of an edge, or to the strain of a cell (axis 3 + component)
        std::uint8_t kind;
        std::int16_t i, j, k;
        float tau;
    };

    std::size_t row_index(int j, int k) const { return std::size_t(k) * std::size_t(layout_.ny() + 1) + std::size_t(j); }
    void forget();
    void classify_faces(const Solids& solids, field::MacGrid& u);
    void weigh_row(const ViscosityParams& params, const Walls& walls, const Solids& solids, const field::Grid& phi, int j, int k, std::vector<Stress>& moved);
    void weigh_cells_at_bodies(const Solids& solids, int j, int k, std::vector<Stress>& moved);
    void weigh_edges_at_walls(const ViscosityParams& params, const Walls& walls, int along, int j, int k);
    void weigh_edges_at_bodies(const Solids& solids, int along, int j, int k, std::vector<Stress>& moved);
    void find_unknowns(const Walls& walls);
    float* second_edges(int along, int j, int k);
    void drop_edge(int along, int i, int j, int k);
    const float* cell_row(int axis, int j, int k) const;
    const float* edge_row(int along, int axis, int j, int k) const;
    Face face(int axis, int i, int j, int k) const { return kind_[0].empty() ? Face::free : Face(kind_[std::size_t(axis)][std::size_t(layout_.offset(i, j, k))]); }
    bool near_body(const Solids& solids, int j, int k) const;
    void apply_row(const Row& row, const field::MacGrid& p, float* out) const;

    field::Domain domain_;
    field::Layout layout_;
    field::MacGrid volume_, inverse_;
    field::Grid cell_;
    field::MacGrid edge_;          ///< a
    field::MacGrid cell_stuck_;    ///< w by component, in rows of cells next to bodies that liquid sticks to
    field::MacGrid edge_stuck_;    ///< b, in rows where it differs from a
    std::vector<std::uint8_t> used_, cell_differs_;             ///< by row_index
    std::array<std::vector<std::uint8_t>, 3> edge_differs_;
    std::array<std::vector<std::uint8_t>, 3> kind_;             ///< Face by component, where bodies are; empty: no bodies
    std::vector<Row> rows_;
    std::vector<Stress> moved_;
    long unknowns_ = 0;
};

}  // namespace phlo::flow
