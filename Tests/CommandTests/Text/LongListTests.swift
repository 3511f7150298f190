import LocalCloudCommands
import LocalCloudStorage
import Synchronization
import Testing

@Suite("Lists of several pages are written page by page")
struct LongListTests {
  private let cli: Cli
  /// More than two pages of changes, which have 400 each.
  private let names = (1001...1850).map { "r\($0)" }

  private static let commands = [
    ["record", "list", "T"], ["record", "list"], ["record", "query", "T"], ["changes"], ["export"],
  ]

  init() throws {
    cli = try Cli("alice")
    try cli.expect("zone", "save", "Z", as: "alice")
    let lines = names.map { name in
      #"{"recordName":"\#(name)","recordType":"T","fields":{"n":\#(name.dropFirst()),"s":"\\ é"}}"#
    }
    try cli.expect("import", "-", "-z", "Z", as: "alice", input: lines.joined(separator: "\n"))
  }

  private func run(_ words: [String], whenWritten: @escaping @Sendable () -> Void = {}) -> ToolRun {
    cli.run(words + ["-z", "Z"], as: "alice", whenWritten: whenWritten)
  }

  private func names(_ records: JSONValue?) -> [String] {
    (records?.array ?? []).compactMap { $0["recordName"]?.string }
  }

  @Test("a JSON document has all records and the bytes of one that is written as a whole", arguments: commands)
  func document(words: [String]) throws {
    let output = run(words + ["--json"]).output
    let document = try JSONValue(parsing: output)
    #expect(names(document["records"]) == names)
    #expect(Array(output.utf8) == document.pretty())
    // With a limit the document is held until its end.
    if words[0] != "export" { #expect(run(words + ["--json", "--limit", "1000"]).output == output) }
  }

  @Test("JSON lines are the items of the document", arguments: commands)
  func lines(words: [String]) throws {
    let document = try JSONValue(parsing: run(words + ["--json"]).output)
    let lines = run(words + ["--format", "jsonl"]).output.split(separator: "\n").map(String.init)
    let items = (document["records"]?.array ?? []).map { String(decoding: $0.compact(), as: UTF8.self) }
    #expect(lines.filter { $0.contains(#""recordName":"#) } == items)
  }

  @Test("a table has the layout of one that is written as a whole, and tab-separated values have one line of titles")
  func tables() throws {
    for words in Self.commands.dropLast(2) {
      let values = run(words + ["--format", "tsv"]).output
      let cells = values.split(separator: "\n").map {
        $0.split(separator: "\t", omittingEmptySubsequences: false).map { String($0).replacing(#"\\"#, with: #"\"#) }
      }
      #expect(cells.dropFirst().map { $0[0] } == names)
      let columns = cells[0].map { Table.Column($0, $0 == "n" ? .right : .left) }
      let table = Table(columns, rows: Array(cells.dropFirst()))
      #expect(table.tabSeparated() == values)
      #expect(run(words).output == table.aligned().rendered(colored: false))
    }
    #expect(run(["record", "list", "T", "--count"]).output == "850\n")
    #expect(run(["record", "list", "--count", "--json"]).output.contains("850"))
    let limited = run(["record", "list", "--limit", "500", "--format", "tsv"]).output
    #expect(limited.split(separator: "\n").count == 501)
  }

  @Test(
    "the first records are written before the last page is read",
    arguments: commands.dropLast(), ["table", "tsv", "jsonl", "json"])
  func firstPage(words: [String], format: String) {
    let isFirst = Mutex(true)
    let list = run(words + ["--format", format]) { [cli] in
      let isNow = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if isNow { _ = cli.run("record", "delete", "r1850", "-z", "Z", as: "alice") }
    }
    #expect(list.code == .success, "\(list.error)")
    #expect(list.output.contains("r1001") && list.output.contains("r1849"))
    if words[0] == "record" { #expect(!list.output.contains("r1850")) }
    if words[0] == "changes" {
      #expect(list.output.contains(format == "table" || format == "tsv" ? "deleted" : #""deleted""#))
    }
  }

  @Test(
    "if a later page fails, the output so far stays, and the error has its exit code",
    arguments: commands.dropLast(), ["table", "tsv", "jsonl", "json"])
  func failure(words: [String], format: String) {
    let isFirst = Mutex(true)
    let list = run(words + ["--format", format]) { [cli] in
      let isNow = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if isNow { _ = cli.run("zone", "delete", "Z", "--yes", as: "alice") }
    }
    #expect(list.code == .notFound, "\(list.error)")
    #expect(list.error.contains(format.hasPrefix("json") ? "zoneNotFound" : "Z"))
    #expect(list.output.contains("r1001") && !list.output.contains("r1850"))
  }

  @Test("a field that only a later page has begins a new table; tab-separated values have its column from the start")
  func laterField() throws {
    try cli.expect("record", "update", "r1850", "-z", "Z", "late=yes", as: "alice")
    let lines = run(["record", "list", "T"]).output.split(separator: "\n", omittingEmptySubsequences: false)
    let titles = lines.indices.filter { lines[$0].hasPrefix("RECORD ") }
    try #require(titles.count == 2)
    #expect(!lines[titles[0]].contains("LATE") && lines[titles[1]].contains("LATE"))
    #expect(lines[titles[1] - 1].isEmpty && lines[titles[1] + 1].hasPrefix("r1801 "))
    let values = run(["record", "list", "T", "--format", "tsv"]).output.split(separator: "\n")
    #expect(values.count == 851)
    #expect(values[0].hasPrefix("record\tlate\tn\ts\t"))
    #expect(Set(values.map { $0.count { $0 == "\t" } }).count == 1)
    // Only fields that are asked for.
    let some = run(["record", "list", "T", "--keys", "n", "--format", "tsv"]).output.split(separator: "\n")
    #expect(some[0].hasPrefix("record\tn\tmodified\t"))
  }

  @Test("a record that is changed meanwhile is listed once by record list, and again by changes")
  func changedMeanwhile() {
    for (words, name, count) in [(["record", "list"], "r1001", 1), (["changes"], "r1002", 2)] {
      let isFirst = Mutex(true)
      let list = run(words + ["--format", "jsonl"]) { [cli] in
        let isNow = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if isNow { _ = cli.run("record", "update", name, "-z", "Z", "s=new", as: "alice") }
      }
      let lines = list.output.split(separator: "\n")
      #expect(lines.count { $0.contains(#""recordName":"\#(name)""#) } == count, "\(words)")
    }
  }
}
