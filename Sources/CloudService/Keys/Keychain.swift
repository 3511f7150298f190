import CloudModel
import CloudStore
import DeviceStore
import Storage

/// A device's keychain: the private halves of key pairs of the account that it is signed in to.
struct Keychain {
  static let file = "keychain.json"
  /// Its owner's alone.
  static let mode: UInt32 = 0o600

  struct Entry: Hashable {
    var userRecordName: String
    var container: String
    var generation: Int64
    var privateKey: [UInt8]
  }

  var entries: [Entry] = []

  init() {}

  /// Nil for what is no keychain.
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

  /// Instead of what an earlier generation left.
  mutating func put(_ entry: Entry) {
    remove(entry.userRecordName, entry.container)
    entries.append(entry)
  }

  mutating func remove(_ user: String, _ container: String) {
    entries.removeAll { $0.userRecordName == user && $0.container == container }
  }
}

extension KeyService {
  /// Nil where the device has none. `device` is its folder's name. Unless to forget what is in it, only one that is private is
  /// of use.
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

  /// The folders of all devices. Whoever signs out leaves the keys where they are, as iCloud keeps them for who comes back.
  func keychainFolders() throws -> [String] { try cloud.folder(Inbox.devices).names(.directory).sorted() }
}
