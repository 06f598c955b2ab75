// A directory for the files of one test, gone when the test ends.
//
//   const test::ScratchDir dir;
//   const std::string scene = dir.write("scene.yaml", "phlo: 1\n");
//   EXPECT_EQ(test::file_text(dir / "scene.yaml"), "phlo: 1\n");
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace phlo::test {

struct ScratchDir {
    std::filesystem::path path;

    ScratchDir() {
        std::string name = (std::filesystem::temp_directory_path() / "phlo_test_XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
        path = name;
    }
    ~ScratchDir() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    ScratchDir(const ScratchDir&) = delete;
    ScratchDir& operator=(const ScratchDir&) = delete;

    std::string operator/(const std::string& name) const { return (path / name).string(); }
    /// Makes the file, and the folders it lies in; its path.
    std::string write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((path / name).parent_path());
        std::ofstream(path / name, std::ios::binary) << text;
        return *this / name;
    }
};

inline std::string file_text(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace phlo::test
