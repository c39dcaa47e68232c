#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "data/csv.h"
#include "data/file_text.h"

namespace vieta {
namespace {

namespace fs = std::filesystem;

std::string gzipped(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  std::string copy(text);
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

class CsvFile : public testing::Test {
 protected:
  // Tests may run at the same time, each in a process.
  CsvFile() : folder_(fs::temp_directory_path() / ("vieta_csv_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~CsvFile() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, std::string_view bytes) const {
    const fs::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path.string();
  }

  std::string refusal(const std::string& path) const {
    const auto table = read_csv(path);
    return table ? "no error" : table.error().message;
  }

  fs::path folder_;
};

constexpr std::string_view kText = "a,b\n1,2\n3,4\n";

TEST_F(CsvFile, ReadsAFileAndNamesItInErrors) {
  EXPECT_EQ(read_csv(write("t.csv", kText)).value().column(1)[1], 4.0);
  const std::string path = write("bad.csv", "a,b\n1\n");
  EXPECT_EQ(read_csv(path).error().place.source, path);
  EXPECT_EQ(read_csv(path).error().place.row, 2U);
}

TEST_F(CsvFile, UnpacksByContentWhateverTheName) {
  for (const char* name : {"t.csv.gz", "t.csv", "t"}) {
    EXPECT_EQ(read_csv(write(name, gzipped(kText))).value().rows(), 2U) << name;
  }
  EXPECT_EQ(read_csv(write("plain.csv.gz", kText)).value().rows(), 2U);
}

TEST_F(CsvFile, UnpacksSeveralMembersAndLargeOnes) {
  EXPECT_EQ(read_csv(write("two.gz", gzipped(kText) + gzipped("5,6\n"))).value().rows(), 3U);
  EXPECT_EQ(read_csv(write("pad.gz", gzipped(kText) + std::string(100, '\0'))).value().rows(), 2U);
  std::string text(kText);
  for (int i = 0; i < 200000; ++i) text += std::to_string(i) + ",0.25\n";
  EXPECT_EQ(read_csv(write("large.gz", gzipped(text))).value().rows(), 200002U);
}

TEST_F(CsvFile, RefusesBrokenGzip) {
  const std::string packed = gzipped(kText);
  for (std::size_t n = 2; n < packed.size(); ++n) {
    EXPECT_EQ(refusal(write("cut.gz", packed.substr(0, n))),
              "the gzip data end too early; fetch the file again")
        << n;
  }
  std::string wrong = packed;
  wrong[wrong.size() - 6] ^= 1;  // in the check sum
  EXPECT_EQ(refusal(write("wrong.gz", wrong)), "the gzip data are corrupt; fetch the file again");
  EXPECT_EQ(refusal(write("more.gz", packed + "x")),
            "the gzip data are followed by something else; fetch the file again");
  EXPECT_EQ(refusal(write("none.gz", gzipped(""))), "met nothing at all, wanted a header and rows");
}

TEST_F(CsvFile, RefusesWhatCannotBeRead) {
  const auto absent = read_csv((folder_ / "absent.csv").string());
  ASSERT_FALSE(absent.has_value());
  EXPECT_EQ(absent.error().code, ErrorCode::data);
  EXPECT_EQ(absent.error().message, "cannot be opened: No such file or directory; check the path");
  EXPECT_TRUE(refusal(folder_.string()).starts_with("cannot be "));
}

TEST_F(CsvFile, ReadsStandardInput) {
  for (const std::string& bytes : {std::string(kText), gzipped(kText)}) {
    ASSERT_NE(std::freopen(write("in", bytes).c_str(), "rb", stdin), nullptr);
    EXPECT_EQ(read_csv("-").value().rows(), 2U);
  }
  ASSERT_NE(std::freopen(write("in", "a,b\n1\n").c_str(), "rb", stdin), nullptr);
  EXPECT_EQ(read_csv("-").error().place.source, "standard input");
}

fs::path shared_data() {
  if (const char* set = std::getenv("VIETA_SHARED_DATA")) return set;
  return fs::path(VIETA_SOURCE_DIR) / ".." / "shared" / "data";
}

bool is_csv(const fs::path& path) {
  return path.extension() == ".csv" || path.string().ends_with(".csv.gz");
}

// Of the data sets' folders, those that hold numbers only; other files are lists with text.
bool is_all_numbers(const fs::path& path) {
  const std::string folder = path.parent_path().filename().string();
  const std::string name = path.filename().string();
  if (folder == "pmlb") return !name.starts_with("published") && !name.starts_with("splits");
  if (folder == "nist") return name != "problems.csv";
  if (folder == "strogatz") return name != "formulas.csv";
  return folder == "real" || folder == "empiricalbench";
}

TEST(SharedData, EveryFileIsReadAndNumbersAreNumbers) {
  if (!fs::exists(shared_data())) GTEST_SKIP() << "no data folder at " << shared_data();
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(shared_data())) {
    if (!is_csv(entry.path())) continue;
    ++files;
    const auto table = read_csv(entry.path().string());
    ASSERT_TRUE(table.has_value()) << describe(table.error());
    for (std::size_t i = 0; i < table->columns(); ++i) {
      if (!is_all_numbers(entry.path())) continue;
      EXPECT_FALSE(table->column_error(i)) << describe(*table->column_error(i));
    }
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace vieta
