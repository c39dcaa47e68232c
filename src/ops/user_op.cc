#include "ops/user_op.h"

#include <atomic>
#include <limits>
#include <mutex>
#include <utility>

#include "base/check.h"

namespace vieta {
namespace {

constexpr std::size_t kMaxUserOps = std::numeric_limits<std::uint16_t>::max() - kOpCount;

// Rows are added under the lock and read without it: a row is complete before its number is handed
// out.
class Register {
 public:
  Op add(std::unique_ptr<UserOp> row) {
    const std::lock_guard lock(mutex_);
    VIETA_CHECK(owned_.size() < kMaxUserOps);
    rows_[owned_.size()].store(row.get(), std::memory_order_release);
    owned_.push_back(std::move(row));
    return op_at(kOpCount + owned_.size() - 1);
  }

  UserOp* find(Op op) const {
    const std::size_t index = static_cast<std::size_t>(op) - kOpCount;
    return index < kMaxUserOps ? rows_[index].load(std::memory_order_acquire) : nullptr;
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<UserOp>> owned_;
  std::vector<std::atomic<UserOp*>> rows_ = std::vector<std::atomic<UserOp*>>(kMaxUserOps);
};

Register& all_user_ops() {
  static Register all;
  return all;
}

std::unique_ptr<UserOp> make_row(std::string name, int arity, OpTraits traits) {
  VIETA_CHECK(arity >= 1 && arity <= kMaxArity);
  auto row = std::make_unique<UserOp>();
  row->name = std::move(name);
  row->traits = std::move(traits);
  row->info.id = row->info.name = row->name;
  row->info.arity = arity;
  row->info.commutative = row->traits.commutative && arity >= 2;
  row->info.domain = row->traits.domain;
  row->info.meaning = row->traits.meaning;
  return row;
}

}  // namespace

OpBody in_reading_order(const OpBody& body) {
  using Kind = OpBody::Operand::Kind;
  constexpr std::uint32_t kUnseen = ~std::uint32_t{0};
  OpBody sorted{.numbers = body.numbers, .steps = {}, .root = {}};
  std::vector<std::uint32_t> place(body.steps.size(), kUnseen);
  const auto placed = [&](OpBody::Operand o) {
    if (o.kind == Kind::step) o.index = place[o.index];
    return o;
  };
  struct Work {
    std::uint32_t step;
    bool close;
  };
  std::vector<Work> work;
  if (body.root.kind == Kind::step) work.push_back({body.root.index, false});
  while (!work.empty()) {
    const auto [index, close] = work.back();
    work.pop_back();
    if (place[index] != kUnseen) continue;
    OpBody::Step step = body.steps[index];
    const auto arity = static_cast<std::size_t>(info(step.op).arity);
    if (close) {
      for (std::size_t k = 0; k < arity; ++k) step.args[k] = placed(step.args[k]);
      place[index] = static_cast<std::uint32_t>(sorted.steps.size());
      sorted.steps.push_back(step);
      continue;
    }
    work.push_back({index, true});
    for (std::size_t k = arity; k > 0; --k) {
      if (step.args[k - 1].kind == Kind::step) work.push_back({step.args[k - 1].index, false});
    }
  }
  sorted.root = placed(body.root);
  return sorted;
}

Op add_user_op(std::string name, int arity, OpTraits traits, OpBody body) {
  auto row = make_row(std::move(name), arity, std::move(traits));
  row->body = std::move(body);
  return all_user_ops().add(std::move(row));
}

Op add_user_op(std::string name, int arity, OpTraits traits,
               std::unique_ptr<const OpFunction> function) {
  auto row = make_row(std::move(name), arity, std::move(traits));
  row->function = std::move(function);
  return all_user_ops().add(std::move(row));
}

Op reserve_user_op(std::string name, int arity, OpTraits traits) {
  return all_user_ops().add(make_row(std::move(name), arity, std::move(traits)));
}

void complete_user_op(Op op, std::unique_ptr<const OpFunction> function) {
  UserOp* row = is_builtin(op) ? nullptr : all_user_ops().find(op);
  VIETA_CHECK(row != nullptr && row->function == nullptr);
  row->function = std::move(function);
}

const UserOp& user_op(Op op) {
  const UserOp* row = is_builtin(op) ? nullptr : all_user_ops().find(op);
  VIETA_CHECK(row != nullptr);
  return *row;
}

bool is_known(Op op) { return is_builtin(op) || all_user_ops().find(op) != nullptr; }

}  // namespace vieta
