import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// A symmetric key of 256 bits that seals values and other keys.
struct SealingKey: Sendable, Hashable {
  let bytes: [UInt8]

  /// Nil unless `bytes` has the size of a key.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Cryptography.keySize else { return nil }
    self.bytes = bytes
  }
}

/// A key and its version. The first version is 1; each replacement adds 1.
struct VersionedKey {
  var key: SealingKey
  var version: Int

  /// The accepted versions. No real key reaches the limit.
  static let versions = 1...(1 << 20)

  /// The version in a file's value; nil if it is invalid. A missing value is version 1.
  static func version(_ value: JSONValue?) -> Int? {
    guard let value else { return 1 }
    return value.int.flatMap { versions.contains($0) ? $0 : nil }
  }
}

/// The identity and location of a sealed value or key. A sealed text opens only with the location that it was sealed
/// for.
struct SealContext {
  let bytes: [UInt8]

  /// Each text follows its length, so that different lists of texts never give the same bytes.
  private init(_ texts: [String]) {
    bytes = texts.flatMap { text in
      withUnsafeBytes(of: UInt32(text.utf8.count).littleEndian, Array.init) + Array(text.utf8)
    }
  }

  private init(_ what: String, in address: ZoneAddress, _ names: [String]) {
    let database = address.path.database
    let zone = [
      database.container.string, database.environment, address.identifier.owner ?? "", address.path.zone.string,
    ]
    self.init([what] + zone + names)
  }

  /// A field's value; `type` is the type in the field's dictionary.
  static func value(_ field: String, type: String, of record: ExactName, in zone: ZoneAddress) -> SealContext {
    SealContext("value", in: zone, [record.string, field, type])
  }

  static func zoneKey(of zone: ZoneAddress) -> SealContext { SealContext("zone key", in: zone, []) }

  /// A record's key, sealed with this version of the zone's key, or for the owner.
  static func recordKey(_ record: ExactName, version: Int = 1, in zone: ZoneAddress) -> SealContext {
    SealContext("record key", in: zone, [record.string] + names(of: version))
  }

  /// A record's key, sealed with this version of its parent's key.
  static func recordKey(
    _ record: ExactName, under parent: ExactName, version: Int, in zone: ZoneAddress
  ) -> SealContext {
    SealContext("record key under parent", in: zone, [record.string, parent.string] + names(of: version))
  }

  /// This version of a record's key, or of the zone's, sealed with the version after it.
  static func earlierKey(_ version: Int, of record: ExactName?, in zone: ZoneAddress) -> SealContext {
    SealContext("earlier key", in: zone, [record?.string ?? "", String(version)])
  }

  private static func names(of version: Int) -> [String] { version == 1 ? [] : [String(version)] }

  /// A share's key, sealed for a person or a link.
  static func shareKey(_ share: ExactName, for whom: String, in zone: ZoneAddress) -> SealContext {
    SealContext("share key", in: zone, [share.string, whom])
  }

  /// This version of the key of a share's root, or of the whole zone, sealed with the share's key.
  static func shared(by share: ExactName, root: ExactName?, version: Int, in zone: ZoneAddress) -> SealContext {
    SealContext(
      root == nil ? "shared zone" : "shared root", in: zone,
      [share.string, root?.string ?? ""] + names(of: version))
  }

  /// The content of a file of a long-lived operation, or the key that seals this content. It belongs to no zone.
  static func operation(
    _ file: OperationFile, of user: String, _ caller: Caller, isKey: Bool = false
  ) -> SealContext {
    let what = (file.isAnswers ? "answers" : "operation") + (isKey ? " key" : "")
    return SealContext([what, caller.container, caller.environment.rawValue, user, "", file.id])
  }
}
