import FaultInjection
import LocalCloudPlatform
import Testing

@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("The check's independent reader of logs")
struct IndependentLogTests {
  private func bytes(_ lines: String...) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

  private func line(_ sequence: Int64) -> String { #"{"sequence":\#(sequence)}"# }

  private func header(_ horizon: Int64, kept: Int64) -> String {
    String(decoding: LogHeader(horizon: horizon, kept: kept).bytes.dropLast(), as: UTF8.self)
  }

  @Test("the sequences of a zone's log must rise by one from its base")
  func zoneLog() {
    let log = IndependentLog(zoneLog: bytes(line(1), line(2), line(3)))
    #expect(log.damage == [])
    #expect(log.last == 3)
    #expect(log.end == 3)
    #expect(log.lines.map(\.sequence) == [1, 2, 3])
    let empty = IndependentLog(zoneLog: [])
    #expect(empty.damage == [])
    #expect(empty.last == nil)
    #expect(empty.end == 0)
    #expect(empty.header == LogHeader(horizon: 0))
    #expect(IndependentLog(zoneLog: bytes(line(6), line(7)), base: 5).damage == [])
    #expect(IndependentLog(zoneLog: bytes(line(5)), base: 5).damage == ["sequence 5 where 6 belongs"])
    #expect(IndependentLog(zoneLog: bytes(line(7)), base: 5).damage == ["sequence 7 where 6 belongs"])
    #expect(IndependentLog(zoneLog: bytes(line(1), line(1), line(2))).damage == ["sequence 1 where 2 belongs"])
    #expect(
      IndependentLog(zoneLog: bytes(line(1), line(3), line(2), line(4))).damage
        == ["sequence 3 where 2 belongs", "sequence 2 where 4 belongs"])
  }

  @Test("the check reports an unreadable line with its byte offset and reads the other lines")
  func strangeLines() {
    let log = IndependentLog(zoneLog: bytes("garbage", line(1), "{}", line(2)) + Array("{\"sequence\":3}".utf8))
    #expect(
      log.damage == [
        "the line at byte 0 is not JSON", "the line at byte 23 has no sequence that can be", "it ends within a line",
      ])
    #expect(log.lines.map(\.sequence) == [1, 2])
    #expect(log.last == 2)
    for sequence in [-1, 1 << 60 + 1, .max] as [Int64] {
      #expect(
        IndependentLog(zoneLog: bytes(line(sequence)), base: 1 << 60 - 1).damage
          == ["the line at byte 0 has no sequence that can be"])
    }
    #expect(IndependentLog(zoneLog: bytes(line(1 << 60)), base: 1 << 60 - 1).damage == [])
  }

  @Test("a compacted log may skip sequences up to its horizon only, and must have as many lines as its header states")
  func compactedLogMaySkipSequencesUp() {
    func damage(_ lines: String...) -> [String] {
      IndependentLog(zoneLog: Array(lines.map { $0 + "\n" }.joined().utf8)).damage
    }
    let whole = IndependentLog(zoneLog: bytes(header(10, kept: 2), line(3), line(10), line(11)))
    #expect(whole.damage == [])
    #expect(whole.header == LogHeader(horizon: 10, kept: 2))
    #expect(whole.end == 11)
    #expect(IndependentLog(zoneLog: bytes(header(10, kept: 0))).end == 10)
    #expect(damage(header(10, kept: 1), line(3), line(12)) == ["sequence 12 where 11 belongs"])
    #expect(damage(header(10, kept: 2), line(3), line(3), line(11)) == ["sequence 3 where 11 belongs"])
    for kept in [1, 3] as [Int64] {
      #expect(
        damage(header(10, kept: kept), line(3), line(10), line(11))
          == ["the first line says that \(kept) lines up to 10 were left; there are 2"])
    }
    // Only the first line can be a header.
    #expect(
      damage(line(1), header(10, kept: 0), line(2)) == [
        "sequence 0 where 2 belongs", "the first line says that 0 lines up to 0 were left; there are 1",
      ])
  }

  @Test("only logs without a journal may end within a line, and only some logs may skip sequences")
  func onlyLogsWithoutAJournalMayEnd() {
    let (torn, gap) = (bytes(line(1)) + [0x7B], bytes(line(1), line(3)))
    let (within, jump) = (["it ends within a line"], ["sequence 3 where 2 belongs"])
    #expect(IndependentLog(zoneLog: torn).damage == within)
    #expect(IndependentLog(zoneLog: gap).damage == jump)
    #expect(IndependentLog(unjournalledLog: torn).damage == [])
    #expect(IndependentLog(unjournalledLog: gap).damage == jump)
    let (tornOne, jumping) = (
      IndependentLog(unjournalledLog: torn, mayJump: true), IndependentLog(unjournalledLog: gap, mayJump: true)
    )
    #expect(tornOne.damage == [])
    #expect(jumping.damage == [])
    let twice = IndependentLog(unjournalledLog: bytes(line(3), line(3)), mayJump: true)
    #expect(twice.damage == ["sequence 3 where 4 belongs"])
    #expect(IndependentLog(shareLog: torn) { _ in }.damage == within)
    #expect(IndependentLog(shareLog: gap) { _ in }.damage == [])
    #expect(IndependentLog(unjournalledLog: torn).lines.count == 1)
    #expect(IndependentLog(zoneLog: torn).lines.count == 1)
  }

  @Test("a log that is read from a file piece by piece has the same lines and damage")
  func file() throws {
    let folder = try TemporaryFolder("log")
    let long = "{\"sequence\":3,\"text\":\"\(String(repeating: "x", count: 200_000))\"}"
    let many = (4...3000).map { line(Int64($0)) }
    let whole = Array(([line(1), line(2), long, "garbage"] + many).map { $0 + "\n" }.joined().utf8)
    for log in [[], whole, whole + [0x7B], bytes(header(10, kept: 1), line(3), line(12))] {
      try folder.directory.writeStaged("log", log)
      var (fromFile, fromBytes): ([Line], [Line]) = ([], [])
      let file = try folder.directory.file("log")
      let read = try IndependentLog(zoneLog: file, base: 0) { fromFile.append(Line($0)) }
      let expected = IndependentLog(zoneLog: log, base: 0) { fromBytes.append(Line($0)) }
      #expect(fromFile == fromBytes)
      #expect(read.damage == expected.damage)
      #expect(read.header == expected.header && read.end == expected.end)
      // A line begins where its offset says.
      for line in fromFile {
        #expect(log[line.offset] == 0x7B && (line.offset == 0 || log[line.offset - 1] == 0x0A))
      }
    }
  }

  private struct Line: Equatable {
    let sequence: Int64
    let offset: Int

    init(_ line: IndependentLog.Line) { (sequence, offset) = (line.sequence, line.offset) }
  }

  @Test("an entry about a zone may have the zone's last sequence or none, and invalid entries are refused")
  func entryAboutAZone() throws {
    let base: JSONObject = ["era": 1, "zone": "Z", "boot": "b"]
    func mention(_ changes: JSONObject, without key: String? = nil) -> IndependentMention? {
      var object = base
      for (key, value) in changes { object[key] = value }
      if let key { object[key] = nil }
      return IndependentMention(.object(object))
    }
    let plain = try #require(mention([:]))
    #expect(plain.era == 1)
    #expect(plain.zone == "Z")
    #expect(plain.zoneSequence == nil)
    #expect(mention(["zoneSequence": 7])?.zoneSequence == 7)
    #expect(mention(["era": 0])?.era == 0)
    #expect(mention(["zoneSequence": .integer(1 << 60)])?.zoneSequence == 1 << 60)
    for changes in [["era": -1], ["zoneSequence": -1], ["zoneSequence": "7"], ["zoneSequence": .integer(.max)]]
      as [JSONObject]
    {
      #expect(mention(changes) == nil, "\(changes)")
    }
    for key in ["era", "zone", "boot"] { #expect(mention([:], without: key) == nil, "\(key)") }
  }

  // MARK: Shares

  private func shareLine(_ sequence: Int64, _ kind: ShareLine.Kind, _ record: ExactName) -> String {
    var writer = JSONWriter(isPretty: false)
    ShareLine(sequence: sequence, kind: kind, record: record, type: "T").encode(into: &writer)
    return String(decoding: writer.bytes.dropLast(), as: UTF8.self)
  }

  @Test("the check reads from a share's log its share, each record's last line, and every removal")
  func shareLog() {
    let lines = bytes(
      shareLine(2, .inside, "S"), shareLine(3, .inside, "a"), shareLine(5, .outside, "a"), shareLine(6, .inside, "a"),
      shareLine(8, .outside, "b"))
    let log = IndependentShareLog(lines, file: "S.jsonl", end: 8)
    #expect(log.damage == [])
    #expect(log.share == "S")
    #expect(log.horizon == 0)
    #expect(log.newest.mapValues(\.sequence) == ["S": 2, "a": 6, "b": 8])
    #expect(log.removals.map(\.sequence) == [5, 8])
    #expect(log.indexedLines.map(\.sequence).sorted() == [2, 5, 6, 8])
    #expect(IndependentShareLog(lines, file: "S.jsonl", end: 7).damage == ["sequence 8, where the zone is at 7"])
    let strange = IndependentShareLog(bytes(line(4)), file: "S.jsonl", end: 8)
    #expect(strange.damage == ["the line of sequence 4 is not a share's line"])
    #expect(strange.newest.isEmpty)
  }

  @Test("the share of a log is found among its members by the log's file name, also if that name is shortened")
  func longShareName() {
    let long = ExactName(String(repeating: "s", count: 300))
    let lines = bytes(shareLine(2, .inside, "a"), shareLine(3, .inside, long))
    let log = IndependentShareLog(lines, file: FileName.encode(long.string) + ".jsonl", end: 3)
    #expect(log.share == long)
    #expect(log.damage == [])
    let nobody = ["no member of this share's log is the share itself"]
    for file in ["S", "S.json", "a~.jsonl", FileName.encode(long.string + "s") + ".jsonl"] {
      let log = IndependentShareLog(lines, file: file, end: 3)
      #expect(log.share == nil, "\(file)")
      #expect(log.damage == nobody, "\(file)")
    }
  }
}
