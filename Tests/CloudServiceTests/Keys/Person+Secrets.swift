import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport

extension Person {
  /// A note with an encrypted text and no plain text.
  func secret(
    _ name: ExactName, _ text: String?, tag: String? = nil, parent: ParentEdit = .keep, type: String = "Note"
  ) -> RecordSave {
    var save = RecordSave(id: id(name), type: type, changeTag: tag, parent: parent)
    save.encryptedFields.updateValue(text.map { .string($0) }, forKey: "secret")
    return save
  }

  /// The encrypted text of a note.
  func read(_ name: ExactName) throws -> String? {
    guard case .string(let text) = try fetch(name).encryptedFields["secret"] else { return nil }
    return text
  }

  func on(_ device: String) -> Person {
    var copy = Person(cloud, caller.account, device: device)
    (copy.scope, copy.zone) = (scope, zone)
    return copy
  }

  /// The zone's folder, relative to the cloud's folder.
  func folder(_ owner: String = "alice") -> String {
    "containers/\(TemporaryCloud.container)/development/private/\(owner)/zones/\(zone.name)"
  }
}

extension TemporaryCloud {
  func directory(_ path: String) throws -> Directory {
    try Directory.open(path: "\(self.path)/\(path)", in: FileSystem())
  }

  /// Whether any file of the tree contains a text.
  func holds(_ text: String) throws -> Bool { try FolderImage(of: path).holds(Array(text.utf8)) }
}

extension FolderImage {
  fileprivate func holds(_ bytes: [UInt8]) -> Bool {
    files.values.contains { $0.bytes.firstRange(of: bytes) != nil } || folders.values.contains { $0.holds(bytes) }
  }

  /// The files below the folder, by path.
  func paths(_ prefix: String = "") -> [String: [UInt8]] {
    var result = Dictionary(uniqueKeysWithValues: files.map { (prefix + $0, $1.bytes) })
    for (name, folder) in folders { result.merge(folder.paths(prefix + name + "/")) { first, _ in first } }
    return result
  }
}

/// The whole error, for tests that need more than its code.
func failure(_ body: () throws -> some Any) -> ServiceError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? ServiceError
  }
}
