import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@Suite("Files without a name")
struct UnnamedFileTests {
  private let directory: Directory
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    directory = try folder.open()
  }

  @Test("it is not there before it is linked, and whole afterwards; a name that is taken is refused")
  func linking() throws {
    // One after the other: what earlier tests keep open may leave room for one.
    let skipped = "skipped: this file system has none, or what other tests keep open leaves no room"
    do {
      guard let file = try directory.unnamedFile([1, 2, 3]) else { return print(skipped) }
      #expect(try directory.entries().isEmpty)
      try directory.link(file, as: "name")
      #expect(try directory.contents("name") == [1, 2, 3])
    }
    guard let second = try directory.unnamedFile([4]) else { return print(skipped) }
    #expect(throws: SystemError.self) { try directory.link(second, as: "name") }
    #expect(try directory.contents("name") == [1, 2, 3])
  }

  /// Half of what a process may open, and never more (other tests have some open, too).
  @Test("only so many are open at once, however often more are asked for")
  func room() throws {
    var open: [UnnamedFile] = []
    for _ in 0..<2 {
      while let file = try directory.unnamedFile([]) { open.append(file) }
      if open.isEmpty { return print("skipped: this file system has none") }
      #expect(open.count <= 512)
      for _ in 0..<100 { _ = try directory.unnamedFile([]) }
    }
    open.removeAll()
    #expect(try directory.unnamedFile([]) != nil)
  }
}
