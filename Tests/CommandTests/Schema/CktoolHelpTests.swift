import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import Testing

/// The expected texts follow the output of programs that Swift Argument Parser parses the command line of.
@Suite("Help and usage errors of cktool in the form of Apple's ([schema-tool-1])")
struct CktoolHelpTests {
  private func run(_ words: String...) -> ToolRun { ToolRun(words: words, registry: .standard) }

  @Test("cktool without a verb prints its verbs, as its help does, and succeeds")
  func overview() {
    let help = run("cktool")
    #expect(help.code == .success)
    #expect(help.error == "")
    #expect(
      help.output == """
        OVERVIEW: Apple's cktool: its verbs, options and output

        USAGE: cktool <subcommand>

        OPTIONS:
          --version               Show the version.
          -h, --help              Show help information.

        SUBCOMMANDS:
          export-schema           Print the schema of an environment, or write it to a
                                  file
          import-schema           Make a schema text the schema of development
          validate-schema         Tell whether a schema text could be imported
          reset-schema            Make development what production is, without any data
          create-record           Save a new record under a name of the service's own
          query-records           Print the records that pass all filters, as JSON
          delete-record           Delete a record
          delete-records          Count the records that pass all filters, or delete
                                  them
          save-token              Do nothing: no token is needed here
          remove-token            Do nothing: no token is kept here
          get-teams               Print the one team there is, for scripts that look
                                  for theirs

          See 'cktool help <subcommand>' for detailed help.

        """)
    for other in [run("cktool", "--help"), run("cktool", "-h"), run("cktool", "help"), run("help", "cktool")] {
      #expect(other.output == help.output)
    }
    #expect(run("cktool", "--version").output == run("version").output)
  }

  @Test("the help of export-schema has required options without brackets, and is the same by all ways to ask")
  func exportSchema() {
    let help = run("cktool", "export-schema", "--help")
    #expect(help.code == .success)
    #expect(
      help.output == """
        OVERVIEW: Print the schema of an environment, or write it to a file

        A script's "xcrun cktool" becomes "localcloud cktool". Exit codes, --account
        and the other global options are localcloud's own: see "localcloud help".

        USAGE: cktool export-schema [--token <token>] [--team-id <team-id>] --container-id <container-id> \
        --environment <environment> [--output-file <output-file>]

        OPTIONS:
          -t, --token <token>     not looked at: --account says who acts
          --team-id <team-id>     not looked at: there are no teams here
          --container-id <container-id>
                                  the container, such as iCloud.com.example.app
          --environment <environment>
                                  development or production
          --output-file <output-file>
                                  where to write it; else it is printed
          --version               Show the version.
          -h, --help              Show help information.


        """)
    for other in [
      run("cktool", "export-schema", "-h"), run("cktool", "help", "export-schema"),
      run("help", "cktool", "export-schema"),
    ] {
      #expect(other.output == help.output)
    }
  }

  @Test("the help of delete-record has the options under cktool's names, with --yes")
  func deleteRecord() {
    #expect(
      run("cktool", "delete-record", "-h").output == """
        OVERVIEW: Delete a record

        Prints nothing. Deleting what is not there is no error. A script's "xcrun
        cktool" becomes "localcloud cktool". Exit codes, --account and the other global
        options are localcloud's own: see "localcloud help".

        USAGE: cktool delete-record [--token <token>] [--team-id <team-id>] --container-id <container-id> \
        --environment <environment> --database-type <database-type> --record-name <record-name> \
        [--zone-name <zone-name>] [--owner <owner>] [--dry-run] [--yes]

        OPTIONS:
          -t, --token <token>     not looked at: --account says who acts
          --team-id <team-id>     not looked at: there are no teams here
          --container-id <container-id>
                                  the container, such as iCloud.com.example.app
          --environment <environment>
                                  development or production
          --database-type <database-type>
                                  private, public or shared
          --record-name <record-name>
                                  the record's name
          -z, --zone-name <zone-name>
                                  the zone; else _defaultZone
          --owner <owner>         whose zone of the shared database: an account, an
                                  e-mail address or a user record name; needed where
                                  several people share a zone of this name
          --dry-run               say what would be deleted, and change nothing; no
                                  permission is checked
          -y, --yes               answer every question with yes
          --version               Show the version.
          -h, --help              Show help information.


        """)
  }

  @Test("help has arguments, allowed values and repeated options; more than twelve options are no list in the usage")
  func formsOfOptions() {
    let token = run("cktool", "save-token", "-h").output
    #expect(token.contains("\nUSAGE: cktool save-token [<token>] [--type <type>] [--method <method>] [--force]\n"))
    #expect(token.contains("\nARGUMENTS:\n  <token>                 not looked at\n\nOPTIONS:\n"))
    #expect(token.contains("\n  --type <type>           not looked at (values: management, user)\n"))
    #expect(run("cktool", "delete-records", "-h").output.contains(" [--filters <filters> ...] "))
    let query = run("cktool", "query-records", "-h").output
    #expect(
      query.contains(
        """

        USAGE: cktool query-records [<options>] --container-id <container-id> --environment <environment> \
        --database-type <database-type> --record-type <record-type>

        """), "\(query)")
    #expect(query.contains("\n  --filters <filters>     \"FIELD OPERATOR VALUE\""), "\(query)")
  }

  @Test("a missing option is reported with its explanation, the usage and the way to the help")
  func missingOption() {
    let missing = run("cktool", "export-schema", "--environment", "development")
    #expect(missing.code == .usage)
    #expect(missing.output == "")
    #expect(
      missing.error == """
        Error: Missing expected argument '--container-id <container-id>'
        Help:  --container-id <container-id>  the container, such as iCloud.com.example.app
        Usage: cktool export-schema [--token <token>] [--team-id <team-id>] --container-id <container-id> \
        --environment <environment> [--output-file <output-file>]
          See 'cktool export-schema --help' for more information.

        """)
  }

  @Test("an unknown verb is an unexpected argument of cktool, and with --json an error of the tool")
  func unknownVerb() throws {
    let unknown = run("cktool", "get-record")
    #expect(unknown.code == .usage)
    #expect(
      unknown.error == """
        Error: Unexpected argument 'get-record'
        Usage: cktool <subcommand>
          See 'cktool --help' for more information.

        """)
    #expect(run("cktool", "--nonsense").error.hasPrefix("Error: Unknown option '--nonsense'\nUsage: cktool <sub"))
    let error = try JSONValue(parsing: run("cktool", "get-record", "--json").error)["error"]
    #expect(error?["message"] == "unknown verb \"get-record\" after \"cktool\"")
    #expect(error?["exitCode"] == 64)
  }

  static let mistakes: [(words: [String], text: String)] = [
    (["export-schema", "--nonsense"], "Unknown option '--nonsense'\n"),
    (["export-schema", "--team-idd", "T"], "Unknown option '--team-idd'. Did you mean '--team-id'?\n"),
    (["export-schema", "-x"], "Unknown option '-x'\n"),
    (
      ["export-schema", "--environment"],
      "Missing value for '--environment <environment>'\nHelp:  --environment <environment>  development or production\n"
    ),
    (
      ["export-schema", "-t"],
      "Missing value for '-t <token>'\nHelp:  -t <token>  not looked at: --account says who acts\n"
    ),
    (
      ["export-schema", "--environment", "prod"],
      """
      The value 'prod' is invalid for '--environment <environment>'. Please provide one of 'development' and \
      'production'.
      Help:  --environment <environment>  development or production

      """
    ),
    (
      ["query-records", "--database-type", "own"],
      """
      The value 'own' is invalid for '--database-type <database-type>'. Please provide one of 'private', 'public' or \
      'shared'.
      Help:  --database-type <database-type>  private, public or shared

      """
    ),
    (
      ["import-schema", "--validate=yes"],
      "The option '--validate' does not take any value, but 'yes' was specified.\n"
    ),
    (["get-teams", "a"], "Unexpected argument 'a'\n"),
    (["get-teams", "a", "b"], "2 unexpected arguments: 'a', 'b'\n"),
    // Swift Argument Parser has no words for these.
    (["query-records", "--limit", "201"], "--limit \"201\" is not between 1 and 200\n"),
    (["get-teams", "-t", "a", "-t", "b"], "-t is given twice\n"),
    (
      ["help", "get-record"],
      "no command or topic is named \"cktool get-record\"\n"
    ),
  ]

  @Test("each mistake has the words of Swift Argument Parser, then the usage", arguments: mistakes.indices)
  func mistake(index: Int) {
    let (words, text) = Self.mistakes[index]
    let run = ToolRun(words: ["cktool"] + words, registry: .standard)
    #expect(run.code == .usage)
    #expect(run.output == "")
    #expect(run.error.hasPrefix("Error: \(text)Usage: cktool \(words[0]) ["), "\(run.error)")
    #expect(run.error.hasSuffix("\n  See 'cktool \(words[0]) --help' for more information.\n"), "\(run.error)")
  }

  @Test("control characters of a word are escaped in an error")
  func controlCharacters() {
    #expect(run("cktool", "get-teams", "a\u{1B}[2J").error.hasPrefix("Error: Unexpected argument 'a\\u{1B}[2J'\n"))
  }
}
