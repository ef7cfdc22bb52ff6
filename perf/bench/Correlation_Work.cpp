// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Correlation_Work.hpp"

#include <Sporos_CrossCorrelate.hpp>

namespace Bench {

template <class T>
Work correlate_work(const CorrelationProblem<T>& p,
                    const Sporos::CorrelateOptions& options) {
  using Plan = Sporos::CrossCorrelatePlan<Exec, T, T>;
  Work work;
  std::shared_ptr<Plan> plan;
  work.setup_ms = milliseconds(
      [&] { plan = std::make_shared<Plan>(Exec(), p.extents, options); });
  work.run = [plan, &p] {
    const Exec exec;
    p.call([&](const auto& left, const auto& right, const auto& out) {
      Sporos::cross_correlate(exec, *plan, left, right, out);
    });
    exec.fence();
  };
  return work;
}

template Work correlate_work(const CorrelationProblem<float>&,
                             const Sporos::CorrelateOptions&);
template Work correlate_work(const CorrelationProblem<double>&,
                             const Sporos::CorrelateOptions&);

}  // namespace Bench
