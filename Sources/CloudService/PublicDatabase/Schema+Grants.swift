import CloudModel
import CloudStore

/// Who may do what in the public database, by the grants of record types ([record-public-1], [record-public-2]).
extension SchemaRecordType {
  /// Everybody, signed in or not.
  package static let world = "_world"
  /// Everybody with an account.
  package static let signedIn = "_icloud"
  /// Who made the record.
  package static let creator = "_creator"

  /// `record` nil: one that is to be made.
  ///
  /// - Difference: nobody is in a role of one's own (`CREATE ROLE`), as there is no console to put people there.
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
  /// A type that is not there yet is made with its first record, and has the grants of one that is made so.
  func allows(
    _ permission: SchemaRecordType.Permission, type: String, to account: Account?, on record: StoredRecord?
  ) -> Bool {
    (types[type] ?? .justInTime).allows(permission, to: account, on: record)
  }
}

extension SchemaService {
  /// Whose grants decide what may be read at this address: only the public database has any.
  func grants(_ address: ZoneAddress, _ caller: Caller) throws -> Schema? {
    address.role == .publicUser ? try storedSchema(caller.container, caller.environment) : nil
  }
}

extension Schema? {
  func allowReading(_ record: StoredRecord, by account: Account?) -> Bool {
    self?.allows(.read, type: record.type, to: account, on: record) ?? true
  }
}
