import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite struct OutputTests {
  @Test func failuresAsText() {
    let run = ToolRun("fail", "service")
    #expect(run.code == .tryLater)
    #expect(run.output == "")
    #expect(
      run.error == """
        localcloud: error: zone \\u{1B}[2JNotes is busy (zoneBusy 23) (try again in 2 s)
        file: /cloud/x
        hint: wait

        """)
  }

  @Test func failuresAsJSON() {
    let run = ToolRun("fail", "service", "--json")
    #expect(run.code == .tryLater)
    #expect(
      run.error
        == #"{"error":{"ckErrorCode":23,"code":"zoneBusy","exitCode":18,"hint":"wait","message":"#
        + #""zone \u001b[2JNotes is busy","path":"/cloud/x","retryAfter":2.0},"schemaVersion":1}"# + "\n")
    #expect(ToolRun("fail", "service", "--format", "jsonl").error == run.error)
    #expect(ToolRun("--jsno", "--json").error.hasPrefix("{\"error\":"))
  }

  @Test func usageStandsBeforeThePoint() {
    #expect(
      ToolRun("record", "save", "--nmae").error == """
        usage: localcloud record save <type> [<field>…] [options]
        localcloud: error: unknown option "--nmae"
        hint: did you mean "--name"?

        """)
  }

  @Test func otherEnds() {
    #expect(ToolRun("fail", "silently").code == .problemsFound)
    #expect(ToolRun("fail", "silently").error == "")
    #expect(ToolRun("fail", "badly").code == .internalError)
    #expect(ToolRun("fail", "badly").error.contains("please report it"))
    let failure = CommandFailure(SystemError(code: SystemError.noSpace, call: "write", path: "/cloud/a"))
    #expect(failure.exitCode == .storage)
    #expect(failure.path == "/cloud/a")
  }

  @Test func brokenPipeIsQuietAndAFullDiskIsNot() {
    let pipe = ToolRun("version", failWith: SystemError.brokenPipe)
    #expect(pipe.code == .success)
    #expect(pipe.error == "")
    let disk = ToolRun("version", failWith: SystemError.noSpace)
    #expect(disk.code == .storage)
    #expect(disk.error.contains("cannot write standard output: "))
  }

  @Test func quietAndVerbose() {
    let normal = ToolRun("record", "save", "T")
    #expect(normal.output == "saved it\n")
    #expect(normal.error == "saving T\n")
    let quiet = ToolRun("record", "save", "T", "-q")
    #expect(quiet.output + quiet.error == "")
    #expect(ToolRun("record", "save", "T", "-q", "--json").output != "")
    #expect(ToolRun("record", "save", "T", "--json").error == "")
    #expect(ToolRun("record", "save", "T", "--json", "-v").error == "saving T\n")
  }

  @Test func colorNeedsATerminalOrAnOption() {
    let colored = "saved \u{1B}[1mit\u{1B}[0m\n"
    func output(_ words: String..., isTerminal: Bool = true, environment: [String: String] = [:]) -> String {
      ToolRun(words: ["record", "save", "T"] + words, environment: environment, isTerminal: isTerminal).output
    }
    #expect(output() == colored)
    #expect(output(isTerminal: false) == "saved it\n")
    #expect(output(environment: ["NO_COLOR": "1"]) == "saved it\n")
    #expect(output(environment: ["NO_COLOR": ""]) == colored)
    #expect(output(environment: ["TERM": "dumb"]) == "saved it\n")
    #expect(output("--color", "always", isTerminal: false, environment: ["NO_COLOR": "1"]) == colored)
    #expect(output("--color=never") == "saved it\n")
  }

  @Test func questions() {
    let words = ["zone", "delete", "Notes"]
    #expect(ToolRun(words: words).code == .usage)
    #expect(ToolRun(words: words + ["--yes"]).output == "deleted Notes\n")
    let asked = ToolRun(words: words, answers: [.text("y")], isTerminal: true)
    #expect(asked.output == "deleted Notes\n")
    #expect(asked.error == "delete zone Notes? [y/N] ")
    #expect(ToolRun(words: words, answers: [.text("")], isTerminal: true).code == .failure)
    #expect(ToolRun(words: words + ["--no-input"], answers: [.text("y")], isTerminal: true).code == .usage)
    #expect(
      ToolRun(words: words + ["--json"], answers: [.text("y")], isTerminal: true).error.contains("confirmationNeeded"))
  }

  @Test func lists() {
    #expect(
      ToolRun("record", "list").output == """
        NAME                      SIZE
        plain                        5
        \\u{1B}[31mred\\u{9B}2J\\nx    14
        日本 👩‍👩‍👧 e\u{301}                   29

        """)
    #expect(
      ToolRun("record", "list", "--format", "tsv").output
        == "name\tsize\nplain\t5\n\\u{1B}[31mred\\u{9B}2J\\nx\t14\n日本 👩‍👩‍👧 e\u{301}\t29\n")
    #expect(
      ToolRun("record", "list", "--format", "jsonl").output
        == #"{"recordName":"plain"}"# + "\n" + #"{"recordName":"\u001b[31mred\u009b2J\nx"}"# + "\n"
        + #"{"recordName":"日本 👩‍👩‍👧 e"# + "\u{301}\"}\n")
    let document = try? JSONValue(parsing: ToolRun("record", "list", "--json").output)
    #expect(document?["schemaVersion"] == 1)
    #expect(document?["records"]?.array?.count == 3)
    #expect(document?["records"]?.array?[1]["recordName"]?.string == SampleCommands.ListCommand.names[1])
  }
}
