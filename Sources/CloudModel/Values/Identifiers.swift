import LocalCloudStorage

/// A zone, named by its name and its owner.
///
/// `owner` is the owner's user record name; nil and `__defaultOwner__` both mean the caller. The service's answers
/// always hold the owner's user record name ([record-json-4]).
package struct ZoneIdentifier: Sendable, Hashable, CustomStringConvertible {
  package var name: ExactName
  package var owner: String?

  package init(name: ExactName, owner: String? = nil) {
    self.name = name
    self.owner = owner
  }

  package static let defaultName: ExactName = "_defaultZone"
  package static let currentUser = "__defaultOwner__"
  package static let `default` = ZoneIdentifier(name: defaultName)

  package var description: String { owner.map { "\(name):\($0)" } ?? "\(name)" }

  /// Whether the zone belongs to the account, in any of the three spellings of its own zones ([zone-owner-1]).
  package func isOwn(of account: Account?) -> Bool {
    owner == nil || owner == Self.currentUser || owner == account?.userRecordName
  }
}

/// A record in a zone.
package struct RecordIdentifier: Sendable, Hashable, CustomStringConvertible {
  package var name: ExactName
  package var zone: ZoneIdentifier

  package init(name: ExactName, zone: ZoneIdentifier = .default) {
    self.name = name
    self.zone = zone
  }

  package var description: String { "\(name) in \(zone)" }
}
