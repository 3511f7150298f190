import LocalCloudStorage

/// The contents of a share record besides its fields.
package struct ShareDetails: Sendable, Hashable {
  package var publicPermission: SharePermission
  /// The owner first, then the others in the order of their addition.
  package var participants: [Participant]
  /// `https://www.icloud.com/share/<short GUID>#<title>`; nil in requests.
  package var url: String?
  /// Root of a hierarchical share; nil for a zone-wide one.
  package var root: ExactName?
  package var accessRequests: AccessRequests

  package init(
    publicPermission: SharePermission = .none, participants: [Participant] = [], url: String? = nil,
    root: ExactName? = nil, accessRequests: AccessRequests = AccessRequests()
  ) {
    self.publicPermission = publicPermission
    self.participants = participants
    self.url = url
    self.root = root
    self.accessRequests = accessRequests
  }
}

/// Users that request access to a share, and users that may not request it ([share-request-7]).
package struct AccessRequests: Sendable, Hashable {
  package var areAllowed = false
  package var requesters: [UserIdentity] = []
  package var blocked: [UserIdentity] = []

  package init() {}
}

/// A value that CloudKit knows by a number, and the Web Services by a word.
package protocol NumberedValue: CaseIterable {
  var number: Int { get }
}

extension NumberedValue {
  /// Nil for a number that no case has.
  package init?(number: Int) {
    guard let value = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = value
  }
}

/// A permission in a share. Raw values are those of the Web Services; ``number`` is CloudKit's.
package enum SharePermission: String, Sendable, NumberedValue {
  case unknown = "UNKNOWN"
  case none = "NONE"
  case readOnly = "READ_ONLY"
  case readWrite = "READ_WRITE"

  package var number: Int {
    switch self {
    case .unknown: 0
    case .none: 1
    case .readOnly: 2
    case .readWrite: 3
    }
  }
}

package enum ParticipantRole: String, Sendable, NumberedValue {
  case unknown = "UNKNOWN"
  case owner = "OWNER"
  case administrator = "ADMINISTRATOR"
  case privateUser = "USER"
  case publicUser = "PUBLIC_USER"

  package var number: Int {
    switch self {
    case .unknown: 0
    case .owner: 1
    case .administrator: 2
    case .privateUser: 3
    case .publicUser: 4
    }
  }
}

package enum AcceptanceStatus: String, Sendable, NumberedValue {
  case unknown = "UNKNOWN"
  case pending = "INVITED"
  case accepted = "ACCEPTED"
  case removed = "REMOVED"

  package var number: Int {
    switch self {
    case .unknown: 0
    case .pending: 1
    case .accepted: 2
    case .removed: 3
    }
  }
}

package struct Participant: Sendable, Hashable {
  /// The ID of the entry, created by the look-up; stable as long as the entry is on the list.
  package var participantID: String
  package var identity: UserIdentity
  package var role: ParticipantRole
  package var acceptance: AcceptanceStatus
  package var permission: SharePermission
  /// The last part of the link that admits its first user; nil for participants that are invited by name.
  package var shortGUID: String?
  /// Whether the invitation answered a request for access.
  package var isApprovedRequester = false
  /// The time of the entry's first save, in milliseconds since 1970.
  package var added: Int64?

  package init(
    participantID: String, identity: UserIdentity, role: ParticipantRole, acceptance: AcceptanceStatus,
    permission: SharePermission
  ) {
    self.participantID = participantID
    self.identity = identity
    self.role = role
    self.acceptance = acceptance
    self.permission = permission
  }
}

package struct UserIdentity: Sendable, Hashable {
  /// Nil until the identity is matched to an account.
  package var userRecordName: String?
  package var name: PersonName?
  package var lookup: LookupInfo?

  package init(userRecordName: String? = nil, name: PersonName? = nil, lookup: LookupInfo? = nil) {
    self.userRecordName = userRecordName
    self.name = name
    self.lookup = lookup
  }

  package var hasAccount: Bool { userRecordName != nil }

  /// Whether both have the same account or the same handle. Unknown identities match no other identity.
  package func isSamePerson(as other: UserIdentity) -> Bool {
    if let userRecordName, userRecordName == other.userRecordName { return true }
    return lookup != nil && lookup == other.lookup
  }
}

/// The handle for looking up or inviting a user.
package enum LookupInfo: Sendable, Hashable {
  case email(String)
  case phone(String)
  case userRecordName(String)
}

package struct PersonName: Sendable, Hashable {
  package var given: String?
  package var family: String?
  package var middle: String?
  package var prefix: String?
  package var suffix: String?
  package var nickname: String?

  package init(given: String? = nil, family: String? = nil) {
    self.given = given
    self.family = family
  }
}
