import LocalCloudCommands
import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Commands that exercise the framework.
enum SampleCommands {
  static let registry = CommandRegistry(
    [HelpCommand.self, VersionCommand.self, SaveCommand.self, ListCommand.self, DeleteCommand.self, FailCommand.self],
    nouns: ["record": "Save, list and delete records", "zone": "Delete zones"])

  /// Commands with every mistake of a description.
  static let unsound = CommandRegistry([BadCommand.self, BadCommand.self])

  struct BadCommand: Command {
    static let description = CommandDescription(
      "bad", summary: "Bad.", requiredGlobalOptions: [GlobalOptions.container.required(as: "nothing")])

    let first = ArgumentList<String>("FIRST", optional: true, help: "")
    let second = Argument<String>("SECOND", help: "")
    let one = Flag("one", short: "x", excludes: ["neither"], help: "")
    let two = Flag("two", short: "x", help: "")
    let neither = Flag("neither", help: "")
    let unlisted = Argument<String>("THIRD", help: "")
    let number = 3

    var arguments: [any ArgumentDeclaration] { [first, second] }
    var options: [any OptionDeclaration] { [one, two] }

    func run(_ context: CommandContext) throws {}
  }

  /// Prints its arguments and options.
  struct SaveCommand: Command {
    static let description = CommandDescription(
      "record", "save", summary: "Save a record",
      discussion: "The record is made if it is not there.",
      examples: [.init("A note", "localcloud record save Note title=Milk")], exitCodes: [.conflict, .refused])

    let type = Argument<String>("type", help: "the record type")
    let field = FieldOptions.argument
    let name = Option<String>("name", "NAME", short: "n", help: "the record name")
    let policy = Option<String>("policy", "POLICY", .oneOf(["if-unchanged", "all-keys"]), help: "when to refuse")
    let tags = OptionList<String>("tag", "TAG", help: "a tag")
    let sorts = OptionList<String>("sort-by", "FIELD", takesSeveral: true, help: "fields to sort by")
    let limit = Option<Int>("limit", "COUNT", .wholeNumber(in: 1...200), help: "how many")
    let force = Flag("force", short: "f", help: "whatever is there")
    let fields = FieldOptions()

    var arguments: [any ArgumentDeclaration] { [type, field] }
    var options: [any OptionDeclaration] { [name, policy, tags, sorts, limit, force] + fields.options }

    func run(_ context: CommandContext) throws {
      let fields = try fields.fields(context[field], context)
      var document: JSONObject = [
        "fields": .object(fields.fields), "force": .bool(context[force]), "type": .string(context[type]),
      ]
      for option in [name, policy, GlobalOptions.root] { document[option.name] = context[option].map { .string($0) } }
      document["limit"] = context[limit].map { .integer(Int64($0)) }
      document["database"] = context[GlobalOptions.database].map { .string($0.name) }
      for list in [tags, sorts] where context.isGiven(list) {
        document[list.name] = .array(context[list].map { .string($0) })
      }
      let verbosity = context.count(GlobalOptions.verbose)
      if verbosity > 0 { document["verbose"] = .integer(Int64(verbosity)) }
      let account = try context.settings().account
      document["account"] = account.value.map { .string("\($0) from \(account.source)") }
      context.output.notice("saving \(context[type])")
      try context.writeUnlessQuiet(document, text: "saved \(context[name] ?? "it", .bold)")
    }
  }

  struct ListCommand: Command {
    static let description = CommandDescription("record", "list", summary: "List records")
    static let names = ["plain", "\u{1B}[31mred\u{9B}2J\nx", "日本 👩‍👩‍👧 e\u{301}"]

    func run(_ context: CommandContext) throws {
      let names = Self.names
      try context.writeResult(
        list: "records", names.map { ["recordName": .string($0)] },
        table: Table(["name", .init("size", .right)], rows: names.map { [$0, "\($0.utf8.count)"] }))
    }
  }

  struct DeleteCommand: Command {
    static let description = CommandDescription(
      "zone", "delete", summary: "Delete a zone")

    let zone = Argument<String>("zone", help: "the zone's name")

    var arguments: [any ArgumentDeclaration] { [zone] }

    func run(_ context: CommandContext) throws {
      let zone = context[self.zone]
      try context.confirm("delete zone \(zone)")
      try context.writeUnlessQuiet(["zone": .string(zone)], text: "deleted \(zone)")
    }
  }

  struct FailCommand: Command {
    static let description = CommandDescription("fail", summary: "Fail")

    let how = Argument<String>("how", help: "in which way")

    var arguments: [any ArgumentDeclaration] { [how] }

    func run(_ context: CommandContext) throws {
      switch context[how] {
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
