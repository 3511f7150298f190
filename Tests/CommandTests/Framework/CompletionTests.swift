import FaultInjection
import Foundation
import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("The completion of command lines, and the manual page")
struct CompletionTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob")
    for zone in ["My Notes", "Notes"] { try cli.expect("zone", "save", zone, as: "alice") }
    for name in ["milk", "$(touch x)", "two\nlines", "a\tb", "-dash", "it's \"quoted\""] {
      try cli.expect("record", "save", "Note", "--zone", "My Notes", "--name=\(name)", as: "alice")
    }
  }

  /// The candidates without their notes.
  private func words(_ words: String..., options: [String] = []) -> [String] {
    let run = cli.run(["completion", "words"] + options + ["--"] + words, as: "alice")
    #expect(run.code == .success)
    #expect(run.error == "")
    return run.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
  }

  private func bash(_ line: String, _ part: String) -> [String] {
    words(line, options: ["--bash-word=\(part)"])
  }

  @Test("commands, options and allowed values complete, with their explanations")
  func declarations() {
    #expect(words("rec") == ["record"])
    #expect(words("record", "") == ["save", "update", "get", "list", "query", "count", "delete"])
    #expect(words("--account", "bob", "record", "de") == ["delete"])
    #expect(words("record", "save", "--pol") == ["--policy"])
    #expect(words("record", "save", "--policy", "") == ["unchanged", "changed", "all"])
    #expect(words("record", "save", "--policy=c") == ["--policy=changed"])
    #expect(words("device", "network", "off") == ["offline"])
    #expect(words("--datab") == ["--database"])
    #expect(words("record", "save", "-").contains("--zone"))
    #expect(words("help", "exit") == ["exit-codes"])
    #expect(words("help", "record", "sa") == ["save"])
    #expect(cli.run("completion", "words", "--", "vers").output == "version\tPrint the version of this tool\n")
    // An option that was given, and words after which nothing can follow, have no candidates.
    #expect(words("record", "save", "--policy", "all", "--pol") == [])
    #expect(words("no-such", "") == [])
    #expect(words("version", "") == [])
    #expect(words("record", "save", "--no-such=") == [])
  }

  @Test("names of the cloud complete, with the options of the line")
  func names() throws {
    #expect(words("--account", "") == ["alice", "bob"])
    #expect(words("account", "show", "b") == ["bob"])
    #expect(words("device", "sign-out", "") == ["alice-device", "bob-device"])
    #expect(words("--container", "") == ["iCloud.example.Commands"])
    #expect(words("zone", "delete", "M") == ["My Notes"])
    #expect(words("record", "get", "--zone=My") == ["--zone=My Notes"])
    #expect(words("record", "get", "--zone", "My Notes", "m") == ["milk"])
    #expect(words("record", "get", "--zone", "Notes", "m") == [])
    #expect(words("record", "get", "--account", "bob", "--zone", "My Notes", "m") == [])
    try cli.expect("subscription", "create", "zone", "watch-notes", "--zone", "Notes", as: "alice")
    #expect(words("subscription", "delete", "") == ["watch-notes"])
    for name in ["before", "after"] { try cli.expect("snapshot", "save", name) }
    #expect(words("snapshot", "restore", "") == ["after", "before"])
    #expect(words("snapshot", "diff", "after", "b") == ["before"])
    try cli.expect("share", "create", "milk", "--zone", "My Notes", "--share-name", "S", as: "alice")
    #expect(words("share", "show", "--zone", "My Notes", "") == ["S", "milk"])
  }

  @Test("names that a command line can't give are left out, and a dash at the beginning needs --")
  func hostileNames() {
    let all = words("record", "get", "--zone", "My Notes", "")
    #expect(all == ["$(touch x)", "it's \"quoted\"", "milk"])
    #expect(words("record", "get", "--zone", "My Notes", "--", "-") == ["-dash"])
    #expect(words("share", "create", "--zone", "My Notes", "--", "-") == ["-dash"])
  }

  @Test("bash gets the text to insert, quoted as the user began the word")
  func bashQuotes() {
    #expect(bash("localcloud zone delete M", "M") == ["My\\ Notes"])
    #expect(bash("localcloud zone delete My\\ N", "My\\ N") == ["My\\ Notes"])
    #expect(bash("localcloud zone delete 'My N", "My N") == ["My Notes"])
    #expect(bash("localcloud zone delete \"My N", "My N") == ["My Notes"])
    #expect(bash("localcloud record list --zone=M", "M") == ["My\\ Notes"])
    #expect(bash("localcloud record list --zone='M", "M") == ["My Notes"])
    let get = "localcloud record get --zone 'My Notes' "
    #expect(bash(get, "") == ["\\$\\(touch\\ x\\)", "it\\'s\\ \\\"quoted\\\"", "milk"])
    #expect(bash(get + "'i", "i") == ["it'\\''s \"quoted\""])
    #expect(bash(get + "\"i", "i") == ["it's \\\"quoted\\\""])
    #expect(bash(get + "\"\\$", "\\$") == ["\\$(touch x)"])
    // The value of an expansion is unknown, and a redirection takes a file.
    #expect(bash(get + "$(touch x", "x") == [])
    let file = cli.run("completion", "words", "--bash-word=m", "--", get + "> m")
    #expect(file.output == "\tfile\n")
  }

  @Test("paths are left to the shell")
  func paths() {
    #expect(cli.run("completion", "words", "--", "--root", "").output == "\tfolder\n")
    #expect(cli.run("completion", "words", "--", "import", "").output == "\tfile\n")
    #expect(cli.run("completion", "words", "--json", "--", "--root=x").output.contains("\"paths\": \"folder\""))
  }

  @Test("without a cloud, or with wrong settings, there are no names and no message")
  func errors() {
    let none = cli.root + "-none"
    #expect(words("--root", none, "zone", "delete", "") == [])
    #expect(words("--account", "carol", "record", "get", "") == [])
    #expect(words("--lock-timeout", "x", "zone", "delete", "N") == ["Notes"])
    let wrong = cli.run("completion", "words", "--", "zone", "delete", "", variables: ["LOCALCLOUD_CLOCK": "x"])
    #expect(wrong.output == "")
    #expect(wrong.error == "")
    #expect(cli.run("completion", "words", "--no-such").code == .usage)
  }

  @Test("completion writes nothing, and is no request of the device")
  func readsOnly() throws {
    // The first listing of a database makes its default zone.
    try cli.expect("zone", "list", as: "alice")
    try cli.expect("device", "network", "offline", "--times", "1", "--device", "alice-device", as: "alice")
    let before = try TreeContents(of: cli.root)
    let variables = ["LOCALCLOUD_LOG": "on"]
    for words in [["zone", "delete", ""], ["record", "get", "--zone", "My Notes", ""], ["--device", ""]] {
      #expect(cli.run(["completion", "words", "--"] + words, as: "alice", variables: variables).output != "")
    }
    let newDevice = ["completion", "words", "--", "--device", "tablet", "zone", "delete", ""]
    #expect(cli.run(newDevice, as: "alice", variables: variables).code == .success)
    let changed = try TreeContents(of: cli.root) - before
    #expect(changed == [])
  }

  @Test("at most 200 names, the first that match")
  func limit() throws {
    let lines = (0..<250).map { #"{"recordName": "r\#(1000 + $0)", "recordType": "Note", "fields": {}}"# }
    try cli.expect(
      "import", "--zone", "Notes", "--quiet", as: "alice", input: lines.joined(separator: "\n") + "\n")
    #expect(words("record", "get", "--zone", "Notes", "r").count == 200)
    #expect(words("record", "get", "--zone", "Notes", "r1249") == ["r1249"])
  }

  @Test("a closed standard output ends the commands quietly", arguments: ["bash", "zsh", "fish", "words"])
  func closedOutput(verb: String) {
    let run = ToolRun(
      words: ["completion", verb], failWith: SystemError.brokenPipe, registry: .standard)
    #expect(run.code == .success)
    #expect(run.error == "")
  }

  // MARK: The manual page

  @Test("the page has each command, option and topic, and no line that roff takes for a request")
  func manual() throws {
    let page = cli.run("manual").output
    for command in CommandRegistry.standard.commands {
      let name = command.description.name.replacing("-", with: "\\-")
      #expect(page.contains(".SS \"localcloud \(name)\"\n"))
    }
    #expect(page.contains("\\fB\\-\\-dry\\-run\\fR\n"))
    #expect(page.contains(".SH \"EXIT\\-CODES\"\n"))
    #expect(
      Self.requests(in: page).isSubset(of: [
        "TH", "nh", "ad", "SH", "SS", "PP", "TP", "br", "nf", "fi", "RS", "RE", "\\\"",
      ]))
    let one = cli.run("manual", "record", "save").output
    #expect(one.contains(".TH \"LOCALCLOUD\\-RECORD\\-SAVE\" 1 "))
    #expect(one.contains("localcloud\\-record\\-save \\- Save"))
    #expect(cli.run("manual", "record").code == .usage)
    #expect(cli.run("manual", "no-such").code == .usage)
    #expect(ToolRun(words: ["manual"], failWith: SystemError.brokenPipe, registry: .standard).code == .success)
  }

  @Test("texts with backslashes, quotes, and dots at the beginning of a line are escaped")
  func escapedManual() {
    let page = ToolRun(
      words: ["manual", "odd"], registry: CommandRegistry([OddCommand.self, ManualCommand.self])
    ).output
    #expect(page.contains("\\&.SH is no request, \\(aqthis\\(aq is no accent, and C:\\enew no escape.\n"))
    #expect(page.contains("\\(aqquoted\\(aq at the beginning\n"))
    #expect(page.contains(" .nf stays\n"))
    #expect(
      Self.requests(in: page).isSubset(of: ["TH", "nh", "ad", "SH", "PP", "TP", "br", "nf", "fi", "RS", "RE", "\\\""]))
  }

  private struct OddCommand: Command {
    static let description = CommandDescription(
      "odd", summary: "Odd",
      discussion: """
        .SH is no request, 'this' is no accent, and C:\\new no escape.
        'quoted' at the beginning
         .nf stays
        """)

    func run(_ context: CommandContext) throws {}
  }

  private static func requests(in page: String) -> Set<String> {
    Set(
      page.split(separator: "\n").filter { $0.hasPrefix(".") || $0.hasPrefix("'") }.map {
        String($0.dropFirst().prefix { $0 != " " })
      })
  }

  // MARK: Installation

  @Test("completion install writes the files, replaces only its own, and names each path")
  func install() throws {
    let folder = ScratchFolder.newPath("installed")
    defer { try? ScratchFolder.remove(folder) }
    let variables = ["XDG_DATA_HOME": folder + "/data", "XDG_CONFIG_HOME": folder + "/config"]
    let paths = [
      "/data/bash-completion/completions/localcloud", "/data/zsh/site-functions/_localcloud",
      "/config/fish/completions/localcloud.fish", "/data/man/man1/localcloud.1",
    ].map { folder + $0 }
    let run = cli.run("completion", "install", variables: variables)
    #expect(run.output == paths.map { $0 + "\n" }.joined(separator: ""))
    func text(_ path: String) throws -> String {
      String(decoding: try UserFile.read(path, limit: .text), as: UTF8.self)
    }
    #expect(try text(paths[0]) == cli.run("completion", "bash").output)
    #expect(try text(paths[1]) == cli.run("completion", "zsh").output)
    #expect(try text(paths[1]).hasPrefix("#compdef localcloud\n"))
    #expect(try text(paths[2]) == cli.run("completion", "fish").output)
    #expect(try text(paths[3]) == cli.run("manual").output)
    #expect(cli.run("completion", "install", "fish", variables: variables).code == .success)
    // Another program's file stops the command before it writes anything.
    try Data("mine\n".utf8).write(to: URL(fileURLWithPath: paths[3]))
    try FileManager.default.removeItem(atPath: paths[0])
    let foreign = cli.run("completion", "install", variables: variables)
    #expect(foreign.code == .failure)
    #expect(foreign.error.contains("\(paths[3]) was not written by this command\nhint: --force replaces it"))
    #expect(!UserFile.exists(paths[0]))
    #expect(cli.run("completion", "install", "--force", variables: variables).code == .success)
    #expect(try text(paths[3]) == cli.run("manual").output)
  }

  @Test("completion install --prefix writes below a folder; without any folder it is refused")
  func installPrefix() throws {
    let folder = ScratchFolder.newPath("prefix")
    defer { try? ScratchFolder.remove(folder) }
    let run = cli.run("completion", "install", "--prefix", folder + "/", "zsh", "--json")
    #expect(
      try JSONValue(parsing: run.output)["files"]
        == [
          ["path": .string(folder + "/share/zsh/site-functions/_localcloud")],
          ["path": .string(folder + "/share/man/man1/localcloud.1")],
        ])
    #expect(cli.run("completion", "install").code == .usage)
    #expect(cli.run("completion", "install", "--prefix", "").code == .usage)
    #expect(cli.run("completion", "install", "ksh").code == .usage)
    #expect(cli.run("completion", "install", "--prefix", cli.root).code == .storage)
  }
}
