#include "examples.h"

#include "base/hash.h"
#include "serve/assets.h"
#include "serve/chemistry_message.h"
#include "serve/darkroom.h"
#include "serve/delivery.h"
#include "serve/diagnostics.h"
#include "serve/document.h"
#include "serve/frame_message.h"
#include "serve/frame_parcel.h"
#include "serve/jobs.h"
#include "serve/laboratory.h"
#include "serve/live_run.h"
#include "serve/live_scene.h"
#include "serve/mesh_message.h"
#include "serve/payload.h"
#include "serve/point_heat.h"
#include "serve/point_rates.h"
#include "serve/probe.h"
#include "serve/ramps.h"
#include "serve/rate_limit.h"
#include "serve/rules.h"
#include "serve/runs.h"
#include "serve/scrubber.h"
#include "serve/server.h"
#include "serve/session.h"
#include "serve/shelf.h"
#include "serve/studio.h"
#include "serve/timeline.h"
#include "serve/totals.h"
#include "serve/worker.h"
#include "serve/worktable.h"

namespace phlo::serve {

void assets_example() { Asset asset = find_asset("/app.js"); }

void chemistry_message_example(const chem::Mechanism& mechanism, const std::vector<FunctionText>& texts, const config::Node& section, bool (*still_wanted)()) {
    std::string json = mechanism_json(mechanism);
    std::string curves = functions_json(mechanism, texts, {{"r1", 2.0}});
    std::string path = react_json(mechanism, section, {"temperature=1200", "time=1 ms"}, still_wanted);
}

void darkroom_example(Worktable& table, const Timeline& timeline, Shelf& shelf, MessageHandlers& handlers) {
    Darkroom darkroom(table, timeline, shelf);
    darkroom.add_handlers(handlers);
}

void delivery_example(void (*send)(int, Delivery::Bytes), Delivery::Parcel (*encode)(const field::Frame&), const field::Frame& frame, int client) {
    Delivery delivery(send);
    if (delivery.wanted()) delivery.publish(encode(frame));
    delivery.publish(encode(frame), Delivery::Urgency::changed);
    delivery.acknowledge(client);
}

void diagnostics_example(const InputError& error) { std::vector<Diagnostic> list = diagnostics(error.what(), "/shots/plume.yaml"); }

void document_example(const std::string& text, double now) {
    Document document("phlo: 1\n", "/shots/plume.yaml", true);
    document.edit(text, "gas.cooling", now);
    document.undo();
}

void frame_parcel_example(const Delivery::Bytes& bytes, const std::string& vertices, const Delivery::Bytes& mesh) { FrameParcel parcel{.frame = bytes, .meshes = {{.id = fnv1a(vertices), .bytes = mesh}}}; }

void frame_message_example(const field::Frame& frame, const render::RenderParams& look) { Message message = encode_frame(frame, look, {.max_points = 50'000}); }

void jobs_example(Shelf& shelf, void (*tell)(), const Asset& png) {
    Jobs jobs(shelf, tell);
    int id = jobs.add({.kind = "picture", .title = "frame 40, good"}, [=](JobControl& job) { job.put("picture", png); job.progress(1, 2); });
    jobs.cancel(id);
    std::string json = jobs.to_json();
}

void laboratory_example(Worktable& table, MessageHandlers& handlers) {
    Laboratory laboratory(table);
    laboratory.add_handlers(handlers);
}

void live_run_example(const LookedScene& looked_scene, const LookedScene& changed, bool somebody_waits) {
    LiveRun run(looked_scene);
    run.advance();
    run.go_on([&] { return somebody_waits; });
    Applied applied = run.apply(changed);
    std::shared_ptr<const field::Frame> frame = run.frame();
}

void live_scene_example(const std::string& text, const std::string& file) {
    CheckedScene checked = check_text(text, "/shots/plume.yaml");
    LookedScene live = read_scene(text, file, live_resolution(text, file, 0.08));
}

void mesh_message_example(std::size_t n, const field::Surface& surface, const render::Material& material, FrameParcel& parcel) {
    MeshMemory memory;
    std::string member = memory.add(n, surface, material, parcel.meshes);
}

void payload_example(const std::vector<std::uint32_t>& indices, const std::string& header) {
    Payload payload;
    std::size_t at = payload.add(indices);
    std::shared_ptr<const std::string> message = finished("PHLF", header, payload.data());
}

void point_heat_example(const models::GasSetup& gas, double time) {
    const PointHeat heat(gas);
    auto value = heat.at({{"temperature", 1500}, {"c_fuel", 2}}, time);
}

void point_rates_example(const chem::Network& network, double time, const std::vector<double>& concentrations) {
    std::vector<double> q = rates_at(network, 1500, time, concentrations);
}

void probe_example(const field::Frame& frame, const PointHeat* heat) { std::string json = probe(frame, {0, 0, 0.4}, heat); }

void ramps_example(const render::RenderParams& look) { const Ramps& ramps = ramps_of(look); }

void rate_limit_example() {
    RateLimit rate(300, 600);
    if (!rate.allow()) return;
}

void rules_example(const RequestHead& request) {
    Rules rules(8080);
    Verdict verdict = rules.judge(request);
}

void runs_example(const LookedScene& scene, void (*tell)()) {
    Runs runs("/shots/out", tell);
    runs.start({.name = "campfire"}, scene);
    runs.stop();
    std::string json = runs.to_json();
}

void scrubber_example(void (*publish)(Scrubber::Message), void (*fail)(std::string), const render::RenderParams& look) {
    Scrubber scrubber(publish, fail);
    scrubber.show({.cache = "/shots/out/plume/cache", .frame = 40, .header = "\"source\":\"plume\""}, look);
}

void server_example(const Handlers& handlers, int client) {
    Server server({.port = 0}, handlers);
    server.start();
    fmt::print("{}\n", server.new_address());
    server.send_text(client, "{}");
}

void session_example(void (*text)(int, std::string), void (*binary)(int, std::shared_ptr<const std::string>), int client) {
    Session session({.folder = "/shots"}, {.text = text, .binary = binary});
    session.open_scene("plume");
    session.opened(client);  session.received(client, "{\"type\":\"play\",\"on\":true}");  session.closed(client);
}

void shelf_example(const std::string& bytes) {
    Shelf shelf;
    int number = shelf.put({.type = "image/png", .body = bytes});
    Asset asset = shelf.get("/made/7");
}

void studio_example() {
    Studio studio({.scene = "campfire", .folder = "."});
    fmt::print("{}\n", studio.new_address());
}

void timeline_example(Worktable& table, Delivery& delivery, Delivery& other_delivery, void (*changed)(), MessageHandlers& handlers) {
    Timeline timeline(table, {&delivery, &other_delivery}, changed);
    timeline.add_handlers(handlers);
    if (!timeline.shown()) return;
}

void totals_example(const field::Frame& frame, const models::FrameStats& stats) {
    std::string json = totals_json(frame);
    LedgerTotals ledger;
    ledger.add(stats.ledger);   ledger.to_json();
}

void worktable_example(const Voice& voice, const std::string& json) {
    Worktable table{.folder = "/shots", .voice = voice};
    table.voice.all(json);
}

void worker_example(std::optional<double> (*simulate_a_frame)()) {
    Worker worker([&] { return simulate_a_frame(); });
    worker.post([&] { simulate_a_frame(); });
}

}  // namespace phlo::serve
