import CloudModel
import Storage

/// One record as it is to be imported.
struct ImportedRecord {
  var place: ImportPlace
  var name: ExactName
  var type: String
  /// As the line says; nil: it does not.
  var zone: ZoneIdentifier?
  var parent = ParentEdit.keep
  /// Nil value: the field is to go.
  var fields: [String: FieldValue?] = [:]
  var encryptedFields: [String: FieldValue?] = [:]
  /// Only for type `cloudkit.share`.
  var share: ImportedShare?

  /// The records that must be there before this one, or come with it.
  var needs: [ExactName] {
    if let share { return share.root.map { [$0] } ?? [] }
    let validated = fields.values.compactMap { $0 }.reduce(into: Set<ExactName>()) { $0.formUnion($1.validated) }
    let targets = validated.subtracting([name]).sorted()
    if case .set(let parent, _) = parent { return [parent] + targets }
    return targets
  }

  /// What it counts towards a request's size.
  var size: Int {
    (Array(fields) + Array(encryptedFields)).reduce(0) { $0 + $1.key.utf8.count + ($1.value?.size ?? 0) }
  }
}

/// The share-only part; nil is what a line leaves out.
struct ImportedShare {
  var root: ExactName?
  var publicPermission: SharePermission?
  var participants: [ImportedPerson]?
  var areRequestsAllowed: Bool?
  var blocked: [ImportedPerson]?
  var requesters: [ImportedPerson] = []
}

/// Somebody on one of a share's lists, by all that may tell who it is.
struct ImportedPerson {
  var identity: UserIdentity
  /// The name of an account.
  var account: String?
  var role = ParticipantRole.privateUser
  var permission = SharePermission.readOnly

  /// A place for whoever uses a link of its own first.
  var isNobody: Bool { account == nil && identity.userRecordName == nil && identity.lookup == nil }

  var name: String {
    switch identity.lookup {
    case .email(let address): address
    case .phone(let number): number
    case .userRecordName(let name): account ?? name
    case nil: account ?? identity.userRecordName ?? "somebody with a link of their own"
    }
  }
}
