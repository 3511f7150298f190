import FaultInjection
import Foundation
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport

/// An attacker with copies of one person's device and of whole trees, and with knowledge of the format. Tries every key
/// on all sealed data, without any permission check.
struct KeyThief {
  private let cryptography: Cryptography
  private let user: String
  private let device: String
  /// The container, the environment, the zone's owner and the zone, as the associated data contains them.
  private let zoneContext: [String]
  private let folder: String
  private var trees: [[String: [UInt8]]] = []

  /// An attacker with the device of `person`, for the zone of `owner`.
  init(as person: Person, into owner: Person) throws {
    cryptography = try owner.service.settings.cryptography()
    user = try person.service.accounts.userRecordName(by: person.caller)
    device = "\(person.caller.account ?? "")-device"
    zoneContext = [
      TemporaryCloud.container, "development", try owner.service.accounts.userRecordName(by: owner.caller),
      owner.zone.name.string,
    ]
    folder = owner.folder() + "/"
  }

  /// Adds a copy of the tree.
  mutating func copy(_ cloud: TemporaryCloud) throws { trees.append(try FolderImage(of: cloud.path).paths()) }

  /// The values that the attacker can decrypt in the last tree, by `record.field`.
  func loot() throws -> [String: String] {
    let keys = try self.keys()
    var result: [String: String] = [:]
    for (_, object) in objects(in: trees.suffix(1), below: folder + "records/") {
      let name = object["recordName"]?.string ?? ""
      for (field, value) in object["fields"]?.object ?? [:] where value["isEncrypted"] != nil {
        let names = [name, field, value["type"]?.string ?? ""]
        for key in keys {
          guard let plain = opened(value["value"], key, "value", names) else { continue }
          result["\(name).\(field)"] = try JSONValue(parsing: plain).string
        }
      }
    }
    return result
  }

  private func objects(
    in trees: some Collection<[String: [UInt8]]>, below prefix: String
  ) -> [(path: String, object: JSONValue)] {
    trees.flatMap { tree in
      tree.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }.compactMap { path, bytes in
        (try? JSONValue(parsing: bytes)).map { (path, $0) }
      }
    }
  }

  // MARK: Keys

  private func keys() throws -> Set<[UInt8]> {
    // Only the first copy contains the stolen device: keys that the device gets later are unknown to the attacker.
    let privateKeys = objects(in: trees.prefix(1), below: "devices/\(device)/keychain.json").flatMap { _, keychain in
      (keychain["keys"]?.array ?? []).compactMap { bytes($0["privateKey"]) }
    }
    let files = objects(in: trees, below: folder + "keys/")
    let records = Set(
      objects(in: trees, below: folder + "records/").compactMap { $0.object["recordName"]?.string })
    var keys: Set<[UInt8]> = []
    for (_, file) in files { keys.formUnion(personal(file["newest"] ?? file, privateKeys)) }
    while true {
      var found = keys
      for (_, file) in files {
        for key in keys { found.formUnion(wrapped(file, key, records)) }
      }
      if found == keys { return keys }
      keys = found
    }
  }

  /// The keys that are sealed for the person, or for users of a link.
  private func personal(_ file: JSONValue, _ privateKeys: [[UInt8]]) -> [[UInt8]] {
    let name = file["recordName"]?.string ?? ""
    var result: [[UInt8]] = []
    let ways: [(JSONValue?, String, [String])] =
      [(file["owner"], "zone key", []), (file["owner"], "record key", [name])]
      + (file["people"]?.array ?? []).map { ($0, "share key", [name, $0["userRecordName"]?.string ?? ""]) }
    for (person, what, names) in ways {
      guard let sealed = bytes(person?["sealed"]), sealed.count > 33 else { continue }
      for key in privateKeys {
        guard let own = try? cryptography.publicKey(ofPrivateKey: key),
          let secret = try? cryptography.agreement(privateKey: key, publicKey: Array(sealed[1..<33])),
          let derived = try? cryptography.derivedKey(
            from: secret, salt: Array(sealed[1..<33]) + own, information: Array("LocalCloudKit key for a person".utf8))
        else { continue }
        result += [opened(Array(sealed[33...]), derived, what, names)].compactMap { $0 }
      }
    }
    for link in file["links"]?.array ?? [] {
      let guid = link["shortGUID"]?.string ?? ""
      guard
        let derived = try? cryptography.derivedKey(
          from: Array(guid.utf8), salt: [], information: Array("LocalCloudKit key for a link".utf8))
      else { continue }
      result += [opened(link["sealed"], derived, "share key", [name, guid])].compactMap { $0 }
    }
    return result
  }

  /// The keys of a file that `key` opens.
  private func wrapped(_ whole: JSONValue, _ key: [UInt8], _ records: Set<String>) -> [[UInt8]] {
    let file = whole["newest"] ?? whole
    let name = file["recordName"]?.string ?? ""
    func version(_ value: JSONValue?) -> [String] { value?.integer.map { [String($0)] } ?? [] }
    var result = [opened(file["zone"], key, "record key", [name] + version(file["zoneVersion"]))]
    if let parent = file["parent"] {
      let names = [name, parent["recordName"]?.string ?? ""] + version(parent["version"])
      result.append(opened(parent["sealed"], key, "record key under parent", names))
    }
    for (index, sealed) in (whole["earlier"]?.array ?? []).enumerated() {
      result.append(opened(sealed, key, "earlier key", [name, String(index + 1)]))
    }
    if let opens = file["opens"] {
      let version = version(file["version"])
      result.append(opened(opens, key, "shared zone", [name, ""] + version))
      result += records.map { opened(opens, key, "shared root", [name, $0] + version) }
    }
    return result.compactMap { $0 }
  }

  // MARK: Sealed things

  private func bytes(_ value: JSONValue?) -> [UInt8]? {
    value?.string.flatMap { Data(base64Encoded: $0) }.map { [UInt8]($0) }
  }

  private func opened(_ value: JSONValue?, _ key: [UInt8], _ what: String, _ names: [String]) -> [UInt8]? {
    bytes(value).flatMap { opened($0, key, what, names) }
  }

  private func opened(_ sealed: [UInt8], _ key: [UInt8], _ what: String, _ names: [String]) -> [UInt8]? {
    guard sealed.first == 1, sealed.count >= 29 else { return nil }
    let data = ([what] + zoneContext + names).flatMap { text in
      withUnsafeBytes(of: UInt32(text.utf8.count).littleEndian, Array.init) + Array(text.utf8)
    }
    let found = try? cryptography.open(
      Array(sealed[13...]), key: key, nonce: Array(sealed[1..<13]), authenticating: data)
    return found.flatMap { $0 }
  }
}
