import Dispatch
import FaultInjection
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import Synchronization
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

  private func append(_ number: Int, to log: RequestLogFile) throws {
    try log.append(Array("{\"n\":\(number)}\n".utf8), LockWaitPolicy())
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
      try append(number, to: log)
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
    try append(2, to: log)
    var reader = RequestLogReader(of: cloud)
    #expect(try lines(&reader) == [1, 2])
    try cloud.root.remove(RequestLogFile.name)
    try append(3, to: log)
    #expect(try lines(&reader) == [3])
  }

  @Test("a log that is emptied while it is followed is read from its beginning again")
  func emptied() throws {
    defer { try? ScratchFolder.remove(path) }
    let log = RequestLogFile(of: cloud)
    for number in 1...3 { try append(number, to: log) }
    var reader = RequestLogReader(of: cloud)
    #expect(try lines(&reader) == [1, 2, 3])
    try cloud.root.file(RequestLogFile.name, .readWrite).truncate(to: 0)
    try append(4, to: log)
    #expect(try lines(&reader) == [4])
  }

  @Test("a full log that can't become the previous one takes no more lines")
  func fullLog() throws {
    defer { try? ScratchFolder.remove(path) }
    let log = RequestLogFile(of: cloud, fullAt: 100)
    try cloud.root.makeDirectory(RequestLogFile.previousName)
    var refused = 0
    for number in 1...100 {
      do { try append(number, to: log) } catch { refused += 1 }
    }
    #expect(refused > 0)
    #expect(try cloud.root.size(of: RequestLogFile.name).map { $0 <= 110 } == true)
  }

  @Test("bytes without an end of a line are left out, however many there are")
  func endlessLine() throws {
    defer { try? ScratchFolder.remove(path) }
    let garbage = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20)
    let line = Array("{\"n\":1}\n{\"n\":9,\"text\":\"".utf8) + garbage
    try cloud.root.writeStaged(RequestLogFile.name, line + Array("\"}\n{\"n\":2}\n".utf8) + line.dropFirst(8))
    var reader = RequestLogReader(of: cloud)
    #expect(try lines(&reader) == [1, 2])
    try append(3, to: RequestLogFile(of: cloud, fullAt: 1 << 30))
    #expect(try lines(&reader) == [3])
  }

  @Test("no line of threads that write at the same time is lost, also while the files change")
  func concurrentLines() throws {
    defer { try? ScratchFolder.remove(path) }
    let failures = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      // Half of the lines fill one file, so that the files change once.
      let log = RequestLogFile(of: cloud, fullAt: 2400)
      for line in 0..<100 {
        do { try append(1000 + thread * 100 + line, to: log) } catch { failures.withLock { $0 += 1 } }
      }
    }
    #expect(failures.withLock { $0 } == 0)
    var reader = RequestLogReader(of: cloud)
    #expect(try lines(&reader).sorted() == (1000..<1400).map { Int64($0) })
  }
}
