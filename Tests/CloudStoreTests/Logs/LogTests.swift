import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("Logs of JSON lines and databases' change logs")
struct LogTests {
  let folder: TemporaryFolder
  let directory: Directory

  init() throws {
    folder = try TemporaryFolder("logs")
    directory = folder.directory
  }

  private func log(_ text: String) throws -> LogFile {
    try directory.writeStaged("log", Array(text.utf8))
    return LogFile(try directory.file("log"))
  }

  private func sequences(_ log: LogFile, after sequence: Int64) throws -> [Int64] {
    var result: [Int64] = []
    try log.forEach(after: sequence) { line in
      result.append(line.sequence)
      return true
    }
    return result
  }

  @Test("bisecting finds the first line after any sequence, for lines of all lengths")
  func bisectingFindsTheFirstLineAfterAny() throws {
    var random = SeededGenerator(seed: TestSeed.value(42))
    var text = ""
    var all: [Int64] = []
    var sequence: Int64 = 0
    for _ in 0..<800 {
      sequence += Int64.random(in: 1...3, using: &random)
      all.append(sequence)
      let padding = Int.random(in: 0...3, using: &random) == 0 ? Int.random(in: 0...9000, using: &random) : 20
      text += "{\"pad\":\"\(String(repeating: "x", count: padding))\",\"sequence\":\(sequence)}\n"
    }
    let log = try log(text)
    for after in stride(from: Int64(-1), through: sequence + 1, by: 7) {
      #expect(try sequences(log, after: after) == all.filter { $0 > after })
    }
    #expect(try log.last()?.sequence == sequence)
    #expect(try log.end() == text.utf8.count)
  }

  @Test("bytes after the last newline are ignored, and a line that is not JSON is damage")
  func bytesAfterTheLastNewlineAreIgnored() throws {
    let whole = "{\"sequence\":1}\n{\"sequence\":2}\n"
    for tail in ["", "{", "{\"sequence\":3}", String(repeating: "y", count: 10_000)] {
      let log = try log(whole + tail)
      #expect(try log.last()?.sequence == 2)
      #expect(try log.end() == whole.utf8.count)
      #expect(try sequences(log, after: 0) == [1, 2])
    }
    #expect(throws: StorageError.self) { try sequences(try log("garbage\n"), after: 0) }
    #expect(throws: StorageError.self) { try sequences(try log("{\"a\":1}\n"), after: 0) }
    #expect(try log("").last() == nil)
  }

  @Test("a database's log counts up, and a reader with an earlier token gets all later entries")
  func databasesLogCountsUpAndAReader() throws {
    let leaf = DatabaseChangeLog(in: directory)
    for number in 1...5 { try leaf.append([(ExactName("z\(number)"), nil, [:])], all: { [] }, LockWaitPolicy()) }
    let position = try leaf.position(all: { [] }, LockWaitPolicy())
    #expect(position.era == 1)
    #expect(position.sequence == 5)
    func at(_ era: Int64, _ sequence: Int64) -> DatabaseChangeLog.Position {
      DatabaseChangeLog.Position(era: era, sequence: sequence)
    }
    #expect(try leaf.mentions(after: at(1, 3))?.map(\.zone) == ["z4", "z5"])
    #expect(try leaf.mentions(after: at(1, 5))?.isEmpty == true)
    #expect(try leaf.mentions(after: at(1, 6)) == nil)
    #expect(try leaf.mentions(after: at(2, 1)) == nil)
  }

  @Test("after a power cut a new era has an entry for every zone, and tokens from lost entries lead to that era")
  func afterAPowerCutANewEra() throws {
    let leaf = DatabaseChangeLog(in: directory)
    for number in 1...5 { try leaf.append([(ExactName("z\(number)"), nil, [:])], all: { [] }, LockWaitPolicy()) }
    // The last two lines are lost, the third is torn, and the machine was restarted.
    let lines = try directory.contents(DatabaseChangeLog.fileName).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let kept = lines.split(separator: "\n").prefix(3).joined(separator: "\n") + "\n{\"boo"
    try directory.writeStaged(DatabaseChangeLog.fileName, Array(kept.utf8))
    let next = DatabaseChangeLog(in: try folder.open(FileSystem(bootIdentifier: "another boot")))
    let position = try next.position(all: { [("a", nil), ("b", "owner")] }, LockWaitPolicy())
    #expect(position.era == 2)
    #expect(position.sequence == 5)
    func mentions(_ era: Int64, _ sequence: Int64) throws -> [String]? {
      try next.mentions(after: DatabaseChangeLog.Position(era: era, sequence: sequence))?.map(\.zone)
    }
    #expect(try mentions(1, 5) == ["a", "b"])
    #expect(try mentions(1, 2) == ["z3", "a", "b"])
    #expect(try mentions(2, 4) == ["b"])
  }

  @Test("a log that was lost completely starts a new era, and an old token gets all of it")
  func lostLog() throws {
    let leaf = DatabaseChangeLog(in: directory)
    for number in 1...3 { try leaf.append([(ExactName("z\(number)"), nil, [:])], all: { [] }, LockWaitPolicy()) }
    let before = try leaf.position(all: { [] }, LockWaitPolicy())
    try directory.remove(DatabaseChangeLog.fileName)
    let next = DatabaseChangeLog(in: try folder.open(FileSystem(bootIdentifier: "another boot")))
    for name in ["z3", "z1", "z2", "z4"] as [ExactName] {
      try next.append([(name, nil, [:])], isReplay: true, all: { [] }, LockWaitPolicy())
    }
    #expect(try next.mentions(after: before)?.map(\.zone) == ["z3", "z1", "z2", "z4"])
  }

  @Test("compaction retains each zone's last entry, and every token still gets all zones that changed")
  func leafCompaction() throws {
    var limits = StorageLimits()
    limits.retainedChanges = 10
    let leaf = DatabaseChangeLog(in: directory, limits: limits)
    for number in 1...200 {
      try leaf.append([(ExactName("z\(number % 4)"), number == 50 ? "rare" : nil, [:])], all: { [] }, LockWaitPolicy())
    }
    let size = try #require(try directory.contents(DatabaseChangeLog.fileName)).filter { $0 == 0x0A }.count
    #expect(size < 50)
    for start in [0, 1, 49, 100, 180, 195] as [Int64] {
      let found = try #require(try leaf.mentions(after: .init(era: 1, sequence: start)))
      #expect(Set(found.map(\.zone)) == ["z0", "z1", "z2", "z3"])
      #expect(found.contains { $0.owner == "rare" } == (start < 50))
      #expect(found.map(\.sequence) == found.map(\.sequence).sorted())
      #expect(found.last?.sequence == 200)
    }
    // Another boot continues the compacted log.
    let next = DatabaseChangeLog(
      in: try folder.open(FileSystem(bootIdentifier: "another")), limits: limits)
    #expect(try next.position(all: { [("a", nil)] }, LockWaitPolicy()).sequence == 201)
    #expect(try next.mentions(after: .init(era: 1, sequence: 200))?.map(\.zone) == ["a"])
  }
}
