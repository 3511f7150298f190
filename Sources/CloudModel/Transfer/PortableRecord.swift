import LocalCloudStorage

/// A record to be imported, from ``PortableForm`` or written by hand.
package struct PortableRecord {
  package var name: ExactName
  package var type: String
  /// The zone that the line names; nil if it names none.
  package var zone: ZoneIdentifier?
  package var parent = ParentEdit.keep
  /// The fields to set; a nil value removes the field.
  package var fields: [String: FieldValue?] = [:]
  package var encryptedFields: [String: FieldValue?] = [:]
  /// Only for type `cloudkit.share`.
  package var share: PortableShare?

  package init(name: ExactName, type: String, zone: ZoneIdentifier?) {
    self.name = name
    self.type = type
    self.zone = zone
  }

  /// The records that must exist before this one, or be imported with it.
  package var needs: [ExactName] {
    if let share { return share.root.map { [$0] } ?? [] }
    let validated = fields.values.compactMap { $0 }.reduce(into: Set<ExactName>()) { $0.formUnion($1.validated) }
    let targets = validated.subtracting([name]).sorted()
    if case .set(let parent, _) = parent { return [parent] + targets }
    return targets
  }

  /// The bytes that it counts towards a request's size.
  package var size: Int {
    (Array(fields) + Array(encryptedFields)).reduce(0) { $0 + $1.key.utf8.count + ($1.value?.size ?? 0) }
  }
}

/// The share-only part of a record; nil properties are those that the line leaves out.
package struct PortableShare {
  package var root: ExactName?
  package var publicPermission: SharePermission?
  package var participants: [PortablePerson]?
  package var areRequestsAllowed: Bool?
  package var blocked: [PortablePerson]?
  package var requesters: [PortablePerson] = []

  package init() {}
}

/// A person on one of a share's lists, with all data that may identify them.
package struct PortablePerson {
  package var identity: UserIdentity
  /// The local name of an account.
  package var account: String?
  package var role = ParticipantRole.privateUser
  package var permission = SharePermission.readOnly

  package init(identity: UserIdentity) { self.identity = identity }

  /// Whether the entry identifies no user: it is for the first user of a link of its own.
  package var isNobody: Bool { account == nil && identity.userRecordName == nil && identity.lookup == nil }

  package var name: String {
    switch identity.lookup {
    case .email(let address): address
    case .phone(let number): number
    case .userRecordName(let name): account ?? name
    case nil: account ?? identity.userRecordName ?? "somebody with a link of their own"
    }
  }
}

/// A problem of imported data, and its location in the data.
package struct PortableProblem: Error {
  /// The path of the key, for example `fields.age`; nil: the problem concerns the whole.
  package var key: String?
  /// The problem, and the expected value.
  package var message: String
  /// The known words that may have been meant, if the problem is an unknown word.
  package var known: [String] = []

  package init(_ message: String, key: String? = nil) {
    self.message = message
    self.key = key
  }
}
