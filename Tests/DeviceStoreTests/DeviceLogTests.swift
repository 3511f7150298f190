import FaultInjection
import LocalCloudPlatform
import LocalCloudStore
import TestSupport
import Testing

@testable import LocalCloudDeviceStore
@testable import LocalCloudStorage

@Suite("A device's logs and the cursors of its programs")
struct DeviceLogTests {
  let folder: TemporaryFolder
  let devices: Directory
  private let waitPolicy = LockWaitPolicy()

  init() throws {
    folder = try TemporaryFolder("device-log")
    devices = folder.directory
  }

  private func log(retaining retained: Int64 = 10_000) -> DeviceLog {
    var limits = StorageLimits()
    limits.retainedChanges = retained
    return DeviceLog(DeviceLog.Kind(folder: "events", fileName: "log"), file: "d", in: devices, limits: limits)
  }

  private func append(_ lines: [JSONObject], above floor: Int64 = 0, to log: DeviceLog) throws {
    try log.append(
      above: { _ in floor }, waitPolicy, compacted: { _, horizon in LogHeader(horizon: horizon).bytes },
      lines: { _ in lines })
  }

  private func text() throws -> String? {
    try devices.directory(at: ["d", "events"])?.contents("log").map { String(decoding: $0, as: UTF8.self) }
  }

  private func write(_ text: String) throws {
    try devices.makingDirectory(at: ["d", "events"]).writeStaged("log", Array(text.utf8))
  }

  @Test("lines get rising sequences, starting above an empty log's floor")
  func linesGetRisingSequencesStartingAbove() throws {
    let log = log()
    #expect(try log.end() == 0 && log.directory() == nil && text() == nil)
    try append([["a": 1], ["a": 2]], above: 7, to: log)
    #expect(try text() == "{\"a\":1,\"sequence\":8}\n{\"a\":2,\"sequence\":9}\n")
    try append([["a": 3, "sequence": 99]], above: 500, to: log)
    #expect(try log.end() == 10)
    try append([], to: log)
    var found: [Int64?] = []
    try log.forEach(after: 8) { line in
      found.append(line["a"]?.integer)
      return found.count < 1
    }
    #expect(try found == [2] && log.end() == 10)
    // The incomplete line of a killed process is removed.
    let whole = try #require(try text())
    try write(whole + "{\"a\":4,\"sequence\":11")
    try append([["b": 4]], to: log)
    #expect(try text() == whole + "{\"b\":4,\"sequence\":11}\n")
    // An empty log that was compacted continues above its horizon.
    try write(String(decoding: LogHeader(horizon: 40).bytes, as: UTF8.self))
    #expect(try log.end() == 40)
    try append([[:]], above: 12, to: log)
    #expect(try log.end() == 41)
  }

  @Test("a log is compacted at twice the number of lines to retain, and the callback gets the new horizon")
  func logIsCompactedAtTwiceTheNumber() throws {
    let log = log(retaining: 5)
    for number in 1...9 { try append([["a": .integer(Int64(number))]], to: log) }
    #expect(try text()?.hasPrefix("{\"a\":1,") == true)
    try append([["a": 10]], to: log)
    #expect(try text() == String(decoding: LogHeader(horizon: 5).bytes, as: UTF8.self))
    #expect(try log.end() == 5)
  }

  @Test(
    "recovery removes everything from the first line that is torn, invalid or out of sequence",
    arguments: [
      ("", ""), ("{\"sequence\":1}\n", ""), ("{\"sequence\":1}\n{\"sequence\":5}\n", ""),
      ("{\"sequence\":0}\n", ""), ("", "{\"sequence\":-1}\n"), ("", "{\"sequence\":1}"), ("", "\0\0\0"), ("", "{}\n"),
      ("{\"sequence\":1}\n", "{\"sequence\":1}\n{\"sequence\":2}\n"), ("{\"sequence\":3}\n", "{\"sequence\":2}\n"),
      ("{\"sequence\":1}\n", "\0\0\n{\"sequence\":2}\n"), ("{\"sequence\":1}\n", "{\"a\":1}\n{\"sequence\":2}\n"),
      ("{\"sequence\":1}\n", "{\"sequence\":2"), ("{\"sequence\":1}\n", "\n"),
      ("{\"forgotten\":0,\"horizon\":9,\"kept\":0,\"sequence\":0,\"superseded\":0}\n{\"sequence\":4}\n", "{"),
      ("{\"forgotten\":0,\"horizon\":9,\"kept\":0,\"sequence\":0,\"superseded\":0}\n{\"sequence\":0}\n", ""),
    ])
  func recoveryRemovesEverythingFromTheFirstLine(good: String, bad: String) throws {
    try write(good + bad)
    try log().recover()
    #expect(try text() == good)
  }

  @Test("a device without a log has nothing to recover or sync, and goOn continues above the given sequence")
  func goingOn() throws {
    let log = log()
    try log.recover()
    try log.sync()
    #expect(try devices.entries() == [])
    try log.goOn(above: 5, waitPolicy)
    #expect(try text() == "{\"sequence\":5}\n")
    for sequence in [5, 4] as [Int64] { try log.goOn(above: sequence, waitPolicy) }
    #expect(try text() == "{\"sequence\":5}\n")
    try write("{\"sequence\":5}\n{\"seq")
    try log.goOn(above: 6, waitPolicy)
    #expect(try text() == "{\"sequence\":5}\n{\"sequence\":6}\n")
    try log.sync()
  }

  // MARK: Pushes

  private func pushLog() -> PushLog { PushLog(file: "d", in: devices, .test, limits: StorageLimits()) }

  private func push(_ text: String, _ history: String, _ sequence: Int64, _ part: Int64 = 1) -> JSONObject {
    [
      "content": ["text": .string(text)],
      "commit": PushMark(CommitMark(history: history, sequence: sequence), part: part).value,
    ]
  }

  private func texts(after sequence: Int64 = 0) throws -> [String?] {
    var result: [String?] = []
    try pushLog().forEach(after: sequence) { line in
      result.append(line["content"]?["text"]?.string)
      return true
    }
    return result
  }

  @Test("a replay appends only missing pushes of each history, and a first delivery appends all")
  func replayAppendsOnlyMissingPushes() throws {
    let log = pushLog()
    try log.append([push("a", "h", 1), push("b", "h", 2, 1)], waitPolicy)
    let all: [JSONObject] = [
      push("a", "h", 1), push("b", "h", 2, 1), push("c", "h", 2, 2), push("x", "other", 1), ["content": [:]],
    ]
    try log.append(all, isReplay: true, waitPolicy)
    #expect(try texts() == ["a", "b", "c", "x", nil])
    try log.append(Array(all.prefix(4)), isReplay: true, waitPolicy)
    #expect(try texts().count == 5)
    try log.append([push("a", "h", 1)], waitPolicy)
    #expect(try texts(after: 4) == [nil, "a"] && log.end() == 6)
    try log.append([["commit": PushMark(CommitMark(history: "h", sequence: 9), part: 1).value]], waitPolicy)
    #expect(try texts().count == 6 && log.end() == 7)
    // A repeated push belongs to no commit.
    try log.repeatPush(push("r", "h", 1), waitPolicy)
    var last: JSONObject?
    try log.forEach(after: 7) { line in
      last = line
      return true
    }
    #expect(last == ["sequence": 8, "content": ["text": "r"]])
  }

  @Test("each counter counts only the pushes that ask for it, and continues from its last value")
  func eachCounterCountsOnlyThePushes() throws {
    let log = pushLog()
    func push(_ counter: String) -> JSONObject {
      ["counter": .string(counter), "count": true, "content": [:]]
    }
    try log.append([push("a"), push("b"), push("a"), ["counter": "a", "content": [:]]], waitPolicy)
    try log.append([push("a")], waitPolicy)
    var found: [JSONValue?] = []
    try log.forEach(after: 0) { line in
      #expect(line["double"]?.integer == line["count"]?.integer.map { 2 * $0 })
      found.append(line["count"])
      return true
    }
    #expect(found == [1, 1, 2, nil, 3])
  }

  @Test("a cursor has the position that it was moved to and its owner, and an unreadable cursor is ignored")
  func cursorHasThePosition() throws {
    let log = pushLog()
    let (one, other) = (
      PushCursor(of: "iCloud.a", "development", in: log), PushCursor(of: "b/c", "production", in: log)
    )
    #expect(try one.position() == 0)
    try one.hold().pass(3)
    try other.hold().pass(5)
    #expect(try one.position() == 3 && other.position() == 5)
    let folder = try #require(try log.directory())
    let object = try #require(try folder.object(at: ["b%2Fc,production.json"]))
    #expect(object == ["containerIdentifier": "b/c", "environment": "production", "sequence": 5])
    #expect(PushCursor.fileName(of: object) == "b%2Fc,production.json")
    #expect(PushCursor.fileName(of: [:]) == "%,%.json")
    #expect(try PushCursor.last(in: folder) == 5)
    for key in ["containerIdentifier", "environment", "sequence"] {
      var wrong = object
      wrong[key] = nil
      #expect(PushCursor.sequence(in: wrong) == nil, "\(key)")
    }
    for (sequence, isPossible) in [(0, true), (1 << 60, true), (-1, false), (1 << 60 + 1, false)] as [(Int64, Bool)] {
      var changed = object
      changed["sequence"] = .integer(sequence)
      #expect(PushCursor.sequence(in: changed) == (isPossible ? sequence : nil), "\(sequence)")
    }
    var further = object
    further["sequence"] = 7
    for name in [".hidden.json", "a.txt"] { try folder.writeStaged(name, JSONValue.object(further).compact()) }
    try folder.makeDirectory("folder.json")
    try folder.writeStaged("b%2Fc,production.json", Array("{}".utf8))
    #expect(try PushCursor.last(in: folder) == 3)
    #expect {
      try other.position()
    } throws: {
      if case StorageError.damaged(_, "not up to where pushes were taken") = $0 { true } else { false }
    }
    // An empty log continues above the readable cursors.
    try log.append([["content": [:]]], waitPolicy)
    #expect(try log.end() == 4)
  }
}
