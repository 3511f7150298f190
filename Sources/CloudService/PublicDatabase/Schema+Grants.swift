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

  /// Whether the grants of the type allow this.
  ///
  /// - Parameters:
  ///   - roles: the account's custom roles ([record-role-1]).
  ///   - record: nil for a record to be created.
  package func allows(
    _ permission: Permission, to account: Account?, with roles: Set<String> = [], on record: StoredRecord?
  ) -> Bool {
    func isGranted(to role: String) -> Bool { grants[role]?.contains(permission) == true }
    return Self.builtInRoles(of: account, to: record).contains(where: isGranted) || roles.contains(where: isGranted)
  }

  private static func builtInRoles(of account: Account?, to record: StoredRecord?) -> [String] {
    guard let account else { return [world] }
    let isCreator = record?.object["created"]?["userRecordName"]?.string == account.userRecordName
    return [world, signedIn] + (isCreator ? [creator] : [])
  }
}

extension Schema {
  /// Whether the grants of a type allow this. A type that does not exist yet has the grants of a type that its first
  /// record creates.
  ///
  /// - Parameters:
  ///   - account: nil for a caller without an account.
  ///   - caller: names the container and environment of the schema.
  ///   - record: nil for a record to be created.
  func allows(
    _ permission: SchemaRecordType.Permission, type: String, to account: Account?, _ caller: Caller,
    on record: StoredRecord?
  ) -> Bool {
    (types[type] ?? .justInTime).allows(
      permission, to: account, with: account?[rolesIn: caller] ?? [], on: record)
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
  func allowReading(_ record: StoredRecord, by account: Account?, _ caller: Caller) -> Bool {
    self?.allows(.read, type: record.type, to: account, caller, on: record) ?? true
  }
}
