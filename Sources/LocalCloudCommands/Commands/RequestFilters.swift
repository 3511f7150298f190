import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

/// The options that select requests of the log. A request is selected if all options that were given accept it.
struct RequestFilters: OptionGroup {
  /// One option, and the requests that it accepts.
  private struct Filter: Sendable {
    let option: any OptionDeclaration
    /// The test of requests; nil if the option was not given.
    let test: @Sendable (CommandContext) -> ((LoggedRequest) -> Bool)?

    init<Value: Sendable>(_ option: Option<Value>, _ accepts: @escaping @Sendable (LoggedRequest, Value) -> Bool) {
      self.option = option
      test = { context in
        guard let value = context[option] else { return nil }
        return { accepts($0, value) }
      }
    }

    init(_ flag: Flag, _ accepts: @escaping @Sendable (LoggedRequest) -> Bool) {
      option = flag
      test = { context in
        guard context[flag] else { return nil }
        return { accepts($0) }
      }
    }

    /// For an option with the text of a member; the empty text accepts requests without it.
    init(_ option: Option<String>, member key: String) {
      self.init(option) { $0.has(key, $1) }
    }
  }

  private static let filters: [Filter] = [
    Filter(
      Option<Operation>("request", "KIND", .cases, aliases: ["operation"], help: "only requests of this kind")
    ) { $0["request"] == $1.rawValue },
    Filter(
      Option<String>(
        "zone", "NAME", short: "z", aliases: ["zone-name"], completes: .zone,
        help: "only requests that name this zone, or a record in it")
    ) { $0.names(zone: $1) },
    Filter(
      Option<String>(
        "record", "NAME", completes: .record, help: "only requests whose line names this record")
    ) { $0.names(record: $1) },
    Filter(
      Option<String>("program", "NAME", help: "only requests of this program, such as localcloud, or of this command")
    ) { [$0["program"], $0["command"]].contains($1) },
    Filter(
      Option<Int>("process", "ID", .wholeNumber(in: 1...Int.max), help: "only requests of this process")
    ) { $0.line["process"]?.integer == Int64($1) },
    Filter(
      Option<String>("group", "NAME", help: "only requests of operation groups of this name")
    ) { $0.line["group"]?["name"]?.string == $1 },
    Filter(
      Option<ServiceError.Code>(
        "error", "CODE", .errorCode,
        help: "only requests that failed with this error, or an item of which did, such as zoneNotFound")
    ) { $0.has($1) },
    Filter(
      Option<String>("fault", "ID", help: "only requests on which this fault rule fired")
    ) { $0.has(fault: $1) },
    Filter(Flag("failed", help: "only requests that were refused, or an item of which was")) { $0.isFailed },
    Filter(
      Option<Moment>("since", "TIME", .time, help: "only requests that ended at this time or later")
    ) { entry, since in entry.time.map { $0.secondsSince2001 >= since.secondsSince2001 } ?? false },
    Filter(
      Option<Moment>("until", "TIME", .time, help: "only requests that ended at this time or earlier")
    ) { entry, until in entry.time.map { $0.secondsSince2001 <= until.secondsSince2001 } ?? false },
  ]

  /// The options of all commands that select requests here.
  private static let globals: [Filter] = [
    Filter(GlobalOptions.account, member: "account"),
    Filter(GlobalOptions.device, member: "device"),
    Filter(GlobalOptions.container, member: "containerIdentifier"),
    Filter(GlobalOptions.environment) { $0.has("environment", $1.rawValue) },
    Filter(GlobalOptions.database) { $0.has("database", $1.name) },
  ]

  var options: [any OptionDeclaration] { Self.filters.map(\.option) }

  /// Whether the options of the command line select a request.
  func test(_ context: CommandContext) -> (LoggedRequest) -> Bool {
    let tests = (Self.filters + Self.globals).compactMap { $0.test(context) }
    return { entry in tests.allSatisfy { $0(entry) } }
  }
}

extension ValueType<Moment> {
  fileprivate static var time: ValueType {
    ValueType { text in
      try? FieldText.timestamp(text, allowingLocal: true)
    } reason: { _ in
      "is not a time, such as 2026-01-31T12:00:00Z"
    }
  }
}
