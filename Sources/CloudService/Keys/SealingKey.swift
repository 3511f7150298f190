import CloudStore
import Platform
import Storage

/// A key that values and other keys are sealed with: 256 bits.
struct SealingKey: Sendable, Hashable {
  let bytes: [UInt8]

  /// Nil for what is no key.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Cryptography.keySize else { return nil }
    self.bytes = bytes
  }
}

/// A key, and how many there were before it in its place. The first one's version is 1.
struct VersionedKey {
  var key: SealingKey
  var version: Int

  /// Nobody changes a list so often.
  static let versions = 1...(1 << 20)

  /// A version as files tell it; nil for what is none. The first is not named.
  static func version(_ value: JSONValue?) -> Int? {
    guard let value else { return 1 }
    return value.int.flatMap { versions.contains($0) ? $0 : nil }
  }
}

/// What something sealed is, and where it belongs. It opens nowhere else.
struct SealedPlace {
  let bytes: [UInt8]

  private init(_ what: String, in address: ZoneAddress, _ names: [String]) {
    let database = address.path.database
    let zone = [
      database.container.string, database.environment, address.identifier.owner ?? "", address.path.zone.string,
    ]
    // Each with its length, so that no two lists of names are the same bytes.
    bytes = ([what] + zone + names).flatMap { text in
      withUnsafeBytes(of: UInt32(text.utf8.count).littleEndian, Array.init) + Array(text.utf8)
    }
  }

  /// A field's value; `type` is the one that stands beside it.
  static func value(_ field: String, type: String, of record: ExactName, in zone: ZoneAddress) -> SealedPlace {
    SealedPlace("value", in: zone, [record.string, field, type])
  }

  static func zoneKey(of zone: ZoneAddress) -> SealedPlace { SealedPlace("zone key", in: zone, []) }

  /// A record's key, sealed with the zone's of that version, or for the owner.
  static func recordKey(_ record: ExactName, version: Int = 1, in zone: ZoneAddress) -> SealedPlace {
    SealedPlace("record key", in: zone, [record.string] + names(of: version))
  }

  /// A record's key, sealed with its parent's of that version.
  static func recordKey(
    _ record: ExactName, under parent: ExactName, version: Int, in zone: ZoneAddress
  ) -> SealedPlace {
    SealedPlace("record key under parent", in: zone, [record.string, parent.string] + names(of: version))
  }

  /// A record's key of that version, or the zone's, sealed with the one that took its place.
  static func earlierKey(_ version: Int, of record: ExactName?, in zone: ZoneAddress) -> SealedPlace {
    SealedPlace("earlier key", in: zone, [record?.string ?? "", String(version)])
  }

  private static func names(of version: Int) -> [String] { version == 1 ? [] : [String(version)] }

  /// A share's key, sealed for a person or a link.
  static func shareKey(_ share: ExactName, for whom: String, in zone: ZoneAddress) -> SealedPlace {
    SealedPlace("share key", in: zone, [share.string, whom])
  }

  /// The key of a share's root, or of the whole zone, of that version, sealed with the share's.
  static func shared(by share: ExactName, root: ExactName?, version: Int, in zone: ZoneAddress) -> SealedPlace {
    SealedPlace(
      root == nil ? "shared zone" : "shared root", in: zone,
      [share.string, root?.string ?? ""] + names(of: version))
  }
}
