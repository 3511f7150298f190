import LocalCloudCommands
import LocalCloudEmulator
import LocalCloudModel
import Testing

@Suite struct HelpTests {
  @Test func shortHelp() {
    let run = ToolRun("record", "save", "-h")
    #expect(run.code == .success)
    #expect(run.error == "")
    #expect(
      run.output == """
        localcloud record save - Save a record

        Usage:
          localcloud record save <type> [<field>…] [options]

        Arguments:
          <type>      the record type
          [<field>…]  name=value or name:type=value; see localcloud help fields

        Options:
          -n, --name NAME         the record name
              --policy POLICY     when to refuse (if-unchanged, all-keys)
              --tag TAG           a tag (may be repeated)
              --sort-by FIELD…    fields to sort by (may be repeated)
              --limit COUNT       how many
          -f, --force             whatever is there
              --fields-json JSON  fields as a JSON object
              --fields-file FILE  fields from a file that holds a JSON object; - is
                                  standard input
              --fields-stdin      the same as --fields-file -
              --asset-files KEY=PATH…
                                  files that fields of the type assetType name by their
                                  keys (may be repeated)

        Examples and global options: localcloud record save --help

        """)
  }

  @Test("the help on exit codes names only existing commands that list the code")
  func exitCodes() {
    // Words before a colon are commands, except in the text on conflicts.
    for (code, meaning) in ExitCode.meanings where code != .conflict {
      guard let colon = meaning.range(of: ": ") else { continue }
      for command in meaning[..<colon.lowerBound].split(separator: ", ") {
        let path = command.split(separator: " ").map(String.init)
        // A noun stands for all of its verbs.
        let found = CommandRegistry.standard.commands.filter { $0.description.path.starts(with: path) }
        #expect(!found.isEmpty, "\(code.rawValue): there is no command \(command)")
        for each in found {
          #expect(each.description.exitCodes.contains(code), "\(each.description.name) does not list \(code.rawValue)")
        }
      }
    }
  }

  @Test("the help on variables lists every variable of the settings", arguments: Settings.Variable.allCases)
  func helpOnVariablesListsEveryVariable(variable: Settings.Variable) {
    #expect(HelpTopic.variables.text().contains(" \(variable.rawValue) "))
  }

  @Test("an error about a variable's value names the variable", arguments: ["LOCALCLOUD_STRICT", "LOCALCLOUD_LOG"])
  func wrongVariable(name: String) {
    let error = #expect(throws: ServiceError.self) {
      _ = try Settings(ActingIdentity()) { $0 == name ? "maybe" : nil }
    }
    #expect(error?.message == "\(name) cannot be \"maybe\": it must be on or off")
  }

  @Test func fullHelpHasExamplesFirst() {
    let run = ToolRun("record", "save", "--help")
    #expect(
      run.output.hasPrefix(
        """
        localcloud record save - Save a record

        Examples:
          # A note
          localcloud record save Note title=Milk

        Usage:
          localcloud record save <type> [<field>…] [options]

        The record is made if it is not there.

        Arguments:
        """))
    #expect(
      run.output.hasSuffix(
        """
          -h, --help                  -h prints a short help, --help the whole

        Exit codes:
          0   success; the condition is true; no differences
          14  conflict: the record changed on the server side
          15  account or permission refused
          64  wrong usage

        """))
    #expect(ToolRun("help", "record", "save").output == run.output)
  }

  @Test func helpWinsOverMistakes() {
    #expect(ToolRun("record", "save", "--nonsense", "-h").code == .success)
    #expect(ToolRun("record", "save", "--", "-h").output == "saved it\n")
    // The value of an option is not parsed as an option.
    #expect(ToolRun("record", "save", "T", "--name=--help").output == "saved --help\n")
  }

  @Test func aNounPrintsItsVerbs() {
    let verbs = """
      localcloud record - Save, list and delete records

      Usage:
        localcloud record <verb> [options]

      Verbs:
        save  Save a record
        list  List records

      More on each: localcloud record <verb> --help

      """
    let alone = ToolRun("record")
    #expect(alone.code == .usage)
    #expect(alone.output == "")
    #expect(alone.error.hasPrefix(verbs))
    #expect(alone.error.contains("error: a verb is missing after \"record\": save, list\n"))
    #expect(ToolRun("record", "--help").output == verbs)
    #expect(ToolRun("help", "record").output == verbs)
  }

  @Test func overview() {
    let run = ToolRun("help")
    #expect(run.output.contains("\n  record   Save, list and delete records\n"))
    #expect(ToolRun("-h").output == run.output)
    let nothing = ToolRun()
    #expect(nothing.code == .usage)
    #expect(nothing.output == "")
    #expect(nothing.error.hasPrefix(run.output))
  }

  @Test func topics() {
    #expect(ToolRun("help", "exit-codes").output.contains("\n   13  a named thing was not found\n"))
    #expect(ToolRun("help", "fields").output.contains("Nothing is guessed"))
    #expect(ToolRun("help", "variables").output.contains("LOCALCLOUD_ROOT"))
  }

  @Test func version() {
    let run = ToolRun("version")
    #expect(run.output.hasPrefix("localcloud "))
    #expect(ToolRun("--version").output == run.output)
    #expect(ToolRun("record", "save", "--version").output == run.output)
    #expect(ToolRun("version", "--json").output.contains("\"schemaVersion\": 1,"))
  }
}
