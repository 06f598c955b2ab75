// Pictures, movies, sheets and wedges, made one after the other while everything else goes on; what each has made so far can be seen at once.
//
//   Jobs jobs(shelf, tell);
//   int id = jobs.add({.kind = "picture", .title = "frame 40, good"}, [=](JobControl& job) { job.put("picture", png); job.progress(1, 2); });
//   jobs.cancel(id);                         // at the next moment at which it can stop
//   std::string json = jobs.to_json();
#pragma once
#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "serve/shelf.h"
#include "serve/worker.h"

namespace phlo::serve {

struct JobTitle {
    std::string kind;                    ///< "picture", "movie", "flipbook", "wedge"
    std::string title;                   ///< for people
    std::string about = "{}";            ///< JSON that the page knows what to do with
};

class Jobs;

/// What a job may say of itself while it works.
class JobControl {
public:
    void progress(int done, int total);
    /// Of two with one name the later one counts: passes of a picture.
    void put(const std::string& name, Asset asset);
    void put_file(const std::filesystem::path& file);
    bool stopped() const;

private:
    friend class Jobs;
    JobControl(Jobs& jobs, int id) : jobs_(jobs), id_(id) {}
    Jobs& jobs_;
    int id_;
};

class Jobs {
public:
    using Work = std::function<void(JobControl&)>;
    /// `changed` is called on the jobs' thread, and by add() and cancel().
    Jobs(Shelf& shelf, std::function<void()> changed) : shelf_(shelf), changed_(std::move(changed)) {}
    ~Jobs() { end(); }
    Jobs(const Jobs&) = delete;
    Jobs& operator=(const Jobs&) = delete;

    /// Throws InputError if too many wait.
    int add(const JobTitle& title, Work work);
    void cancel(int id);
    void end();                          ///< stops all, and waits for the one that works
    /// [{id, kind, title, about, state: "waiting" | "working" | "done" | "failed" | "stopped", done, total, seconds, error, files: [{name, number}]}]
    std::string to_json() const;

private:
    friend class JobControl;
    struct Job {
        JobTitle title;
        std::string state = "waiting", error = {};
        int done = 0, total = 0;
        double seconds = 0;
        bool stop = false;
        std::vector<std::pair<std::string, int>> files = {};   ///< name and number on the shelf
        std::deque<int> replaced = {};   ///< numbers that better files took the place of: a page may be on its way to the last of them
    };
    static constexpr std::size_t most_waiting = 20, most_kept = 60, most_replaced = 4;

    void run(int id, const Work& work);
    void change(int id, const std::function<void(Job&)>& what);
    void forget_oldest();

    Shelf& shelf_;
    std::function<void()> changed_;
    mutable std::mutex guard_;
    std::map<int, Job> jobs_;
    int last_ = 0;
    std::atomic<bool> ended_ = false;
    Worker worker_;
};

}  // namespace phlo::serve
