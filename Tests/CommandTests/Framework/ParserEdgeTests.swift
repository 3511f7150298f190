import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("Edge cases of command line parsing")
struct ParserEdgeTests {
  /// A command that prints an option of each type of values.
  private struct AskCommand: Command {
    static let description = CommandDescription("thing", "ask", summary: "Ask")

    let what = Argument<String>("what", help: "which")
    let number = Option<Int>("n", "N", .wholeNumber(), help: "")
    let pause = Option<Double>("pause", "SECONDS", .seconds, help: "how long")

    var arguments: [any ArgumentDeclaration] { [what] }
    var options: [any OptionDeclaration] { [number, pause] }

    func run(_ context: CommandContext) throws {
      switch context[what] {
      case "integer":
        try context.writeResult(["n": .integer(Int64(context[number] ?? -1))], text: "integer")
      case "number":
        try context.writeResult(["pause": .double(context[pause] ?? -1)], text: "number")
      default:
        let answer = try context.ask("well?")
        try context.output.write("\(answer ?? "nothing")\n")
      }
    }
  }

  private struct NamelessCommand: Command {
    static let description = CommandDescription(summary: "Nothing")
    func run(_ context: CommandContext) throws {}
  }

  private struct LonelyCommand: Command {
    static let description = CommandDescription(
      "lonely", "verb", summary: "", requiredGlobalOptions: [GlobalOptions.container.required(as: "container-id")])

    let first = Argument<String>("first", help: "one")
    let second = OptionalArgument<String>("second", help: "two")
    let rest = ArgumentList<String>("rest", optional: true, help: "more")
    let one = Flag("one", excludes: ["two"], help: "")
    let two = Option<String>("two", "X", aliases: ["one"], help: "")

    var arguments: [any ArgumentDeclaration] { [first, second, rest] }
    var options: [any OptionDeclaration] { [one, two] }

    func run(_ context: CommandContext) throws {}
  }

  private struct OuterCommand: Command {
    static let description = CommandDescription("outer", summary: "Run another command")
    func run(_ context: CommandContext) throws { try context.run(InnerCommand(), []) }
  }

  private struct InnerCommand: Command {
    static let description = CommandDescription(
      "inner", summary: "Print a global option",
      requiredGlobalOptions: [GlobalOptions.container.required(as: "container-id")])

    func run(_ context: CommandContext) throws {
      try context.output.write("\(context[GlobalOptions.container] ?? "")\n")
    }
  }

  /// A command with required options, of its own and of all commands.
  private struct StrictCommand: Command {
    static let description = CommandDescription(
      "strict", summary: "Delete a record",
      requiredGlobalOptions: [GlobalOptions.container.required(as: "container-id")])

    let name = RequiredOption<String>("record-name", "NAME", help: "the record's name")

    var options: [any OptionDeclaration] { [name] }

    func run(_ context: CommandContext) throws {}
  }

  /// Prints the words of another command line.
  private struct WrapCommand: Command {
    static let description = CommandDescription("wrap", summary: "Print the words of another command line")

    let name = Argument<String>("name", help: "who")
    let command = ArgumentList<String>("command", endsOptions: true, help: "the other command line")
    let loud = Flag("loud", short: "l", help: "")

    var arguments: [any ArgumentDeclaration] { [name, command] }
    var options: [any OptionDeclaration] { [loud] }

    func run(_ context: CommandContext) throws {
      let words = [context[loud] ? "loud" : "quiet", context[name]] + context[command]
      try context.output.write("\(words.joined(separator: "|"))\n")
    }
  }

  private static let things = CommandRegistry([AskCommand.self, HelpCommand.self])

  private func ask(_ words: String..., answers: [TerminalLine]? = nil) -> ToolRun {
    ToolRun(
      words: ["thing", "ask"] + words, answers: answers ?? [], isTerminal: answers != nil, registry: Self.things)
  }

  private func saved(_ words: String...) throws -> JSONValue {
    let run = ToolRun(words: words + ["--json"])
    #expect(run.code == .success, "\(run.error)")
    return try JSONValue(parsing: run.output)
  }

  private func error(_ words: String...) throws -> JSONValue? {
    let run = ToolRun(words: words)
    #expect(run.code == .usage)
    #expect(run.output == "")
    return try JSONValue(parsing: run.error)["error"]
  }

  @Test(
    "the first word of another command line ends the options, and so does --",
    arguments: [
      (["anna", "sh", "-c", "-l", "--json"], "quiet|anna|sh|-c|-l|--json\n"),
      (["-l", "anna", "--", "sh", "--help"], "loud|anna|sh|--help\n"),
      (["anna", "-l", "sh", "--", "x", "--"], "loud|anna|sh|--|x|--\n"),
      (["--", "anna", "-l", "--"], "quiet|anna|-l|--\n"),
    ])
  func wordsOfAnotherCommandLine(words: [String], output: String) {
    #expect(ToolRun(words: ["wrap"] + words, registry: CommandRegistry([WrapCommand.self])).output == output)
  }

  @Test("the usage of a command that takes another command line has its options first")
  func usageOfACommandThatTakesAnother() {
    let run = ToolRun(words: ["wrap", "anna"], registry: CommandRegistry([WrapCommand.self]))
    #expect(run.code == .usage)
    #expect(run.error.hasPrefix("usage: localcloud wrap <name> [options] [--] <command>…\n"), "\(run.error)")
    #expect(run.error.contains("<command> is missing"))
  }

  // MARK: Arguments that a command requests

  @Test("a number that an option's type refuses is an error that names the option")
  func numbers() throws {
    #expect(ask("integer", "--n", "5", "--json").output.contains("\"n\": 5"))
    #expect(ask("integer", "--json").output.contains("\"n\": -1"))
    #expect(ask("integer", "--n", "5.5").error.contains("error: --n \"5.5\" is not a whole number\n"))
    #expect(ask("number", "--pause", "5.5", "--json").output.contains("\"pause\": 5.5"))
    for text in ["-1", "-0.5", "inf", "nan", "x"] {
      #expect(ask("integer", "--pause=\(text)").error.contains("--pause \"\(text)\" is not a number of seconds"))
    }
    for text in ["0", "1.5"] { #expect(ask("integer", "--pause", text).code == .success) }
  }

  @Test("the limits of a range are allowed values, and an error for an open range names the minimum")
  func limitsOfARangeAreAllowedValues() throws {
    for limit in ["1", "200"] {
      #expect(try saved("record", "save", "T", "--limit", limit)["limit"]?.description == limit)
    }
    for limit in ["0", "201"] {
      let error = try error("record", "save", "T", "--limit", limit, "--json")
      #expect(error?["message"]?.string == "--limit \"\(limit)\" is not between 1 and 200")
    }
    #expect(
      try error("record", "save", "T", "--limit", "x", "--json")?["message"] == "--limit \"x\" is not a whole number")
    let open = ToolRun(words: ["record", "list", "T", "--limit", "0"], registry: .standard)
    #expect(open.error.contains("error: --limit \"0\" is less than 1\n"))
  }

  @Test("answers are trimmed, Ctrl-D gives no answer, and Ctrl-C ends the command")
  func answersAreTrimmedCtrlDGives() {
    let plain = ask("question", "--color", "never", answers: [.text(" \t two words  ")])
    #expect(plain.output == "two words\n")
    #expect(plain.error == "well? ")
    let none = ask("question", "--color", "never", answers: [])
    #expect(none.output == "nothing\n")
    #expect(none.error == "well? \n")
    let stopped = ask("question", "--color", "never", answers: [.interrupted])
    #expect(stopped.code == .interrupted)
    #expect(stopped.output == "")
    #expect(stopped.error == "well? \n")
  }

  @Test("only the answers y and yes confirm a question")
  func onlyTheAnswersYAndYesConfirm() throws {
    func delete(_ answer: TerminalLine) -> ToolRun {
      ToolRun(words: ["zone", "delete", "Z", "--color", "never"], answers: [answer], isTerminal: true)
    }
    for answer in ["y", "Y", " yes ", "YES"] { #expect(delete(.text(answer)).output == "deleted Z\n") }
    for answer in ["n", "ye", "yes please", ""] {
      let run = delete(.text(answer))
      #expect(run.code == .failure, "\(answer)")
      #expect(run.output == "", "\(answer)")
      #expect(run.error == "delete zone Z? [y/N] localcloud: error: did not delete zone Z\n")
    }
    #expect(delete(.end).error == "delete zone Z? [y/N] \nlocalcloud: error: did not delete zone Z\n")
    #expect(delete(.interrupted).code == .interrupted)
    let piped = try error("zone", "delete", "Z", "--json")
    #expect(piped?["message"] == "will not delete zone Z without being told to")
    #expect(piped?["hint"] == "add --yes to do it without a question")
    #expect(piped?["code"] == "confirmationNeeded")
  }

  @Test("a command that another one runs has the global options of the command line when they are checked")
  func optionsOfInnerCommands() {
    let registry = CommandRegistry([OuterCommand.self])
    #expect(ToolRun(words: ["outer", "--container", "x"], registry: registry).output == "x\n")
    #expect(ToolRun(words: ["outer"], registry: registry).error.contains("--container-id is missing"))
  }

  // MARK: Words

  @Test("an option has one value if it is attached with =, and the next word is an argument")
  func attachedValues() throws {
    let run = try saved("record", "save", "--sort-by=a", "T", "x=1", "--sort-by=b")
    #expect(run["sort-by"] == ["a", "b"])
    #expect(run["type"] == "T")
    #expect(run["fields"]?["x"]?["value"] == "1")
    // Also before the words that name the command.
    #expect(try saved("--name", "record", "record", "save", "T")["name"] == "record")
    #expect(try saved("--name=x", "record", "save", "T")["name"] == "x")
    #expect(try saved("-n", "record", "record", "save", "T")["name"] == "record")
    #expect(try saved("-nada", "record", "save", "T")["name"] == "ada")
    #expect(try saved("-fn", "record", "record", "save", "T")["force"] == true)
    #expect(try saved("-v", "record", "save", "T")["verbose"] == 1)
    #expect(ToolRun("--", "record", "list", "--format", "tsv").code == .usage)
    #expect(ToolRun("--format", "tsv", "--", "record", "list").output.hasPrefix("name\tsize\n"))
  }

  @Test("an option without its value is an error, also before -- or another option")
  func missingValues() throws {
    #expect(
      try error("--json", "record", "save", "T", "--name", "--")?["message"] == "--name needs a value: --name NAME")
    let short = try error("--json", "record", "save", "T", "-n", "-f")
    #expect(short?["message"] == "-n needs a value, but \"-f\" follows")
    #expect(short?["hint"] == "if that is the value, write \"-n-f\"")
    #expect(try error("--json", "record", "save", "T", "--tag")?["message"] == "--tag needs a value: --tag TAG")
    #expect(try error("--json", "record", "save", "T", "x")?["message"] == "field \"x\": expected name=value")
    let one = try error("--json", "zone", "delete", "a", "b")
    #expect(one?["message"] == "unexpected argument \"b\"")
    #expect(one?["hint"] == "see \"localcloud help zone delete\"")
  }

  @Test("an error for an argument with fixed words lists them and suggests the nearest one")
  func allowedArguments() throws {
    let run = ToolRun(words: ["subscription", "create", "zoen", "q", "--json"], registry: .standard)
    let error = try JSONValue(parsing: run.error)["error"]
    #expect(run.code == .usage)
    #expect(error?["message"] == "<kind> cannot be \"zoen\": it is one of query, zone, database")
    #expect(error?["hint"] == "did you mean \"zone\"?")
  }

  @Test("only the first error is reported, and help and version need a known command")
  func unknownWords() throws {
    #expect(try error("xyz", "abc", "--json")?["message"] == "unknown command \"xyz\"")
    #expect(try error("--foo", "--bar", "--json")?["message"] == "unknown option \"--foo\"")
    for option in ["-h", "--help", "--version"] {
      #expect(
        ToolRun("nonsense", option).error == """
          usage: localcloud <command> [options]
          localcloud: error: unknown command "nonsense"
          hint: see "localcloud help"

          """)
    }
    #expect(
      ToolRun("record", "xyzzy").error == """
        usage: localcloud record <verb> [options]
        localcloud: error: unknown verb "xyzzy" after "record"
        hint: "record" has save, list

        """)
    #expect(ToolRun("--version", "--json").output.contains("\"schemaVersion\": 1,"))
    let full = ToolRun("record", "save", "--help").output
    for words in [["-h", "--help"], ["--help", "-h"]] {
      #expect(ToolRun(words: ["record", "save"] + words).output == full)
    }
    #expect(ToolRun("record", "save", "-h").output != full)
  }

  @Test("an error is printed as JSON if any word requests JSON, and has its file once")
  func formOfMistakes() throws {
    let wanted = try error("--jsno", "--json")
    #expect(wanted?["message"] == "unknown option \"--jsno\"")
    #expect(wanted?["hint"] == "did you mean \"--json\"?")
    for words in [["--format", "jsonl"], ["--format=json"], ["--json", "--format", "tsv"]] {
      #expect(ToolRun(words: ["--jsno"] + words).error.hasPrefix("{\"error\":"), "\(words)")
    }
    for words in [["--format", "tsv"], ["--format"], ["--format=x"]] {
      #expect(!ToolRun(words: ["--jsno"] + words).error.hasPrefix("{"), "\(words)")
    }
    #expect(
      ToolRun("record", "save", "T", "--fields-file", "/nowhere/x").error
        == "localcloud: error: cannot read /nowhere/x: No such file or directory\n")
    let missing = try JSONValue(
      parsing: ToolRun("record", "save", "T", "--fields-file", "/nowhere/x", "--json").error)["error"]
    #expect(missing?["code"] == "fileNotFound")
    #expect(missing?["path"] == "/nowhere/x")
    #expect(missing?["exitCode"] == 13)
    let folder = try JSONValue(parsing: ToolRun("record", "save", "T", "--fields-file", "/", "--json").error)["error"]
    #expect(folder?["code"] == "storage")
    #expect(folder?["path"] == "/")
    #expect(folder?["exitCode"] == 19)
  }

  // MARK: Help

  @Test("help with unknown words suggests the nearest command or topic")
  func helpOfUnknownWords() throws {
    func hint(_ words: String...) throws -> String? {
      let run = ToolRun(words: ["help"] + words + ["--json"])
      #expect(run.code == .usage)
      return try JSONValue(parsing: run.error)["error"]?["hint"]?.string
    }
    #expect(try hint("record", "save", "extra") == "did you mean \"record save\"?")
    #expect(try hint("exit-codes", "x") == "did you mean \"exit-codes\"?")
    #expect(try hint("record", "exit-cods") == "see \"localcloud help help\"")
    #expect(try hint("xyzzy") == "see \"localcloud help help\"")
    #expect(try hint("delete") == "did you mean \"zone delete\"?")
  }

  @Test("help lists a noun without a summary, and required options in the usage line and the list")
  func helpTexts() {
    #expect(
      ToolRun(words: ["help", "thing"], registry: Self.things).output == """
        localcloud thing

        Usage:
          localcloud thing <verb> [options]

        Verbs:
          ask  Ask

        More on each: localcloud thing <verb> --help

        """)
    #expect(
      ToolRun(words: ["strict", "-h"], registry: CommandRegistry([StrictCommand.self])).output == """
        localcloud strict - Delete a record

        Usage:
          localcloud strict --container-id ID --record-name NAME [options]

        Options:
              --record-name NAME  the record's name (required)

        Examples and global options: localcloud strict --help

        """)
  }

  @Test("the registry finds invalid command descriptions and accepts valid ones")
  func registryFindsInvalidCommandDescriptions() {
    let registry = CommandRegistry([NamelessCommand.self, LonelyCommand.self])
    #expect(
      registry.problems == [
        "NamelessCommand has no name", "lonely verb: the summary is empty or ends in a full stop",
        "lonely verb: two options are named one", "the noun lonely has no summary",
      ])
    #expect(CommandRegistry([AskCommand.self], nouns: ["thing": "Ask"]).problems == [])
    #expect(Self.things.problems == ["the noun thing has no summary"])
  }
}
