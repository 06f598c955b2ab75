// A thread that does tasks in their order, and something of its own when there are none.
//
//   Worker worker([&] { return simulate_a_frame(); });      // seconds until it wants to be called again; nothing: when a task has come
//   worker.post([&] { … });
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <thread>

namespace phlo::serve {

class Worker {
public:
    using Idle = std::function<std::optional<double>()>;
    explicit Worker(Idle idle = [] { return std::optional<double>(); }) : idle_(std::move(idle)), thread_([this] { run(); }) {}
    ~Worker() { stop(); }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void post(std::function<void()> task) {
        {
            const std::lock_guard hold(guard_);
            tasks_.push_back(std::move(task));
        }
        came_.notify_one();
    }
    /// Calls its own work again at once, though there is no task.
    void wake() {
        {
            const std::lock_guard hold(guard_);
            woken_ = true;
        }
        came_.notify_one();
    }
    /// Until all tasks that are there now are done.
    void settle() {
        std::promise<void> done;
        post([&] { done.set_value(); });
        done.get_future().wait();
    }
    void stop() {
        {
            const std::lock_guard hold(guard_);
            stopped_ = true;
        }
        came_.notify_one();
        if (thread_.joinable()) thread_.join();
    }
    std::size_t waiting() const {
        const std::lock_guard hold(guard_);
        return tasks_.size();
    }

    /// What it does of its own should come to an end soon.
    bool wanted() const {
        const std::lock_guard hold(guard_);
        return stopped_ || !tasks_.empty();
    }

private:
    void run() {
        std::optional<double> wait;
        std::unique_lock hold(guard_);
        const auto woken = [&] { return stopped_ || woken_ || !tasks_.empty(); };
        for (;;) {
            if (wait) came_.wait_for(hold, std::chrono::duration<double>(*wait), woken);
            else came_.wait(hold, woken);
            if (stopped_) return;
            woken_ = false;
            while (!tasks_.empty()) {
                const std::function<void()> task = std::move(tasks_.front());
                tasks_.pop_front();
                hold.unlock();
                task();
                hold.lock();
            }
            hold.unlock();
            wait = idle_();
            hold.lock();
        }
    }

    Idle idle_;
    mutable std::mutex guard_;
    std::condition_variable came_;
    std::deque<std::function<void()>> tasks_;
    bool stopped_ = false, woken_ = false;
    std::thread thread_;     // last: it begins when everything else is there
};

}  // namespace phlo::serve
