// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/stored_trace.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/byte_source.h"
#include "base/json_form.h"
#include "base/private_paths.h"

namespace fxs::trace {
namespace {

constexpr std::uint64_t kTraceBytes = std::uint64_t{1} << 30;
/// A letter for each Link, in order.
constexpr std::string_view kLinks = "-xlpuds";

template <class T, class Value>
void numbers(std::string& out, std::string_view key, const std::vector<T>& items, Value value) {
  out += fmt::format(",\n      \"{}\": [", key);
  bool first = true;
  for (const T& item : items) {
    if (!first) out += ',';
    first = false;
    fmt::format_to(std::back_inserter(out), "{}", value(item));
  }
  out += ']';
}

/// The origins of a snapshot's operations as parallel arrays: `nodes` and `from_ops` concatenate
/// those of all operations, `node_ends` and `from_ends` are the end offsets of each operation.
void writeLinks(std::string& out, std::size_t snapshot, const SnapshotOrigins& origins) {
  std::string links;
  std::vector<std::uint32_t> lines, nodes, nodeEnds, ops, opEnds;
  for (std::size_t i = 0; i < origins.size(); ++i) {
    const OpOrigin origin = origins.of(mlir::OpId::of(i));
    links += kLinks[static_cast<std::size_t>(origin.link)];
    lines.push_back(origins.lineOf(mlir::OpId::of(i)));
    for (const fx::NodeId node : origin.nodes) nodes.push_back(node.value);
    for (const mlir::OpId op : origin.from) ops.push_back(op.value);
    nodeEnds.push_back(static_cast<std::uint32_t>(nodes.size()));
    opEnds.push_back(static_cast<std::uint32_t>(ops.size()));
  }
  const auto same = [](std::uint32_t n) { return n; };
  out +=
      fmt::format("{}    {{\n      \"snapshot\": {},\n      \"from\": {},\n      \"links\": \"{}\"",
                  snapshot == 0 ? "" : ",\n", snapshot,
                  origins.from() < 0 ? "null" : std::to_string(origins.from()), links);
  numbers(out, "lines", lines, same);
  numbers(out, "nodes", nodes, same);
  numbers(out, "node_ends", nodeEnds, same);
  numbers(out, "from_ops", ops, same);
  numbers(out, "from_ends", opEnds, same);
  out += "\n    }";
}

std::optional<std::chrono::duration<double>> secondsOf(const lower::PassRun* pass) {
  return pass == nullptr || pass->seconds.count() < 0 ? std::nullopt : std::optional(pass->seconds);
}
std::optional<std::size_t> indexOf(int index) {
  return index < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(index));
}

JsonForm<lower::StageResult> stageForm(const lower::PassTrace* trace) {
  using S = lower::StageResult;
  return {{"name", &S::id},
          {"title", &S::title},
          {"status", &S::status, JsonNames(lower::StageStatus::Skipped)},
          {"failing_pass", &S::failingPass, nullIfEmpty},
          {"why", &S::message, nullIfEmpty},
          {"last_snapshot", [trace](const S& stage) { return indexOf(trace->lastOf(stage.id)); },
           "the module after the stage; null when it did not get that far"}};
}

/// A pass by its index.
JsonForm<std::size_t> passForm(const lower::PassTrace* trace) {
  using lower::PassRun;
  const auto pass = [trace](std::size_t i) -> auto& { return trace->passes[i]; };
  return JsonForm<std::size_t>{{"index", itself}}.with(
      pass,
      JsonForm<PassRun>{{"stage", &PassRun::stage},
                        {"pass", &PassRun::pass},
                        {"options", &PassRun::options},
                        {"anchor", &PassRun::anchor, "the operation it runs on"},
                        {"ran", &PassRun::ran},
                        {"changed", &PassRun::changed},
                        {"failed", &PassRun::failed, "it stopped the pipeline"},
                        {"seconds", [](const PassRun& run) { return secondsOf(&run); }, atLeast(0)},
                        {"snapshot", [](const PassRun& run) { return indexOf(run.snapshot); },
                         "the module after it; that of an earlier pass when it changed nothing"}});
}

/// A snapshot by its index.
JsonForm<std::size_t> snapshotForm(const Trace* trace) {
  using lower::IrSnapshot;
  const auto snapshot = [trace](std::size_t i) -> auto& { return trace->passes().snapshots[i]; };
  const auto passOf = [trace, snapshot](std::size_t i) {
    const int pass = snapshot(i).pass;
    return pass < 0 ? nullptr : &trace->passes().passes[static_cast<std::size_t>(pass)];
  };
  const auto passName = [passOf](std::size_t i) {
    return passOf(i) == nullptr ? nullptr : &passOf(i)->pass;
  };
  const auto changed = [passOf](std::size_t i) {
    return passOf(i) != nullptr && passOf(i)->changed;
  };
  const JsonForm<Counts> counts = {
      {"ops", &Counts::ops, "operations, module and functions included"},
      {"counted", &Counts::counted, "operations without module and functions"},
      {"exact", &Counts::exact},
      {"inherited", &Counts::inherited},
      {"users", &Counts::users},
      {"source_line", &Counts::sourceLine,
       "by a line of Python that several nodes may share; no part of the coverage"},
      {"debug_line", &Counts::debugLine, absentIfEmpty, atLeast(1),
       "instructions known by their debug line; part of the coverage; absent if there are none"},
      {"dispatch", &Counts::dispatch, absentIfEmpty, atLeast(1),
       "by their dispatch, which may compute several nodes; no part of the coverage; absent if "
       "there are none"},
      {"coverage", &Counts::coverage, atLeast(0), atMost(1),
       "(exact + debug_line + inherited + users) / counted"}};
  return JsonForm<std::size_t>{{"index", itself}}
      .with(snapshot, JsonForm<IrSnapshot>{{"stage", &IrSnapshot::stage}})
      .with({{"pass", passName},
             {"pass_index", [snapshot](std::size_t i) { return indexOf(snapshot(i).pass); }},
             {"changed", changed}})
      .with(snapshot,
            JsonForm<IrSnapshot>{{"failure", &IrSnapshot::failure, "the IR at the failing pass"}})
      .with({{"seconds", [passOf](std::size_t i) { return secondsOf(passOf(i)); }, atLeast(0)}})
      .with(snapshot,
            JsonForm<IrSnapshot>{{"file", &IrSnapshot::file, "in the directory of trace.json"}})
      .with([trace](std::size_t i) -> auto& { return trace->origins(i)->counts(); }, counts);
}

/// What writeLinks() writes, for the schema.
struct StoredLinks {
  std::size_t snapshot = 0;
  std::optional<std::size_t> from;
  std::string links;
  std::vector<std::uint32_t> lines, nodes, nodeEnds, fromOps, fromEnds;
};
JsonForm<StoredLinks> linksForm() {
  using L = StoredLinks;
  return {{"snapshot", &L::snapshot},
          {"from", &L::from, "the snapshot that from_ops are of"},
          {"links", &L::links, matches("^[-xlpuds]*$"),
           "a letter an operation: how its node is known: x exact, p inherited from the operation "
           "around it, u through its users, s by a line of Python, - not"},
          {"lines", &L::lines, "the line it begins on, from 1"},
          {"nodes", &L::nodes, "the nodes of all operations, one after the other"},
          {"node_ends", &L::nodeEnds, "where each operation's nodes end"},
          {"from_ops", &L::fromOps,
           "the operations of `from` that it came from, of all operations one after the other"},
          {"from_ends", &L::fromEnds, "where each operation's end"}};
}

/// A trace and the name of its input.
using NamedTrace = std::pair<const Trace*, const std::string*>;

JsonAnswer<NamedTrace> traceAnswer(const Trace* trace) {
  using lower::PassTrace, lower::HopFile, lower::Engine;
  const PassTrace* passes = trace == nullptr ? nullptr : &trace->passes();
  const JsonForm<Engine> engine = {
      {"path", [](const Engine& e) { return shownPath(e.path, ""); }},
      {"version", &Engine::version},
      {"sha256", &Engine::sha256, matches("^([0-9a-f]{64})?$"), "empty: made elsewhere"}};
  const JsonForm<HopFile> hop = {{"name", &HopFile::name},
                                 {"snapshot", [](const HopFile& h) { return indexOf(h.snapshot); }},
                                 {"shift", &HopFile::shift}};
  const auto target = [](const PassTrace& p) {
    return p.madeElsewhere() ? std::string_view() : lower::name(p.target);
  };
  const auto runs = [](const PassTrace& p) {
    std::vector<std::vector<std::string>> out = p.runs;
    for (std::vector<std::string>& run : out)
      if (!run.empty()) run.front() = shownPath(run.front(), "");
    return out;
  };
  const auto upTo = [](auto member) {
    return [member](const PassTrace& p) {
      return std::views::iota(std::size_t{0}, (p.*member).size());
    };
  };
  const JsonForm<PassTrace> form = {
      {"engine", &PassTrace::engine, engine},
      {"target", target, nullIfEmpty, matches("^[a-z][a-z0-9-]{0,39}$"),
       "the output type; null: made elsewhere"},
      {"ok", &PassTrace::ok, "every stage is ok"},
      {"untraced", &PassTrace::untraced, JsonNames(lower::Untraced::NotCompared),
       "whether the last snapshot is what the plain pipeline prints; not compared when that one "
       "fails"},
      {"stages", &PassTrace::stages, stageForm(passes)},
      {"passes", upTo(&PassTrace::passes), passForm(passes), "every pass of every stage, in order"},
      {"snapshots", upTo(&PassTrace::snapshots), snapshotForm(trace), atLeast(1),
       "the module before the first pass, then after each pass that changed it, then at a failure"},
      {"hops", &PassTrace::hops, hop,
       "what locations in the snapshots lead to: line L of `name` is line L + shift of that "
       "snapshot's file"},
      {"runs", runs, "the engine's command lines"}};
  return {kTraceSchema, "fxscope-cli trace --json, and trace.json of trace -o DIR",
          JsonForm<NamedTrace>{{"input", &NamedTrace::second, "the input file, as given"}}
              .with([](const NamedTrace& t) -> auto& { return t.first->passes(); }, form)
              .with({{"nodes", [](const NamedTrace& t) { return t.first->nodeNames(); },
                      "names of the program's nodes, by index"}})};
}

/// Reads members of one object and keeps the first error.
class Fields {
 public:
  explicit Fields(Json object) : object_(object) {}
  std::string text(std::string_view key) {
    return std::string(take(get(key), &Json::asString, std::string_view()));
  }
  std::string textOrEmpty(std::string_view key) {
    const auto member = object_.find(key);
    return !member || member->isNull() ? std::string() : text(key);
  }
  bool flag(std::string_view key) { return take(get(key), &Json::asBool, false); }
  std::int64_t number(std::string_view key) {
    return take(get(key), &Json::asInt, std::int64_t{0});
  }
  int index(std::string_view key, std::size_t below) {
    const auto member = object_.find(key);
    if (!member || member->isNull()) return -1;
    const std::int64_t value = number(key);
    if (!error && (value < 0 || static_cast<std::uint64_t>(value) >= below))
      error = member->error(fmt::format("{} is not an index below {}", value, below));
    return static_cast<int>(value);
  }
  double seconds(std::string_view key) {
    const auto member = object_.find(key);
    return !member || member->isNull() ? -1 : take(get(key), &Json::asFloat, 0.0);
  }
  std::size_t countOrNone(std::string_view key) { return object_.find(key) ? count(key) : 0; }
  std::size_t count(std::string_view key) {
    return static_cast<std::size_t>(std::max(number(key), std::int64_t{0}));
  }
  std::vector<Json> list(std::string_view key) {
    std::vector<Json> out;
    const auto member = get(key);
    if (!member) return out;
    const auto array = member->asArray();
    if (!array) fail(array.error());
    else
      for (const Json item : *array) out.push_back(item);
    return out;
  }
  std::vector<std::uint32_t> numbersOf(std::string_view key) {
    std::vector<std::uint32_t> out;
    const auto member = get(key);
    if (!member) return out;
    const auto array = member->asArray();
    if (!array) {
      fail(array.error());
      return out;
    }
    out.reserve(array->size());
    for (const Json item : *array) {
      const auto value = item.asInt();
      if (!value) fail(value.error());
      else if (*value < 0 || *value > 0xffffffff) fail(item.error("not a 32-bit number"));
      else out.push_back(static_cast<std::uint32_t>(*value));
      if (error) break;
    }
    return out;
  }
  Json object() const { return object_; }
  std::optional<Error> error;

 private:
  std::optional<Json> get(std::string_view key) {
    auto member = object_.at(key);
    if (!member) {
      fail(member.error());
      return std::nullopt;
    }
    return *member;
  }
  template <class T>
  T take(const std::optional<Json>& json, Result<T> (Json::*as)() const, T otherwise) {
    if (!json) return otherwise;
    auto value = (*json.*as)();
    if (!value) fail(value.error());
    return value.value_or(otherwise);
  }
  void fail(const Error& e) {
    if (!error) error = e;
  }
  Json object_;
};

#define FXS_FIELDS(fields) \
  if ((fields).error) return tl::unexpected<Error>(*std::move((fields).error))

bool isWithin(std::size_t number, std::size_t least, std::size_t most) {
  return number >= least && number <= most;
}

Result<std::shared_ptr<const SnapshotOrigins>> readLinks(Json json, std::size_t nodeCount,
                                                         const std::vector<Counts>& all,
                                                         const Counts& counts) {
  Fields f(json);
  auto out = std::make_shared<SnapshotOrigins>();
  const std::string links = f.text("links");
  const auto lines = f.numbersOf("lines"), nodes = f.numbersOf("nodes"),
             nodeEnds = f.numbersOf("node_ends");
  const auto ops = f.numbersOf("from_ops"), opEnds = f.numbersOf("from_ends");
  out->setFrom(f.index("from", all.size()));
  FXS_FIELDS(f);
  const auto wrong = [&](std::string_view message) {
    return tl::unexpected<Error>(json.error(std::string(message)));
  };
  if (lines.size() != links.size() || nodeEnds.size() != links.size() ||
      opEnds.size() != links.size() || counts.ops != links.size())
    return wrong("its lists do not all have one entry per operation of its snapshot");
  // Of the snapshot that it comes from.
  const std::size_t opCount = out->from() < 0 ? 0 : all[static_cast<std::size_t>(out->from())].ops;
  std::uint32_t nodeBegin = 0, opBegin = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const std::size_t link = kLinks.find(links[i]);
    if (link == std::string_view::npos)
      return wrong(fmt::format("'{}' is not a kind of link", links[i]));
    if (!isWithin(nodeEnds[i], nodeBegin, nodes.size()) ||
        !isWithin(opEnds[i], opBegin, ops.size()))
      return wrong("its ends are not ascending up to the length of its lists");
    std::vector<fx::NodeId> ofNodes;
    for (std::uint32_t n = nodeBegin; n < nodeEnds[i]; ++n) {
      if (nodes[n] >= nodeCount) return wrong(fmt::format("there is no node {}", nodes[n]));
      ofNodes.push_back(fx::NodeId{nodes[n]});
    }
    std::vector<mlir::OpId> ofOps;
    for (std::uint32_t o = opBegin; o < opEnds[i]; ++o) {
      if (ops[o] >= opCount) return wrong(fmt::format("there is no operation {}", ops[o]));
      ofOps.push_back(mlir::OpId{ops[o]});
    }
    out->add(static_cast<Link>(link), ofNodes, ofOps, lines[i]);
    nodeBegin = nodeEnds[i];
    opBegin = opEnds[i];
  }
  out->setCounts(counts);
  return std::shared_ptr<const SnapshotOrigins>(std::move(out));
}

Result<lower::StageStatus> statusFrom(Json object, const std::string& text) {
  for (const lower::StageStatus status :
       {lower::StageStatus::Ok, lower::StageStatus::Failed, lower::StageStatus::Crashed,
        lower::StageStatus::Timeout, lower::StageStatus::Unknown, lower::StageStatus::Skipped})
    if (text == lower::name(status)) return status;
  return tl::unexpected<Error>(object.error("'" + text + "' is not a stage status"));
}

lower::Untraced untracedFrom(std::string_view text) {
  if (text == "same") return lower::Untraced::Same;
  return text == "differs" ? lower::Untraced::Differs : lower::Untraced::NotCompared;
}

/// Snapshot files must be in the directory of the trace: names with other paths are rejected.
bool isPlainName(const std::string& file) {
  return !file.empty() && file.find('/') == std::string::npos && file != "." && file != "..";
}

Result<lower::StageResult> stageIn(Json item) {
  Fields f(item);
  lower::StageResult stage;
  stage.id = f.text("name");
  stage.title = f.text("title");
  stage.failingPass = f.textOrEmpty("failing_pass");
  stage.message = f.textOrEmpty("why");
  const std::string status = f.text("status");
  FXS_FIELDS(f);
  FXS_TRY(stage.status, statusFrom(item, status));
  return stage;
}

Result<lower::PassRun> passIn(Json item, std::size_t snapshots) {
  Fields f(item);
  lower::PassRun pass{f.text("stage"),
                      f.text("pass"),
                      f.text("options"),
                      f.text("anchor"),
                      f.flag("ran"),
                      f.flag("changed"),
                      f.flag("failed"),
                      std::chrono::duration<double>(f.seconds("seconds")),
                      f.index("snapshot", snapshots)};
  FXS_FIELDS(f);
  return pass;
}

Result<lower::HopFile> hopIn(Json item, std::size_t snapshots) {
  Fields f(item);
  lower::HopFile hop{f.text("name"), f.index("snapshot", snapshots), f.number("shift")};
  FXS_FIELDS(f);
  return hop;
}

Counts countsIn(Fields& f) {
  return {.ops = f.count("ops"),
          .counted = f.count("counted"),
          .exact = f.count("exact"),
          .debugLine = f.countOrNone("debug_line"),
          .inherited = f.count("inherited"),
          .users = f.count("users"),
          .dispatch = f.countOrNone("dispatch"),
          .sourceLine = f.count("source_line")};
}

Result<StoredTrace> read(Json root, const std::string& directory, const lower::OutputTypes& types) {
  StoredTrace out;
  auto passes = std::make_shared<lower::PassTrace>();
  passes->directory = directory;
  Fields top(root);
  if (const std::string schema = top.textOrEmpty("schema"); schema != kTraceSchema)
    return tl::unexpected<Error>(root.error("its schema is '" + schema + "', not '" +
                                            std::string(kTraceSchema) +
                                            "': it is not a trace of fxscope"));
  out.input = top.text("input");
  // A pass pipeline, or a type of a file that is not given now, is known by its name only.
  if (const std::string target = top.textOrEmpty("target"); !target.empty()) {
    auto type = types.from(target);
    if (!type) type = lower::namedType(target);
    if (!type) return tl::unexpected<Error>(root.error("target: " + type.error().message));
    passes->target = *std::move(type);
  }
  passes->untraced = untracedFrom(top.text("untraced"));
  const std::vector<Json> passList = top.list("passes"), snapshotList = top.list("snapshots");
  std::vector<std::string> names;
  for (const Json name : top.list("nodes")) names.emplace_back(name.asString().value_or(""));
  if (const auto engine = root.find("engine")) {
    Fields f(*engine);
    passes->engine = {f.text("path"), f.text("version"), f.text("sha256"), {}};
    FXS_FIELDS(f);
  }
  for (const Json item : top.list("stages")) {
    FXS_TRY(lower::StageResult stage, stageIn(item));
    passes->stages.push_back(std::move(stage));
  }
  for (const Json item : passList) {
    FXS_TRY(lower::PassRun pass, passIn(item, snapshotList.size()));
    passes->passes.push_back(std::move(pass));
  }
  std::vector<Counts> counts;
  for (const Json item : snapshotList) {
    Fields f(item);
    lower::IrSnapshot snapshot{f.text("stage"), f.index("pass_index", passList.size()),
                               f.text("file"), f.flag("failure")};
    counts.push_back(countsIn(f));
    FXS_FIELDS(f);
    if (!isPlainName(snapshot.file))
      return tl::unexpected<Error>(
          item.error("'" + snapshot.file + "' is not a file name in the trace's directory"));
    passes->snapshots.push_back(std::move(snapshot));
  }
  for (const Json item : top.list("hops")) {
    FXS_TRY(lower::HopFile hop, hopIn(item, snapshotList.size()));
    passes->hops.push_back(std::move(hop));
  }
  std::vector<std::shared_ptr<const SnapshotOrigins>> origins;
  for (const Json item : top.list("links")) {
    if (origins.size() == counts.size())
      return tl::unexpected<Error>(item.error("there are more links than snapshots"));
    FXS_TRY(auto links, readLinks(item, names.size(), counts, counts[origins.size()]));
    origins.push_back(std::move(links));
  }
  FXS_FIELDS(top);
  if (origins.size() != counts.size())
    return tl::unexpected<Error>(root.error("it has links for only some snapshots"));
  out.trace = makeTrace(std::move(passes), std::move(names), std::move(origins), nullptr);
  return out;
}

}  // namespace

std::string traceJson(const Trace& trace, const std::string& input, const std::string& findings) {
  // Long lists of numbers are written directly, as they are most of the file.
  std::string out = traceAnswer(&trace).text({&trace, &input});
  out.resize(out.rfind('}'));
  while (out.ends_with('\n')) out.pop_back();
  out += ",\n  \"findings\": " + (findings.empty() ? "[]" : findings) + ",\n  \"links\": [\n";
  for (std::size_t i = 0; i < trace.passes().snapshots.size(); ++i)
    writeLinks(out, i, *trace.origins(i));
  out += "\n  ]\n}\n";
  return out;
}

std::string traceSchema() {
  JsonAnswer<NamedTrace> answer = traceAnswer(nullptr);
  const auto findings = [](const NamedTrace&) { return std::vector<fx::Finding>(); };
  const auto links = [](const NamedTrace&) { return std::vector<StoredLinks>(); };
  answer.form =
      std::move(answer.form)
          .with({{"findings", findings, JsonForm<fx::Finding>{}, "as in lower.schema.json"},
                 {"links", links, linksForm(),
                  "a snapshot's operations in the order of its file, as lists side by "
                  "side"}});
  return answer.schemaText();
}

Result<StoredTrace> openStoredTrace(const std::string& path, const RunContext& context,
                                    const lower::OutputTypes& types) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path file =
      fs::is_directory(path, ignored) ? fs::path(path) / kTraceFile : fs::path(path);
  context.report({"opening " + file.string(), -1});
  FXS_TRY(const std::string text, readWholeFile(file.string(), kTraceBytes));
  FXS_TRY(const auto document, JsonDocument::parse(text, file.string()));
  const fs::path directory = file.parent_path();
  return read(document->root(), directory.empty() ? "." : directory.string(), types);
}

}  // namespace fxs::trace
