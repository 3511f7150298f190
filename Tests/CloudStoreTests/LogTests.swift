import Platform
import TestSupport
import Testing

@testable import CloudStore

@Suite("Logs of JSON lines, and the databases' logs with their eras")
struct LogTests {
  let path = TemporaryCloud.newFolder("logs")
  let directory: Directory

  init() throws {
    try Directory.make(path: path, in: FileSystem())
    directory = try Directory.open(path: path, in: FileSystem())
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

  @Test("bisecting finds the first line after any sequence, with lines of all lengths")
  func bisecting() throws {
    var random = SeededGenerator(seed: 42)
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
    try TemporaryCloud.remove(path)
  }

  @Test("bytes after the last newline do not count; a line that is no JSON is damage")
  func tails() throws {
    let whole = "{\"sequence\":1}\n{\"sequence\":2}\n"
    for tail in ["", "{", "{\"sequence\":3}", String(repeating: "y", count: 10_000)] {
      let log = try log(whole + tail)
      #expect(try log.last()?.sequence == 2)
      #expect(try log.end() == whole.utf8.count)
      #expect(try sequences(log, after: 0) == [1, 2])
    }
    #expect(throws: StoreError.self) { try sequences(try log("garbage\n"), after: 0) }
    #expect(throws: StoreError.self) { try sequences(try log("{\"a\":1}\n"), after: 0) }
    #expect(try log("").last() == nil)
    try TemporaryCloud.remove(path)
  }

  @Test("a database's log counts up, and a token from any position finds what came after")
  func leaf() throws {
    let leaf = LeafLog(in: directory)
    for number in 1...5 { try leaf.append([(ExactName("z\(number)"), nil, [:])], all: { [] }, LockPatience()) }
    #expect(try leaf.position(all: { [] }, LockPatience()) == .init(era: 1, sequence: 5))
    #expect(try leaf.mentions(after: .init(era: 1, sequence: 3))?.map(\.zone) == ["z4", "z5"])
    #expect(try leaf.mentions(after: .init(era: 1, sequence: 5))?.isEmpty == true)
    #expect(try leaf.mentions(after: .init(era: 1, sequence: 6)) == nil)
    #expect(try leaf.mentions(after: .init(era: 2, sequence: 1)) == nil)
    try TemporaryCloud.remove(path)
  }

  @Test("after a power cut a new era mentions every zone; tokens from beyond the cut go back to it")
  func eras() throws {
    let leaf = LeafLog(in: directory)
    for number in 1...5 { try leaf.append([(ExactName("z\(number)"), nil, [:])], all: { [] }, LockPatience()) }
    // The last two lines are lost, the third is torn, and the machine has started again.
    let lines = try directory.contents(LeafLog.fileName).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let kept = lines.split(separator: "\n").prefix(3).map { line in
      var value = try! JSONValue(parsing: Array(line.utf8)).object!
      value["boot"] = "another"
      return String(decoding: JSONValue.object(value).compact(), as: UTF8.self)
    }
    try directory.writeStaged(LeafLog.fileName, Array((kept.joined(separator: "\n") + "\n{\"boo").utf8))
    let position = try leaf.position(all: { [("a", nil), ("b", "owner")] }, LockPatience())
    #expect(position == .init(era: 2, sequence: 5))
    #expect(try leaf.mentions(after: .init(era: 1, sequence: 5))?.map(\.zone) == ["a", "b"])
    #expect(try leaf.mentions(after: .init(era: 1, sequence: 2))?.map(\.zone) == ["z3", "a", "b"])
    #expect(try leaf.mentions(after: .init(era: 2, sequence: 4))?.map(\.zone) == ["b"])
    try TemporaryCloud.remove(path)
  }
}
