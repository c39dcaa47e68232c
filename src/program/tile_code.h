// tile_code: a program and its derivative sweeps as one list of steps over tile buffers.
//
// A step is one kernel call on one tile. The coder decides everything that does not depend on the
// data: which buffers exist, which values are kept for the reverse sweep, which edges carry a
// derivative, where a product by 1 is dropped. What runs the code (eval) only resolves buffers to
// memory and calls kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "program/program.h"

namespace vieta {

/// Numbers a buffer of one tile. In order: variables used, uniforms, uniform results, outputs,
/// temporaries.
using BufferId = std::uint32_t;

enum class StepKind : std::uint8_t {
  value,           ///< out = op(args)
  partial,         ///< out = d op / d args[which]
  second_partial,  ///< out = second partial `which` (packed_index) of op
  pullback,        ///< out = x * d op / d args[which]
  pullback_add,    ///< out += x * d op / d args[which]
  one,             ///< out = 1
  zero,            ///< out = 0
  copy,            ///< out = x
  negate,          ///< out = -x
  add,             ///< out += x
  subtract,        ///< out -= x
  scale,           ///< out = x * y
  scale_add,       ///< out += x * y
  keep,            ///< out = x where y is not zero, else 0
  check,           ///< test x for finiteness
  sum,             ///< sums[out] += the sum of x over the rows
  total,           ///< out = sums[x]; on one row
  chain,           ///< TileCode::links from first_arg to the next end
};

struct Step {
  StepKind kind = StepKind::value;
  std::uint8_t which = 0;
  std::uint8_t arity = 0;
  Op op = Op::add;
  std::uint32_t first_arg = 0;  ///< into TileCode::args, operator steps only
  BufferId out = 0;
  BufferId x = 0;  ///< an input; the adjoint of a pullback
  BufferId y = 0;  ///< an input; operator steps: the operator's own value
};

/// A link of a chain: a cheap operator's part on the value v that the chain holds in registers.
struct ChainLink {
  enum class Kind : std::uint8_t {
    load,   ///< v = x
    store,  ///< x = v
    sum,    ///< sums[x] += the sum of v over the rows
    check,  ///< test v, which x holds too, for finiteness
    alone,  ///< v = op(v)
    left,   ///< v = op(v, x)
    right,  ///< v = op(x, v)
    end,    ///< the last of every chain
  };
  Kind kind = Kind::load;
  Op op = Op::add;
  bool literal = false;  ///< x is an index into TileCode::literals
  BufferId x = 0;

  bool has_buffer() const {
    return kind != Kind::alone && kind != Kind::sum && kind != Kind::end && !literal;
  }
};

/// Steps over tile buffers. Made by TileCoder.
struct TileCode {
  /// No two codes have the same, unless one is a copy of the other: what was made ready for the one
  /// serves the other. 0: not known.
  std::uint64_t stamp = 0;
  std::vector<Step> once;       ///< uniform instructions: run when the uniforms are set
  std::vector<Step> each_tile;  ///< the rest, one operator a step
  std::vector<Step> fused;      ///< each_tile with its cheap steps made into chains
  bool chained = true;          ///< whether `fused` is made and run, else each_tile is
  std::vector<Step> after;      ///< summed: run on one row when all rows are done
  std::vector<ChainLink> links;
  std::vector<double> literals;  ///< numbers of the operator table's partials
  /// Per buffer: some step reads it as a tile or writes it. Of the others only the first element
  /// is ever looked at, if that.
  std::vector<std::uint8_t> tiled;
  std::uint32_t tiles = 0;  ///< that many
  std::vector<BufferId> args;
  std::vector<std::uint32_t> variables;  ///< column of each variable buffer
  std::uint32_t uniforms = 0;
  std::uint32_t uniform_results = 0;
  std::uint32_t outputs = 0;  ///< value first, then derivative columns
  /// Not 0: outputs are sums over the rows, and no column of them is kept. That many sums: the
  /// outputs, and what is summed before it is taken further.
  std::uint32_t sums = 0;
  std::uint32_t buffers = 0;      ///< all of them
  std::vector<BufferId> results;  ///< of several functions: where the values of each are
  /// Of several functions: what output 1, 2, ... is the derivative of, and by which leaf.
  struct Column {
    std::uint32_t function = 0;
    std::uint32_t leaf = 0;
  };
  std::vector<Column> columns;

  std::span<const Step> steps() const { return chained ? fused : each_tile; }
  BufferId first_uniform() const { return static_cast<BufferId>(variables.size()); }
  BufferId first_output() const { return first_uniform() + uniforms + uniform_results; }
};

/// Makes TileCode::fused of TileCode::each_tile, keeping its scratch. The same operations on the
/// same numbers in the same order, so the same bits.
class ChainMaker {
 public:
  void run(TileCode& code);

 private:
  static constexpr BufferId kNone = ~BufferId{0};
  struct Item {
    bool link = false;
    bool ends_chain = false;  ///< neither: the next link begins a chain of its own
    bool dropped = false;
    Step step{};
    ChainLink made{};
  };

  // forward: steps to links
  bool add_step(const Step& s);
  void add_sum(const Step& s);
  bool add_value(const Step& s);
  bool add_partial(const Step& s, std::size_t first_item);
  bool expand(const Step& s);
  void add_plain(const Step& s);
  void add_check(BufferId x);
  void binary(Op op, BufferId x, BufferId y);
  void load(BufferId x);
  void link(ChainLink::Kind kind, Op op, BufferId x, bool literal = false);
  void store(BufferId out);
  void end_chain();
  // backward: what nobody reads need not be written
  void drop_stores();
  void read_by(const Step& s);
  void written_by(const Step& s);
  // what is left
  void write();
  void find_tiles();
  template <class Take>
  void for_each_read(const Step& s, Take take) const;

  TileCode* code_ = nullptr;
  std::vector<Item> items_;
  std::vector<std::uint8_t> live_;
  std::vector<BufferId> checked_;  ///< in the chain that is being made
  BufferId held_ = kNone;          ///< what v is
  std::size_t chain_links_ = 0;
};

/// Writes tile code for one program after another, keeping its scratch. Not shared between threads.
class TileCoder {
 public:
  /// Off: steps stay kernel calls of their own. The same bits; making chains and getting them ready
  /// costs more than they save where code is run a few times over a few hundred rows.
  void set_chains(bool on) { chains_wanted_ = on; }

  /// Output: the value.
  void value(const Program& program, TileCode& code);
  /// Outputs: the value, then d value / d leaf for every leaf. One reverse sweep: the number of
  /// steps does not depend on the number of leaves. Leaves are variables and uniforms; repeated
  /// ones are an InternalError.
  void gradient(const Program& program, std::span<const Operand> leaves, TileCode& code);
  /// The same for the sums over the rows of value and derivatives, uniforms alone being leaves.
  /// What flows to a uniform is summed and taken further on one row. The value is not tested: its
  /// sum tells.
  void summed_gradient(const Program& program, std::span<const Operand> leaves, TileCode& code);
  /// Outputs: value, first derivatives, then second derivatives, the packed upper triangle of
  /// leaves x leaves. Forward over reverse: one forward and one reverse sweep a leaf.
  void hessian(const Program& program, std::span<const Operand> leaves, TileCode& code);
  /// Outputs: value, first derivatives, then one column a leaf: the Hessian times a direction. One
  /// forward and one reverse sweep more than the gradient, whatever the number of leaves. The code
  /// has a uniform more for each leaf, behind the program's: its entry of the direction. Where
  /// `moves` is 0 that is taken to be 0, and the leaf takes no part.
  void hessian_product(const Program& program, std::span<const Operand> leaves,
                       std::span<const std::uint8_t> moves, TileCode& code);
  /// Several functions of one program (none a uniform), each by the leaves that it depends on: a
  /// reverse sweep a function. Values are in TileCode::results, derivatives are the outputs from 1
  /// on, as TileCode::columns tells. Overwrites the program's root.
  void several(Program& program, std::span<const Operand> functions,
               std::span<const Operand> leaves, TileCode& code);

 private:
  static constexpr BufferId kNone = ~BufferId{0};

  // What is known of one instruction while its derivative sweeps are written.
  struct Node {
    BufferId value = kNone;
    BufferId adjoint = kNone;  ///< kNone until some edge has written it
    BufferId mask = kNone;     ///< guarded only: not zero on the rows where it has an influence
    BufferId tangent = kNone;  ///< second order, one leaf at a time
    BufferId adjoint_tangent = kNone;  ///< likewise
    bool active = false;               ///< a derivative flows through it to a leaf
    bool used_plainly = false;         ///< some consumer passes its adjoint on every row
    bool guarded = false;              ///< only selecting operators lead to it
  };

  // setting up
  void finish(TileCode& code);
  void begin(const Program& program, std::span<const Operand> leaves, std::size_t outputs,
             TileCode& code, std::size_t more_uniforms = 0);
  void index_leaves(std::span<const Operand> leaves);
  void forward(bool keep_values);
  void check_leaves();
  void find_active();
  void find_guarded();
  // the reverse sweep
  void reverse();
  void pull(std::uint32_t i, std::size_t k);
  void pull_one(std::uint32_t i, std::size_t k, int sign);
  void pull_selected(std::uint32_t i, std::size_t k);
  void pull_guarded(std::uint32_t i, std::size_t k);
  void pull_quotient(std::uint32_t i);
  void spread_mask(const Operand& child, BufferId mask);
  void take_total(BufferId& sum);
  void pass_on(const Operand& child, BufferId source, int sign);
  BufferId adjoint_target(const Operand& o, bool& accumulate);
  void target_written(const Operand& o, BufferId target);
  bool is_summed(const Operand& o) const;
  std::uint32_t sum_of(const Operand& o);
  // several functions (tile_code_several.cc)
  void find_columns(std::span<const Operand> functions, std::span<const Operand> leaves);
  void sweep_back(std::uint32_t function, std::span<const Operand> leaves);
  // second order (tile_code_second_order.cc)
  void second_order_partials();
  void tangents(std::size_t leaf);
  void adjoint_tangents(std::size_t leaf);
  void adjoint_tangent_terms(std::uint32_t i, std::size_t k, std::size_t leaf);
  BufferId tangent_of(const Operand& o, std::size_t leaf) const;
  void add_term(std::uint32_t i, std::size_t k, BufferId x, BufferId& target, bool& written);
  void add_product(BufferId x, BufferId y, BufferId& target, bool& written);
  // small pieces
  BufferId buffer_of(const Operand& o) const;
  bool flows(std::uint32_t i, std::size_t k) const;
  bool is_active(const Operand& o) const;
  std::uint32_t leaf_of(const Operand& o) const;
  BufferId output(std::size_t index) const;
  BufferId allocate();
  void share(BufferId buffer) { ++references_[buffer]; }
  void release(BufferId buffer);
  void emit(const Step& step);
  void emit(StepKind kind, BufferId out, BufferId x = 0, BufferId y = 0);
  void emit_op(StepKind kind, std::uint32_t i, std::size_t which, BufferId out, BufferId x = 0);

  const Program* program_ = nullptr;
  ChainMaker chains_;
  bool chains_wanted_ = true;
  TileCode* code_ = nullptr;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> first_arg_;         ///< per instruction, into TileCode::args
  std::vector<BufferId> variable_buffer_;        ///< per column of the table
  std::vector<std::uint32_t> leaf_of_variable_;  ///< per column: output column, or kNone
  std::vector<std::uint32_t> leaf_of_uniform_;
  std::vector<std::uint8_t> written_;  ///< per output
  std::vector<std::uint8_t> used_uniform_;
  std::vector<std::uint8_t> depends_;  ///< several functions: instruction x leaf
  std::vector<BufferId> free_;
  std::vector<std::uint32_t> references_;  ///< per buffer: who still needs it
  BufferId ones_ = kNone;                  ///< 1 on every row: the adjoint of the result
  std::size_t leaf_count_ = 0;
  bool keep_adjoints_ = false;
  bool summed_ = false;
  bool after_rows_ = false;  ///< steps go to TileCode::after
  bool along_direction_ = false;
  std::vector<BufferId> direction_;  ///< per leaf; kNone: 0
  std::vector<BufferId> partials_;   ///< second order: kMaxArity per instruction
  std::vector<BufferId> seconds_;    ///< second order: kMaxSecondPartials per instruction
};

}  // namespace vieta
