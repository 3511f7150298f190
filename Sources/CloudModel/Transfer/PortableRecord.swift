import Storage

/// One record as it is to be imported: as ``PortableForm`` has it, or as somebody wrote it by hand.
package struct PortableRecord {
  package var name: ExactName
  package var type: String
  /// As the line says; nil: it does not.
  package var zone: ZoneIdentifier?
  package var parent = ParentEdit.keep
  /// Nil value: the field is to go.
  package var fields: [String: FieldValue?] = [:]
  package var encryptedFields: [String: FieldValue?] = [:]
  /// Only for type `cloudkit.share`.
  package var share: PortableShare?

  package init(name: ExactName, type: String, zone: ZoneIdentifier?) {
    self.name = name
    self.type = type
    self.zone = zone
  }

  /// The records that must be there before this one, or come with it.
  package var needs: [ExactName] {
    if let share { return share.root.map { [$0] } ?? [] }
    let validated = fields.values.compactMap { $0 }.reduce(into: Set<ExactName>()) { $0.formUnion($1.validated) }
    let targets = validated.subtracting([name]).sorted()
    if case .set(let parent, _) = parent { return [parent] + targets }
    return targets
  }

  /// What it counts towards a request's size.
  package var size: Int {
    (Array(fields) + Array(encryptedFields)).reduce(0) { $0 + $1.key.utf8.count + ($1.value?.size ?? 0) }
  }
}

/// The share-only part; nil is what a line leaves out.
package struct PortableShare {
  package var root: ExactName?
  package var publicPermission: SharePermission?
  package var participants: [PortablePerson]?
  package var areRequestsAllowed: Bool?
  package var blocked: [PortablePerson]?
  package var requesters: [PortablePerson] = []

  package init() {}
}

/// Somebody on one of a share's lists, by all that may tell who it is.
package struct PortablePerson {
  package var identity: UserIdentity
  /// The name of an account.
  package var account: String?
  package var role = ParticipantRole.privateUser
  package var permission = SharePermission.readOnly

  package init(identity: UserIdentity) { self.identity = identity }

  /// A place for whoever uses a link of its own first.
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

/// What is wrong with something that is to be imported, and where in it.
package struct PortableProblem: Error {
  /// `fields.age`; nil: the thing as a whole.
  package var key: String?
  /// What is wrong, and what was expected.
  package var message: String
  /// The words that may have been meant, where it is about an unknown one.
  package var known: [String] = []

  package init(_ message: String, key: String? = nil) {
    self.message = message
    self.key = key
  }
}
