import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// A device's keychain: private halves of the key pairs of accounts that are or were signed in on it.
struct Keychain {
  static let file = "keychain.json"
  /// Readable and writable only by the file's owner.
  static let mode: UInt32 = 0o600

  struct Entry: Hashable {
    var userRecordName: String
    var container: String
    var generation: Int64
    var privateKey: [UInt8]
  }

  var entries: [Entry] = []

  init() {}

  /// Nil if `object` is not a valid keychain.
  init?(_ object: JSONObject) {
    guard let list = object["keys"]?.array else { return nil }
    for item in list {
      guard let user = item["userRecordName"]?.string, let container = item["container"]?.string,
        let generation = item["generation"]?.integer, AccountKey.generations.contains(generation),
        let key = item["privateKey"]?.string.flatMap(Sealer.bytes), SealingKey(key) != nil
      else { return nil }
      entries.append(
        Entry(userRecordName: user, container: container, generation: generation, privateKey: key))
    }
  }

  var object: JSONObject {
    [
      "keys": .array(
        entries.map { entry in
          [
            "container": .string(entry.container), "generation": .integer(entry.generation),
            "privateKey": .string(Sealer.text(entry.privateKey)), "userRecordName": .string(entry.userRecordName),
          ]
        })
    ]
  }

  func entry(of user: String, _ container: String, generation: Int64) -> Entry? {
    entries.first { $0.userRecordName == user && $0.container == container && $0.generation == generation }
  }

  /// Adds an entry, replacing those of other generations.
  mutating func put(_ entry: Entry) {
    remove(entry.userRecordName, entry.container)
    entries.append(entry)
  }

  mutating func remove(_ user: String, _ container: String, before generation: Int64 = .max) {
    entries.removeAll { $0.userRecordName == user && $0.container == container && $0.generation < generation }
  }
}

extension KeyService {
  /// The keychain of a device; nil if it has none. `device` is its folder's name. Throws if other users have access to
  /// the file, unless `forgetting` is set.
  func keychain(of device: String, forgetting: Bool = false) throws -> Keychain? {
    let folder = try cloud.folder(Inbox.devices)
    guard let object = try folder.read(device, Keychain.file) else { return nil }
    let path = folder.directory.path(of: device + "/" + Keychain.file)
    let mode = try folder.directory.directory(device).permissions(of: Keychain.file) ?? Keychain.mode
    guard mode & 0o077 == 0 || forgetting else {
      throw ServiceError(
        .internalError, "The keychain \(path) can be read by others, so it is not used.", cause: .damage,
        hint: "`localcloud repair`, or `chmod 600` on it, makes it private again.", path: path)
    }
    guard let keychain = Keychain(object) else { throw StorageError.damaged(path: path, reason: "not a keychain") }
    return keychain
  }

  /// The folders of all devices. Signing out does not remove a device's keychain, as iCloud's keychain is there again
  /// after the next sign-in.
  func keychainFolders() throws -> [String] { try cloud.folder(Inbox.devices).names(.directory).sorted() }
}
