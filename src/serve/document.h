// The scene that is worked on: its text, where it is kept, and every text it had before.
//
//   Document document("phlo: 1\n…", "/shots/plume.yaml", true);
//   document.edit(text, "gas.cooling", now);       // edits of one key within a second are one step of undo
//   document.undo();
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace phlo::serve {

class Document {
public:
    Document() = default;
    /// `saved`: the file holds this text.
    Document(std::string text, std::filesystem::path file, bool saved);

    const std::string& text() const { return states_[at_].text; }
    const std::filesystem::path& file() const { return file_; }
    std::string name() const { return file_.stem().string(); }
    int version() const { return version_; }               ///< counts every change of the text
    bool unsaved() const { return text() != saved_text_; }
    bool in_file() const { return in_file_; }              ///< it was read from its file, or written there
    bool can_undo() const { return at_ > 0; }
    bool can_redo() const { return at_ + 1 < states_.size(); }

    /// `what` names what was changed, "" if that is nobody's business; `now` are the seconds of a clock.
    void edit(std::string text, const std::string& what, double now);
    bool undo();
    bool redo();
    void saved(std::filesystem::path file);

private:
    struct State {
        std::string text, what;
        double time = 0;
    };
    static constexpr std::size_t most_states = 500;

    std::vector<State> states_{State{}};
    std::size_t at_ = 0;
    std::filesystem::path file_;
    std::string saved_text_;
    bool in_file_ = false;
    int version_ = 1;
};

}  // namespace phlo::serve
