// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plasma_Ranks.hpp"

#include <App_Job.hpp>

#include <Sporos_DistributedParticleGrid.hpp>
#include <Sporos_Migrate.hpp>

#include <fftw3-mpi.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace PlasmaApp {
namespace {

using Slabs = Sporos::DistributedGrid<2>;

/// Grid points beyond its cell that a particle adds to, and one more.
constexpr int reach = Delta::support / 2 + 1;
/// A slab with ghost layers may not cover the grid twice.
constexpr int least_across = 8;

void succeed(int code, const char* call) {
  if (code != MPI_SUCCESS)
    throw std::runtime_error(std::string("plasma: ") + call + " failed");
}

/// FFTW-MPI's parts of (cells(0), waves) numbers and of their transpose.
struct Parts {
  std::ptrdiff_t cells, waves;
  std::ptrdiff_t rows = 0, first = 0, columns = 0, first_column = 0;
  std::size_t memory = 0;  ///< complex numbers

  Parts(const Setup& setup, MPI_Comm comm)
      : cells(setup.cells[0]), waves(setup.cells[1] / 2 + 1) {
    memory = std::size_t(fftw_mpi_local_size_2d_transposed(
        cells, waves, comm, &rows, &first, &columns, &first_column));
  }
};

/// The first rows of all slabs, and the end of the last.
std::vector<int> cuts(const Sporos::Communicator& comm, const Setup& setup,
                      const Parts& parts) {
  std::vector<int> counts(std::size_t(comm.size()), 0);
  const int mine = int(parts.rows);
  succeed(
      MPI_Allgather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, comm.mpi()),
      "MPI_Allgather");
  const int least = *std::min_element(counts.begin(), counts.end());
  if (least < reach)
    throw std::invalid_argument(
        "plasma: --cells: the slabs of FFTW-MPI need at least " +
        std::to_string(reach) + " rows each, but of " +
        std::to_string(setup.cells[0]) + " rows one of " +
        std::to_string(comm.size()) + " ranks gets " + std::to_string(least));
  if (setup.cells[1] < least_across)
    throw std::invalid_argument("plasma: --across takes at least " +
                                std::to_string(least_across) +
                                " on several ranks and with --any-ranks, got " +
                                std::to_string(setup.cells[1]));
  std::vector<int> all{0};
  for (const int n : counts) all.push_back(all.back() + n);
  return all;
}

Slabs slabs(const Sporos::Communicator& comm, const Setup& setup,
            const Parts& parts) {
  Sporos::DistributedGridOptions<2> options;
  options.ghosts  = reach;
  options.cuts[0] = cuts(comm, setup, parts);
  return Slabs(
      comm,
      Sporos::Grid<2>({{setup.cells[0], setup.cells[1]}}, setup.spacing()),
      options);
}

/// MPI_Op: adds exact sums.
void add_sums(void* from, void* to, int* count, MPI_Datatype*) {
  const auto* const in = static_cast<Sporos::ExactSum<double>*>(from);
  auto* const out      = static_cast<Sporos::ExactSum<double>*>(to);
  for (int i = 0; i < *count; ++i) out[i].add(in[i]);
}

class WorldOfRanks : public World {
 public:
  WorldOfRanks(const Sporos::Communicator& comm, const Setup& setup,
               bool any_ranks)
      : m_comm(comm),
        m_parts(setup, comm.mpi()),
        m_slabs(slabs(comm, setup, m_parts)) {
    rank                     = comm.rank();
    size                     = comm.size();
    first                    = int(m_parts.first);
    rows                     = int(m_parts.rows);
    ghosts                   = reach;
    m_options.plan.any_ranks = any_ranks;
  }

  Transposes transposes() const override {
    const std::ptrdiff_t n = m_parts.cells, m = m_parts.waves;
    const auto plan = [&](double* from, double* to, std::ptrdiff_t a,
                          std::ptrdiff_t b) {
      return FftPlan(
          fftw_mpi_plan_many_transpose(a, b, 2, FFTW_MPI_DEFAULT_BLOCK,
                                       FFTW_MPI_DEFAULT_BLOCK, from, to,
                                       m_comm.mpi(), FFTW_ESTIMATE),
          fftw_destroy_plan);
    };
    Transposes t;
    t.rows                = wave_memory(m_parts.memory);
    t.columns             = wave_memory(m_parts.memory);
    t.first_column        = int(m_parts.first_column);
    t.column_count        = int(m_parts.columns);
    double* const rows_   = *as_fftw(t.rows);
    double* const columns = *as_fftw(t.columns);
    t.to_columns          = plan(rows_, columns, n, m);
    t.to_rows             = plan(columns, rows_, m, n);
    return t;
  }

  void sort(const Exec& exec, Particles& p) override {
    Sporos::migrate(exec, m_slabs, p.x, p.v, p.number);
    if (m_is_made)
      update(exec, p);
    else
      make(exec, p);
    m_is_made = true;
  }
  void spread(const Exec& exec, const Values& charges,
              const Field& density) const override {
    Sporos::spread(exec, m_plan, charges, density);
  }
  void interpolate(const Exec& exec, const Vectors& field,
                   const Pairs& at_particles) const override {
    Sporos::interpolate(exec, m_plan, field, at_particles);
  }

  void sum(std::vector<Sporos::ExactSum<double>>& sums) const override {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Op op         = MPI_OP_NULL;
    MPI_Type_contiguous(int(sizeof(Sporos::ExactSum<double>)), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add_sums, 1, &op);
    reduce(sums.data(), int(sums.size()), type, op);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
  }
  void sum(std::vector<double>& sums) const override {
    reduce(sums.data(), int(sums.size()), MPI_DOUBLE, MPI_SUM);
  }
  double largest(double x) const override {
    reduce(&x, 1, MPI_DOUBLE, MPI_MAX);
    return x;
  }

  // Numbers migrate as points of a line that is cut into equal parts.
  void meet(const Exec& exec, Numbers& numbers,
            std::int64_t count) const override {
    Sporos::DistributedGridOptions<1> options;
    options.ghosts = 1;
    const Sporos::Grid<1> line({{size}}, double(count) / size);
    Values places("PlasmaApp::places", numbers.extent(0));
    for (std::size_t i = 0; i < places.extent(0); ++i)
      places(i) = double(numbers(i));
    Sporos::migrate(exec, Sporos::DistributedGrid<1>(m_comm, line, options),
                    places, numbers);
  }

  void together(const std::function<void()>& f) const override {
    AppCommon::together(m_comm.mpi(), f);
  }

 private:
  using Plan = Sporos::DistributedParticleGridPlan<Exec, 2, double, Delta>;

  void reduce(void* values, int count, MPI_Datatype type, MPI_Op op) const {
    succeed(MPI_Allreduce(MPI_IN_PLACE, values, count, type, op, m_comm.mpi()),
            "MPI_Allreduce");
  }
  void make(const Exec& exec, const Particles& p) {
    m_plan = m_options.plan.any_ranks
                 ? Plan(exec, m_slabs, Delta{}, p.x, p.number, m_options)
                 : Plan(exec, m_slabs, Delta{}, p.x, m_options);
  }
  void update(const Exec& exec, const Particles& p) {
    if (m_options.plan.any_ranks)
      m_plan.update(exec, p.x, p.number);
    else
      m_plan.update(exec, p.x);
  }

  Sporos::Communicator m_comm;
  Parts m_parts;
  Slabs m_slabs;
  Sporos::DistributedPlanOptions m_options;
  Plan m_plan;
  bool m_is_made = false;
};

}  // namespace

std::unique_ptr<World> make_world_of_ranks(const Sporos::Communicator& comm,
                                           const Setup& setup, bool any_ranks) {
  fftw_mpi_init();
  return std::make_unique<WorldOfRanks>(comm, setup, any_ranks);
}

}  // namespace PlasmaApp
