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

  @Test("an unnamed file appears only when it is linked, with all its contents, and a name in use is refused")
  func unnamedFileAppears() throws {
    // One file at a time: files that earlier tests have open may leave room for only one.
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

  /// At most half of the process's descriptor limit; other tests have files open, too.
  @Test("the number of open unnamed files is bounded")
  func numberOfOpenUnnamedFilesIsBounded() throws {
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
