import LocalCloudModel
import LocalCloudStore

/// Permissions in the public database, according to the grants of record types ([record-public-1], [record-public-2]).
extension SchemaRecordType {
  /// Every caller, signed in or not.
  package static let world = "_world"
  /// Every caller with an account.
  package static let signedIn = "_icloud"
  /// The creator of the record.
  package static let creator = "_creator"

  /// Whether the grants of the type allow this. `record` nil: a record to be created.
  ///
  /// - Difference: no user is in a custom role (`CREATE ROLE`), as there is no console to assign users.
  package func allows(_ permission: Permission, to account: Account?, on record: StoredRecord?) -> Bool {
    Self.roles(of: account, to: record).contains { grants[$0]?.contains(permission) == true }
  }

  private static func roles(of account: Account?, to record: StoredRecord?) -> [String] {
    guard let account else { return [world] }
    let isCreator = record?.object["created"]?["userRecordName"]?.string == account.userRecordName
    return [world, signedIn] + (isCreator ? [creator] : [])
  }
}

extension Schema {
  /// Whether the grants of a type allow this. A type that does not exist yet has the grants of a type that its first
  /// record creates.
  func allows(
    _ permission: SchemaRecordType.Permission, type: String, to account: Account?, on record: StoredRecord?
  ) -> Bool {
    (types[type] ?? .justInTime).allows(permission, to: account, on: record)
  }
}

extension SchemaService {
  /// The schema with the grants for reading at this address; nil outside the public database, as only that one has
  /// grants.
  func grants(_ address: ZoneAddress, _ caller: Caller) throws -> Schema? {
    address.role == .publicUser ? try storedSchema(caller.container, caller.environment) : nil
  }
}

extension Schema? {
  func allowReading(_ record: StoredRecord, by account: Account?) -> Bool {
    self?.allows(.read, type: record.type, to: account, on: record) ?? true
  }
}
