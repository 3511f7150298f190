import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@testable import LocalCloudStorage

@Suite("Headers, sequences and line lengths of logs")
struct LogLimitTests {
  let folder: TemporaryFolder
  let directory: Directory

  init() throws {
    folder = try TemporaryFolder("log-limits")
    directory = folder.directory
  }

  private func log(_ text: String, limit: Int = .max) throws -> LogFile {
    try directory.writeStaged("log", Array(text.utf8))
    return LogFile(try directory.file("log"), limit: limit)
  }

  private func sequences(_ log: LogFile, after sequence: Int64 = .min) throws -> [Int64] {
    var result: [Int64] = []
    try log.forEach(after: sequence) { line in
      result.append(line.sequence)
      return true
    }
    return result
  }

  private func header(_ changes: JSONObject = [:], without key: String? = nil) -> LogHeader? {
    var object: JSONObject = ["sequence": 0, "horizon": 9, "forgotten": 4, "kept": 2, "superseded": 3]
    for (key, value) in changes { object[key] = value }
    if let key { object[key] = nil }
    return LogHeader(.object(object))
  }

  @Test("a log's header is read only with all its numbers in range")
  func logsHeaderIsRead() throws {
    #expect(header() == LogHeader(horizon: 9, forgotten: 4, kept: 2, superseded: 3))
    #expect(header(["forgotten": 0]) != nil)
    #expect(header(["forgotten": 9]) != nil)
    #expect(header(["kept": 0, "superseded": 0]) != nil)
    #expect(header(["horizon": .integer(1 << 60)]) != nil)
    for key in ["sequence", "horizon", "forgotten", "kept", "superseded"] {
      #expect(header(without: key) == nil, "\(key)")
      #expect(header([key: -1]) == nil, "\(key)")
      #expect(header([key: "1"]) == nil, "\(key)")
    }
    for changes in [["sequence": 1], ["forgotten": 10], ["horizon": 3]] as [JSONObject] {
      #expect(header(changes) == nil, "\(changes)")
    }
    for key in ["horizon", "kept", "superseded"] { #expect(header([key: .integer(1 << 60 + 1)]) == nil, "\(key)") }
    let written = LogHeader(horizon: 9, forgotten: 4, kept: 2, superseded: 3)
    #expect(
      String(decoding: written.bytes, as: UTF8.self)
        == #"{"forgotten":4,"horizon":9,"kept":2,"sequence":0,"superseded":3}"# + "\n")
  }

  @Test("compaction is due when enough lines are obsolete compared with the retained ones")
  func compactionIsDueWhenEnoughLines() throws {
    let header = LogHeader(horizon: 9, kept: 5)
    #expect(!header.isDue(worthless: 24, retaining: 10))
    #expect(header.isDue(worthless: 25, retaining: 10))
    #expect(header.isDue(worthless: 5, retaining: 0))
    #expect(!header.isDue(worthless: 4, retaining: 0))
  }

  @Test("a log of only a header has no last line and has the header's horizon")
  func headerAlone() throws {
    let first = String(decoding: LogHeader(horizon: 9, kept: 1).bytes, as: UTF8.self)
    let alone = try log(first)
    #expect(try alone.header().horizon == 9 && alone.last() == nil && alone.end() == first.utf8.count)
    #expect(try alone.tail().isWhole && sequences(alone) == [])
    let more = try log(first + "{\"sequence\":4}\n{\"sequence\":10}\n{\"se")
    #expect(try more.header() == LogHeader(horizon: 9, kept: 1) && more.last()?.sequence == 10)
    #expect(try sequences(more) == [4, 10] && sequences(more, after: 4) == [10] && sequences(more, after: 10) == [])
    let tail = try more.tail()
    #expect(!tail.isWhole)
    #expect(tail.end == tail.size - 4)
    #expect(tail.last?.offset == first.utf8.count + 15)
    // A first line that is no header gives a horizon of 0, as does an empty log.
    for text in ["{\"sequence\":4}\n", "garbage\n", "", first.trimmed] {
      #expect(try log(text).header() == LogHeader(horizon: 0), "\(text)")
    }
    // Only the first line can be a header.
    let later = try log("{\"sequence\":4}\n" + first)
    #expect(try later.header() == LogHeader(horizon: 0) && later.last()?.sequence == 0)
  }

  @Test("a line without a valid sequence is damage, and the error has its byte offset")
  func lineWithoutAValidSequenceIsDamage() throws {
    let good = "{\"sequence\":1}\n"
    let offset = good.utf8.count
    let wrong = [
      ("{}", "has no sequence"), ("{\"sequence\":\"2\"}", "has no sequence"),
      ("{\"sequence\":-1}", "has the sequence -1"),
      ("{\"sequence\":1152921504606846977}", "has the sequence 1152921504606846977"),
      ("[1", "is not JSON: line 1, column 3: expected ‘,’ or ‘]’, found the end"),
    ]
    for (line, text) in wrong {
      let log = try log(good + line + "\n")
      #expect(reasonOfDamage { try sequences(log) } == "the line at byte \(offset) \(text)")
      #expect(reasonOfDamage { try log.last() } == "the line at byte \(offset) \(text)")
    }
    #expect(try sequences(log("{\"sequence\":1152921504606846976}\n")) == [1 << 60])
  }

  @Test("a log with a size limit is read as it was at that size")
  func logWithASizeLimitIsRead() throws {
    let text = "{\"sequence\":1}\n{\"sequence\":2}\n{\"sequence\":3}\n"
    for (limit, last) in [(0, nil), (14, nil), (15, 1), (29, 1), (30, 2), (44, 2), (45, 3), (100, 3)] as [(Int, Int64?)]
    {
      let log = try log(text, limit: limit)
      #expect(try log.last()?.sequence == last, "\(limit)")
      #expect(try log.contents() == Array(text.utf8.prefix(limit)), "\(limit)")
      #expect(try log.end() == Int(last ?? 0) * 15 && sequences(log) == Array(1...3).filter { $0 <= last ?? 0 })
    }
  }

  @Test("a hole without a newline is damage at any offset, and a line of four million bytes is read")
  func holeWithoutANewlineIsDamage() throws {
    let most = 4 << 20
    let line = "{\"pad\":\"\(String(repeating: "x", count: most - 27))\",\"sequence\":2}\n"
    #expect(line.utf8.count < most)
    let long = try log("{\"sequence\":1}\n" + line)
    #expect(try long.last()?.sequence == 2 && long.end() == line.utf8.count + 15)
    let file = try directory.file("log", .readWrite)
    try file.truncate(to: 15)
    try file.truncate(to: 15 + 2 * most)
    let hollow = LogFile(file)
    for body in [{ _ = try hollow.last() }, { _ = try hollow.end() }, { _ = try sequences(hollow) }]
      as [() throws -> Void]
    {
      let reason = reasonOfDamage(body)
      #expect(reason?.hasPrefix("no line ends in ") == true, "\(reason ?? "")")
    }
  }
}

extension String {
  /// The text without its last character, the newline.
  fileprivate var trimmed: String { String(dropLast()) }
}
