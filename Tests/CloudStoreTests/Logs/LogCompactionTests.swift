import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("Compaction of the logs of zones and shares")
struct LogCompactionTests {
  let folder: TemporaryFolder
  let directory: Directory

  init() throws {
    folder = try TemporaryFolder("log-compaction")
    directory = folder.directory
  }

  private func compaction(of lines: [String], horizon: Int64) throws -> LogCompaction {
    try directory.writeStaged("log", Array(lines.joined(separator: "\n").utf8) + [0x0A])
    return try LogCompaction(of: LogFile(directory.file("log")), horizon: horizon, superseded: 7, ChangeLine.schema)
  }

  /// An independent implementation of the rules: compares each line with all others.
  private func expected(_ lines: [String], horizon: Int64) throws -> [String] {
    struct Parsed {
      var text, name, kind: String
      var sequence: Int64
    }
    let parsed = try lines.map { text in
      let value = try JSONValue(parsing: text)
      return Parsed(
        text: text, name: try #require(value["recordName"]?.string), kind: try #require(value["kind"]?.string),
        sequence: try #require(value["sequence"]?.integer))
    }
    let stays = parsed.map { line in
      if line.sequence > horizon { return true }
      let own = parsed.filter { $0.name.hasSameBytes(as: line.name) }
      let (saves, removals) = (["save", "in"], ["delete", "out"])
      guard let last = own.last(where: { $0.kind != "touch" }), saves.contains(last.kind) else { return false }
      if saves.contains(line.kind) { return line.sequence == last.sequence }
      return !removals.contains(line.kind) && line.sequence == own.last?.sequence
    }
    let old = zip(parsed, stays).filter { $0.0.sequence <= horizon }
    let forgotten = old.filter { line, stays in
      let isLast = parsed.last { $0.name.hasSameBytes(as: line.name) }?.sequence == line.sequence
      return !stays && ["delete", "out"].contains(line.kind) && isLast
    }
    let header = LogHeader(
      horizon: horizon, forgotten: forgotten.map(\.0.sequence).max() ?? 0, kept: Int64(old.count { $0.1 }),
      superseded: 7)
    let first = String(decoding: header.bytes.dropLast(), as: UTF8.self)
    return [first] + zip(parsed, stays).filter(\.1).map(\.0.text)
  }

  @Test(
    "compaction of random logs, also with lines written by hand, retains the lines that the rules name",
    arguments: [TestSeed.value])
  func compactionOfRandomLogsAlsoWithLines(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    // Names that Swift compares as equal, and one name in two spellings.
    let names = ["a", "b", #"quo\"te"#, "\u{E9}", "e\u{301}", #"\u0061"#, "long-" + String(repeating: "n", count: 40)]
    for round in 0..<60 {
      let kinds = round % 2 == 0 ? ["save", "save", "touch", "delete"] : ["in", "in", "out"]
      var sequence: Int64 = 0
      let lines = (0..<Int.random(in: 1...80, using: &random)).map { _ in
        sequence += Int64.random(in: 1...3, using: &random)
        let kind = kinds.randomElement(using: &random)!
        let name = names.randomElement(using: &random)!
        let plain = #"{"kind":"\#(kind)","recordName":"\#(name)","sequence":\#(sequence)}"#
        let byHand = #"{"sequence":\#(sequence), "recordName":"\#(name)","kind":"\#(kind)"}"#
        return Int.random(in: 0..<4, using: &random) == 0 ? byHand : plain
      }
      let horizon = Int64.random(in: 0...(sequence + 1), using: &random)
      let text = String(decoding: try compaction(of: lines, horizon: horizon).bytes, as: UTF8.self)
      #expect(text.split(separator: "\n").map(String.init) == (try expected(lines, horizon: horizon)), "seed \(seed)")
    }
  }

  @Test("a second compaction includes the first one's header, and an incomplete last line is ignored")
  func secondCompactionIncludesTheFirstOnesHeader() throws {
    let first = LogHeader(horizon: 4, forgotten: 3, kept: 1, superseded: 5)
    let lines = (2...6).map { #"{"kind":"save","recordName":"a","sequence":\#($0)}"# }
    let header = String(decoding: first.bytes.dropLast(), as: UTF8.self)
    try directory.writeStaged("log", Array(([header] + lines).joined(separator: "\n").utf8))
    let found = try LogCompaction(of: LogFile(directory.file("log")), horizon: 5, superseded: 9, ChangeLine.schema)
    #expect(found.header == LogHeader(horizon: 5, forgotten: 3, kept: 1, superseded: 9))
    #expect(found.bytes == found.header.bytes + Array((lines[3] + "\n").utf8))
  }

  @Test(
    "an invalid line stops the compaction with an error that names its byte offset",
    arguments: [
      "garbage", "{}", #"{"kind":"save","recordName":"a"}"#, #"{"kind":"save","recordName":"a","sequence":"5"}"#,
      #"{"kind":"save","recordName":5,"sequence":5}"#, #"{"kind":"other","recordName":"a","sequence":5}"#,
      #"{"kind":"save","recordName":"a","sequence":9000000000000000000}"#, "",
    ])
  func invalidLineStopsTheCompaction(line: String) throws {
    let good = #"{"kind":"save","recordName":"a","sequence":1}"#
    #expect {
      try compaction(of: [good, line, good], horizon: 9)
    } throws: { error in
      guard case StorageError.damaged(_, let reason) = error else { return false }
      return reason.contains("byte \(good.utf8.count + 1)")
    }
  }
}
