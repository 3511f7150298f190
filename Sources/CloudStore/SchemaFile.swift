import LocalCloudPlatform
import LocalCloudStorage

/// The text of the schema that all databases of a container's environment share, `schema.ckdb` in the environment's
/// folder. It is only replaced whole and durably; the store does not interpret it.
package struct SchemaFile {
  package static let name = "schema.ckdb"

  private let container: ExactName
  private let environment: String
  private let cloud: Cloud

  package init(_ container: ExactName, _ environment: String, in cloud: Cloud) {
    (self.container, self.environment, self.cloud) = (container, environment, cloud)
  }

  package var path: String { cloud.path(of: [environment, Self.name], in: container) }

  /// The file's version, which changes with the contents; nil while there is no schema.
  package func version() throws -> FileVersion? { try folder()?.version(of: Self.name) }

  /// The text; nil while there is no schema.
  package func contents() throws -> [UInt8]? { try folder()?.contents(Self.name) }

  /// Replaces the text with the result of `body`, unless that is nil. Other changes of the schema wait during the call;
  /// if `alone`, so do all writers of the cloud.
  package func change<Answer>(
    _ waitPolicy: LockWaitPolicy, alone: Bool, _ body: ([UInt8]?) throws -> (text: [UInt8]?, answer: Answer)
  ) throws -> Answer {
    func change() throws -> Answer {
      let folder = try self.folder() ?? makeFolder()
      _ = try folder.createFile(Cloud.lockName)
      let held = try FairLock.leaf(folder, Cloud.lockName).acquire(.exclusive, waitPolicy)
      defer { held.release() }
      let (text, answer) = try body(try folder.contents(Self.name))
      if let text { try DocumentFolder(folder).write(bytes: text, Self.name) }
      return answer
    }
    return try alone ? cloud.lock.withExclusive(waitPolicy, change) : cloud.lock.withShared(waitPolicy, change)
  }

  /// Makes the environment's folder durably: the schema may be the first file of a container.
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
