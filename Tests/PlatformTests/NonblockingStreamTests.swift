import Testing

@testable import LocalCloudPlatform

/// Programs that share a stream with this one, such as a terminal, may have set it so that it does not wait.
@Suite("Streams whose descriptors do not wait")
struct NonblockingStreamTests {
  private let pipe: WakePipe

  init() throws { pipe = try WakePipe() }

  @Test("a write to a full stream waits for the reader, and a read from an empty one for the writer")
  func fullAndEmptyStreams() throws {
    // Many times the size of a pipe.
    let bytes = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let pipe = pipe
    let collected = ThreadCondition<[UInt8]?>(nil)
    let isStarted = startThreadIfPossible {
      var read: [UInt8] = []
      while read.count < bytes.count, let part = try? UserFile.readPart(pipe.reading, "pipe") { read += part }
      let all = read
      collected.change { $0 = all }
    }
    try #require(isStarted)
    try writeAll(bytes, to: pipe.writing, "pipe")
    let all = collected.wait(seconds: 60) { $0 }
    #expect(all == bytes)
  }

  @Test("a stream without bytes to write is not waited for")
  func nothingToWrite() throws {
    try writeAll([], to: pipe.writing, "pipe")
    #expect(waitToRead([pipe.reading], milliseconds: 0) == [false])
  }
}
