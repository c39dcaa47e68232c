// Chains: which functions their links are, where they read and write.

#include "eval/tile_run.h"

namespace vieta {

template <class T>
void TileRun<T>::run_chain(const Step& s, std::size_t rows, std::size_t first_row) {
  if (table_.run_chain(workspace_.links().data() + s.first_arg, workspace_.spread(), rows)) return;
  for (std::size_t l = s.first_arg; code_->links[l].kind != ChainLink::Kind::end; ++l) {
    if (code_->links[l].kind == ChainLink::Kind::check)
      check(workspace_.inputs()[code_->links[l].x], rows, first_row);
  }
}

template <class T>
inline kernels::LinkKernels TileRun<T>::kernel_of(const ChainLink& link) const {
  const kernels::OpKernels<T>& op = table_.ops[static_cast<std::size_t>(link.op)];
  const bool number =
      link.literal || (link.x >= code_->first_uniform() && link.x < code_->first_output());
  switch (link.kind) {
    case ChainLink::Kind::load:
      return number ? table_.load_number : table_.load;
    case ChainLink::Kind::store:
      return table_.store;
    case ChainLink::Kind::check:
      return table_.check;
    case ChainLink::Kind::sum:
      return table_.sum;
    case ChainLink::Kind::alone:
      return op.alone;
    case ChainLink::Kind::left:
      return number ? op.left_number : op.left;
    case ChainLink::Kind::right:
      return number ? op.right_number : op.right;
    case ChainLink::Kind::end:
      break;
  }
  return table_.end;
}

template <class T>
void TileRun<T>::make_links() {
  const std::size_t count = code_->links.size();
  workspace_.literals().assign(code_->literals.begin(), code_->literals.end());
  workspace_.links().resize(count);
  const ChainLink* from = code_->links.data();
  kernels::Link<T>* to = workspace_.links().data();
  const T* literals = workspace_.literals().data();
  T* spread = workspace_.spread();
  workspace_.moving_links().clear();
  for (std::size_t l = 0; l < count; ++l) {
    const kernels::LinkKernels kernel = kernel_of(from[l]);
    to[l] = {kernel.wide, kernel.narrow, from[l].literal ? literals + from[l].x : nullptr, spread};
    if (from[l].kind == ChainLink::Kind::sum) {
      to[l].in = spread + kernels::kMaxLanes;
      to[l].out = sums_ + from[l].x * kernels::kMaxLanes;
    }
    if (!from[l].has_buffer()) continue;
    place_link(l);
    const bool is_column = from[l].x < code_->first_uniform();
    const bool is_output = from[l].x - code_->first_output() < code_->outputs;
    if (is_column || is_output) workspace_.moving_links().push_back(static_cast<std::uint32_t>(l));
  }
}

template <class T>
inline void TileRun<T>::place_link(std::size_t l) {
  const ChainLink& from = code_->links[l];
  kernels::Link<T>& to = workspace_.links()[l];
  to.in = workspace_.inputs()[from.x];
  if (from.kind == ChainLink::Kind::store) to.out = workspace_.outputs()[from.x];
}

template <class T>
void TileRun<T>::place_links() {
  for (const std::uint32_t l : workspace_.moving_links()) place_link(l);
}

template void TileRun<double>::run_chain(const Step&, std::size_t, std::size_t);
template void TileRun<float>::run_chain(const Step&, std::size_t, std::size_t);
template void TileRun<double>::make_links();
template void TileRun<float>::make_links();
template void TileRun<double>::place_links();
template void TileRun<float>::place_links();

}  // namespace vieta
