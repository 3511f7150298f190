import Platform
import Storage

/// The text of the schema that all databases of a container's environment share, `schema.ckdb` in the environment's
/// folder. Only ever replaced whole and durably; what it says is not the store's matter.
package struct SchemaFile {
  package static let name = "schema.ckdb"

  private let container: ExactName
  private let environment: String
  private let cloud: Cloud

  package init(_ container: ExactName, _ environment: String, in cloud: Cloud) {
    (self.container, self.environment, self.cloud) = (container, environment, cloud)
  }

  package var path: String { cloud.path(of: [environment, Self.name], in: container) }

  /// Changes with the contents; nil while there is no schema.
  package func version() throws -> FileVersion? { try folder()?.version(of: Self.name) }

  /// The text; nil while there is none.
  package func contents() throws -> [UInt8]? { try folder()?.contents(Self.name) }

  /// Replaces the text by what `body` makes of it, unless that is nil. Others who change it wait, and if `alone`, so does
  /// everybody who writes to the cloud.
  package func change<Answer>(
    _ patience: LockWaitPolicy, alone: Bool, _ body: ([UInt8]?) throws -> (text: [UInt8]?, answer: Answer)
  ) throws -> Answer {
    func change() throws -> Answer {
      let folder = try self.folder() ?? makeFolder()
      _ = try folder.createFile(Cloud.lockName)
      let held = try FairLock.leaf(folder, Cloud.lockName).acquire(.exclusive, patience)
      defer { held.release() }
      let (text, answer) = try body(try folder.contents(Self.name))
      if let text { try DocumentFolder(folder).write(bytes: text, Self.name) }
      return answer
    }
    return try alone ? cloud.lock.withExclusive(patience, change) : cloud.lock.withShared(patience, change)
  }

  /// Durably: a container may begin with its schema.
  private func makeFolder() throws -> Directory {
    let containers = try cloud.root.directory("containers")
    let folder = try containers.makingDirectory(at: [FileName.encode(container.string), environment])
    try containers.directory(FileName.encode(container.string)).sync()
    try containers.sync()
    return folder
  }

  package func folder() throws -> Directory? {
    try cloud.folders.folder(at: ["containers", FileName.encode(container.string), environment])
  }
}
