// shared_programs: what many programs compute alike, taken out as parts of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "program/lower.h"
#include "program/program.h"

namespace vieta {

/// A program that reads results of others as columns behind the table's: column `columns + k` of it
/// is the result of part uses[k].
struct PartProgram {
  Program program;
  std::vector<std::uint32_t> uses;
};

/// Plans for one list of programs after another, keeping its scratch. Not shared between threads.
class ProgramSharer {
 public:
  /// Finds equal results of different programs: the same operator of the same operands, numbers by
  /// their bits. A part is one that several other parts or programs read and that is dear enough on
  /// so many rows. The programs are over the same columns and parameters, not tunable, and have no
  /// function that is the caller's. O(instructions).
  void plan(std::span<const Program> programs, std::size_t rows);

  std::size_t parts() const { return parts_.size(); }

  /// Part `index`. It reads only parts before it.
  void part(std::size_t index, PartProgram& out);
  /// What is left of program `index`.
  void rest(std::size_t index, PartProgram& out);

 private:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  static constexpr std::uint32_t kMany = kNobody - 1;
  static constexpr std::uint32_t kNoPart = kNobody;

  // An instruction of any of the programs. Its operands' values are numbers of such results, its
  // uniforms the parameters, then constants_.
  struct Result {
    Instruction instruction;
    std::uint32_t programs = 0;  ///< in how many
    std::uint32_t last = kNobody;
    std::uint32_t owner = kNobody;  ///< who reads it: a program, a part's result, or several
    std::uint32_t part = kNoPart;
    double cost = 0;  ///< with what leads to it, but for other parts
    bool dear = false;
  };
  struct Number {
    double value = 0;
    bool constant = false;  ///< of the formula, else of an operator's body
  };

  void add(const Program& program);
  std::uint32_t find_or_add(const Instruction& instruction, std::span<const Operand> operands);
  Operand renumbered(const Operand& o, const Program& program);
  void grow_table();
  void choose_dear(std::size_t rows);
  void choose_parts();
  void read_by(const Operand& o, std::uint32_t owner);
  std::span<const Operand> operands_of(const Result& r) const {
    return {operands_.data() + r.instruction.first_operand, r.instruction.arity};
  }
  void write(const Operand& root, bool is_part, PartProgram& out);
  void write_result(std::uint32_t id, PartProgram& out);
  Operand written(const Operand& o, PartProgram& out);
  void place_uniforms(Program& program);

  std::size_t variables_ = 0;
  std::size_t parameters_ = 0;
  std::vector<Result> results_;
  std::vector<Operand> operands_;
  std::vector<Number> numbers_;
  std::unordered_map<std::uint64_t, std::uint32_t> number_of_bits_[2];
  std::vector<std::uint32_t> table_;  ///< open addressing: result + 1, 0 is empty
  std::vector<Operand> roots_;
  std::vector<std::uint32_t> parts_;  ///< results, ascending
  std::vector<std::uint32_t> ids_;    ///< of the program that is being added
  // writing
  std::uint32_t stamp_ = 0;
  std::vector<std::uint32_t> stamp_of_;  ///< per result: the last program it was written into
  std::vector<std::uint32_t> place_of_;  ///< its instruction or column there
  std::vector<std::uint32_t> stamp_of_number_;
  std::vector<std::uint32_t> place_of_number_;
  std::vector<std::uint32_t> todo_;
  Lowering lowering_;
};

}  // namespace vieta
