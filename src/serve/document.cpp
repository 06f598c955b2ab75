#include "serve/document.h"

namespace phlo::serve {

Document::Document(std::string text, std::filesystem::path file, bool saved) : file_(std::move(file)), saved_text_(text), in_file_(saved) {
    states_.front().text = std::move(text);
}

void Document::edit(std::string text, const std::string& what, double now) {
    if (text == states_[at_].text) return;
    ++version_;
    states_.resize(at_ + 1);
    State& last = states_.back();
    const bool same_gesture = at_ > 0 && !what.empty() && what == last.what && now - last.time < 1;
    if (same_gesture) {
        last.text = std::move(text), last.time = now;
        return;
    }
    states_.push_back({std::move(text), what, now});
    if (states_.size() > most_states) states_.erase(states_.begin());
    at_ = states_.size() - 1;
}

bool Document::undo() {
    if (!can_undo()) return false;
    --at_, ++version_;
    states_[at_].what.clear();
    return true;
}

bool Document::redo() {
    if (!can_redo()) return false;
    ++at_, ++version_;
    return true;
}

void Document::saved(std::filesystem::path file) {
    file_ = std::move(file);
    saved_text_ = text();
    in_file_ = true;
}

}  // namespace phlo::serve
