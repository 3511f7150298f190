import FaultInjection
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("The file of the request log")
struct RequestLogFileTests {
  private let path = ScratchFolder.newPath("requests")
  private let cloud: Cloud

  init() throws {
    try Cloud.create(path: path, history: "h", created: 0)
    cloud = try Cloud(path: path, fieldEncoding: FieldEncoding { _, _ in [] }, observer: ToyObserver())
  }

  private func lines(_ reader: inout RequestLogReader) throws -> [Int64] {
    var result: [Int64] = []
    try reader.forEachNewLine { line in
      if let number = line["n"]?.integer { result.append(number) }
    }
    return result
  }

  @Test("the log takes at most twice its size; a reader that follows it misses no line and reads none twice")
  func boundedSize() throws {
    defer { try? ScratchFolder.remove(path) }
    let log = RequestLogFile(of: cloud, fullAt: 100)
    var reader = RequestLogReader(of: cloud)
    #expect(try lines(&reader) == [])
    #expect(reader.isMissing)
    var seen: [Int64] = []
    for number in 1...200 {
      try log.append(["n": .integer(Int64(number))], LockWaitPolicy())
      if number % 7 == 0 { seen += try lines(&reader) }
      let sizes = try [RequestLogFile.name, RequestLogFile.previousName].map { try cloud.root.size(of: $0) ?? 0 }
      #expect(sizes.allSatisfy { $0 <= 110 })
    }
    seen += try lines(&reader)
    #expect(seen == (1...200).map { Int64($0) })
    var late = RequestLogReader(of: cloud)
    let kept = try lines(&late)
    #expect(kept == Array(seen.suffix(kept.count)))
    #expect(kept.count >= 9)
  }

  @Test("a torn line is left out, and the log may be removed while it is followed")
  func tornAndRemoved() throws {
    defer { try? ScratchFolder.remove(path) }
    let log = RequestLogFile(of: cloud)
    try cloud.root.writeStaged(RequestLogFile.name, Array("{\"n\":1}\n{\"n\":".utf8))
    try log.append(["n": 2], LockWaitPolicy())
    var reader = RequestLogReader(of: cloud)
    #expect(try lines(&reader) == [1, 2])
    try cloud.root.remove(RequestLogFile.name)
    try log.append(["n": 3], LockWaitPolicy())
    #expect(try lines(&reader) == [3])
  }

  @Test("a log that is emptied while it is followed is read from its beginning again")
  func emptied() throws {
    defer { try? ScratchFolder.remove(path) }
    let log = RequestLogFile(of: cloud)
    for number in 1...3 { try log.append(["n": .integer(Int64(number))], LockWaitPolicy()) }
    var reader = RequestLogReader(of: cloud)
    #expect(try lines(&reader) == [1, 2, 3])
    try cloud.root.file(RequestLogFile.name, .readWrite).truncate(to: 0)
    try log.append(["n": 4], LockWaitPolicy())
    #expect(try lines(&reader) == [4])
  }
}
