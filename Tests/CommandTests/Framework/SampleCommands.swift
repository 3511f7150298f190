import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore

/// Commands that exercise the framework.
enum SampleCommands {
  static let registry = CommandRegistry(
    [HelpCommand.self, VersionCommand.self, SaveCommand.self, ListCommand.self, DeleteCommand.self, FailCommand.self],
    nouns: ["record": "Save, list and delete records", "zone": "Delete zones"])

  /// Commands with every mistake of a description.
  static let unsound = CommandRegistry([BadCommand.self, BadCommand.self])

  enum BadCommand: Command {
    static let description = CommandDescription(
      "bad", summary: "Bad.",
      arguments: [
        ArgumentDescription("FIRST", optional: true, repeating: true, help: ""),
        ArgumentDescription("SECOND", help: ""),
      ],
      options: [.flag("one", short: "x", help: ""), .flag("two", short: "x", help: "")],
      requiredGlobalOptions: ["nothing"], exclusiveOptions: [["one", "neither"]])

    static func run(_ context: CommandContext) throws {}
  }

  /// Prints its arguments and options.
  enum SaveCommand: Command {
    static let description = CommandDescription(
      "record", "save", summary: "Save a record",
      discussion: "The record is made if it is not there.",
      examples: [.init("A note", "localcloud record save Note title=Milk")],
      arguments: [ArgumentDescription("type", help: "the record type"), FieldArguments.argument],
      options: [
        .value("name", "NAME", short: "n", help: "the record name"),
        .value("policy", "POLICY", allowed: ["if-unchanged", "all-keys"], help: "when to refuse"),
        .value("tag", "TAG", repeating: true, help: "a tag"),
        .values("sort-by", "FIELD", help: "fields to sort by"),
        .value("limit", "COUNT", check: ValueCheck.wholeNumber(in: 1...200), help: "how many"),
        .flag("force", short: "f", help: "whatever is there"),
        .value("secret", "X", hidden: true, help: "not shown"),
      ] + FieldArguments.options,
      exclusiveOptions: [FieldArguments.exclusiveOptions], exitCodes: [.conflict, .refused])

    static func run(_ context: CommandContext) throws {
      let fields = try context.fields()
      var document: JSONObject = [
        "fields": .object(fields.fields), "force": .bool(context.flag("force")),
        "type": .string(try context.required("type")),
      ]
      for name in ["name", "policy", "limit", "root", "database"] {
        document[name] = context.string(name).map { .string($0) }
      }
      for name in ["tag", "sort-by"] where !context.all(name).isEmpty {
        document[name] = .array(context.all(name).map { .string($0) })
      }
      if context.count("verbose") > 0 { document["verbose"] = .integer(Int64(context.count("verbose"))) }
      let account = try context.settings().account
      document["account"] = account.value.map { .string("\($0) from \(account.source)") }
      context.output.notice("saving \(try context.required("type"))")
      try context.report(document, text: "saved \(context.string("name") ?? "it", .bold)")
    }
  }

  enum ListCommand: Command {
    static let description = CommandDescription("record", "list", summary: "List records")
    static let names = ["plain", "\u{1B}[31mred\u{9B}2J\nx", "日本 👩‍👩‍👧 e\u{301}"]

    static func run(_ context: CommandContext) throws {
      try context.emit(
        list: "records", names.map { ["recordName": .string($0)] },
        table: Table(["name", .init("size", .right)], rows: names.map { [$0, "\($0.utf8.count)"] }))
    }
  }

  enum DeleteCommand: Command {
    static let description = CommandDescription(
      "zone", "delete", summary: "Delete a zone", arguments: [ArgumentDescription("zone", help: "the zone's name")])

    static func run(_ context: CommandContext) throws {
      let zone = try context.required("zone")
      try context.confirm("delete zone \(zone)")
      try context.report(["zone": .string(zone)], text: "deleted \(zone)")
    }
  }

  enum FailCommand: Command {
    static let description = CommandDescription(
      "fail", summary: "Fail", arguments: [ArgumentDescription("how", help: "in which way")], isHidden: true)

    static func run(_ context: CommandContext) throws {
      switch try context.required("how") {
      case "service":
        throw CommandFailure(
          .tryLater, code: "zoneBusy", "zone \u{1B}[2JNotes is busy", hint: "wait", path: "/cloud/x", ckErrorCode: 23,
          retryAfter: 2)
      case "silently": throw SilentExit(.problemsFound)
      default: throw JSONError(at: context)
      }
    }

    struct JSONError: Error {
      init(at context: CommandContext) {}
    }
  }
}
