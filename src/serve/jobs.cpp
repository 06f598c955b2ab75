#include "serve/jobs.h"

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "base/json.h"

namespace phlo::serve {

void JobControl::progress(int done, int total) {
    jobs_.change(id_, [&](Jobs::Job& job) { job.done = done, job.total = total; });
}

void JobControl::put(const std::string& name, Asset asset) {
    const int number = jobs_.shelf_.put(std::move(asset));
    jobs_.change(id_, [&](Jobs::Job& job) {
        const auto before = std::ranges::find(job.files, name, &std::pair<std::string, int>::first);
        if (before == job.files.end()) return job.files.emplace_back(name, number), void();
        job.replaced.push_back(before->second);
        before->second = number;
        if (job.replaced.size() <= Jobs::most_replaced) return;
        jobs_.shelf_.drop(job.replaced.front());
        job.replaced.pop_front();
    });
}

void JobControl::put_file(const std::filesystem::path& file) {
    const int number = jobs_.shelf_.put_file(file);
    jobs_.change(id_, [&](Jobs::Job& job) { job.files.emplace_back(file.filename().string(), number); });
}

bool JobControl::stopped() const {
    const std::lock_guard hold(jobs_.guard_);
    const auto job = jobs_.jobs_.find(id_);
    return jobs_.ended_ || job == jobs_.jobs_.end() || job->second.stop;   // one that was stopped while it waited may be forgotten by now
}

int Jobs::add(const JobTitle& title, Work work) {
    int id = 0;
    {
        const std::lock_guard hold(guard_);
        if (std::ranges::count_if(jobs_, [](const auto& entry) { return entry.second.state == "waiting"; }) >= std::ptrdiff_t(most_waiting)) throw InputError("so many pictures wait already; stop some first");
        forget_oldest();
        jobs_[id = ++last_].title = title;
    }
    worker_.post([this, id, work = std::move(work)] { run(id, work); });
    changed_();
    return id;
}

void Jobs::forget_oldest() {
    for (auto it = jobs_.begin(); it != jobs_.end() && jobs_.size() >= most_kept;) {
        if (it->second.state == "waiting" || it->second.state == "working") {
            ++it;
            continue;
        }
        for (const auto& [name, number] : it->second.files) shelf_.drop(number);
        for (const int number : it->second.replaced) shelf_.drop(number);
        it = jobs_.erase(it);
    }
}

void Jobs::run(int id, const Work& work) {
    JobControl control(*this, id);
    const auto begin = std::chrono::steady_clock::now();
    std::string state = "stopped", error;
    if (!control.stopped()) {
        change(id, [](Job& job) { job.state = "working"; });
        try {
            work(control);
            if (!control.stopped()) state = "done";
        } catch (const std::exception& failure) {
            state = control.stopped() ? "stopped" : "failed", error = failure.what();
        }
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    change(id, [&](Job& job) { job.state = state, job.error = error, job.seconds = seconds; });
}

void Jobs::cancel(int id) {
    {
        const std::lock_guard hold(guard_);
        const auto found = jobs_.find(id);
        if (found == jobs_.end()) throw InputError("there is no such job");
        found->second.stop = true;
        if (found->second.state == "waiting") found->second.state = "stopped";
    }
    changed_();
}

void Jobs::end() {
    ended_ = true;
    worker_.stop();
}

void Jobs::change(int id, const std::function<void(Job&)>& what) {
    {
        const std::lock_guard hold(guard_);
        const auto job = jobs_.find(id);
        if (job == jobs_.end()) return;
        what(job->second);
    }
    changed_();
}

std::string Jobs::to_json() const {
    const std::lock_guard hold(guard_);
    return json::array(jobs_, [](const auto& entry) {
        const Job& job = entry.second;
        return json::Object()
            .number("id", entry.first)
            .text("kind", job.title.kind)
            .text("title", job.title.title)
            .raw("about", job.title.about)
            .text("state", job.state)
            .number("done", job.done)
            .number("total", job.total)
            .number("seconds", job.seconds)
            .text("error", job.error)
            .raw("files", json::array(job.files, [](const auto& file) { return json::Object().text("name", file.first).number("number", file.second).str(); }))
            .str();
    });
}

}  // namespace phlo::serve
