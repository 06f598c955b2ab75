// What was made for the page and is fetched by its number: pictures as bytes, movies and sheets as files of a run.
//
//   Shelf shelf;
//   int number = shelf.put({.type = "image/png", .body = bytes});
//   Asset asset = shelf.get("/made/7");                   // any thread
#pragma once
#include <filesystem>
#include <map>
#include <mutex>
#include <string>

#include "serve/server.h"

namespace phlo::serve {

class Shelf {
public:
    int put(Asset asset);
    /// Read when it is asked for, as a download.
    int put_file(const std::filesystem::path& file);
    void drop(int number);
    /// By "/made/NUMBER"; anything else is missing.
    Asset get(const std::string& path) const;

private:
    struct Item {
        Asset asset;
        std::filesystem::path file;       ///< empty: `asset` is all
    };
    mutable std::mutex guard_;
    std::map<int, Item> items_;
    int last_ = 0;
};

}  // namespace phlo::serve
