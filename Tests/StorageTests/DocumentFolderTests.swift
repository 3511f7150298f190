import FaultInjection
import LocalCloudPlatform
import LocalCloudStorage
import Testing

@Suite("A folder of documents")
struct DocumentFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("documents") }

  private static let isFailing: @Sendable (FileSystemCall) -> InjectedFault = { call in
    if case .syncDirectory = call { .fail(SystemError.inputOutput) } else { .proceed }
  }

  @Test("a private document stays private after a failed removal or a failed change")
  func takenBack() throws {
    let documents = DocumentFolder(folder.directory)
    try documents.write(["key": "secret"], "private.json", mode: 0o600)
    let before = try folder.directory.contents("private.json")
    let failing = DocumentFolder(try folder.open(FileSystem(observer: Self.isFailing)))
    #expect(throws: (any Error).self) { try failing.remove("private.json") }
    #expect(try folder.directory.contents("private.json") == before)
    #expect(try folder.directory.permissions(of: "private.json") == 0o600)
    #expect(throws: (any Error).self) { try failing.write(["key": "other"], "private.json", mode: 0o600) }
    #expect(try folder.directory.contents("private.json") == before)
    #expect(try folder.directory.permissions(of: "private.json") == 0o600)
  }

  @Test("a private document is never written into an existing file that is readable or open elsewhere")
  func leftFile() throws {
    try folder.directory.createFile(".private.json.new").write(Array("left".utf8), at: 0)
    let open = try folder.directory.file(".private.json.new")
    try DocumentFolder(folder.directory).write(["key": "secret"], "private.json", mode: 0o600)
    #expect(try folder.directory.permissions(of: "private.json") == 0o600)
    #expect(try open.readAll() == Array("left".utf8))
  }
}
