import LocalCloudModel

/// One person's local copy of the database, as an app stores it between fetches: the known zones, their records, and
/// the tokens. Tokens of deleted zones are retained, so that they can be tried again.
struct ModelCopy {
  var databaseToken: String?
  var zones: Set<String> = []
  var tokens: [String: String] = [:]
  var records: [String: [String: String]] = [:]
}

extension Record {
  /// Describes the record in the form that ``ReferenceModel`` uses.
  var modelText: String {
    guard let shareDetails else {
      var text = ""
      if case .string(let value)? = fields["text"] { text = value }
      return "'\(text)' below \(parent?.string ?? "-"), shared as \(share?.string ?? "-")"
    }
    let people = shareDetails.participants.map { participant in
      let name = participant.identity.name?.given?.lowercased() ?? "somebody"
      return "\(name) \(participant.role.modelText) \(participant.permission.modelText) "
        + (participant.acceptance == .accepted ? "in" : "invited")
    }
    return "of \(shareDetails.root?.string ?? "the zone"), public \(shareDetails.publicPermission.modelText): "
      + people.joined(separator: ", ")
  }
}

extension ParticipantRole {
  fileprivate var modelText: String {
    switch self {
    case .owner: "owner"
    case .privateUser: "member"
    case .publicUser: "guest"
    case .administrator, .unknown: "\(self)"
    }
  }
}

extension SharePermission {
  fileprivate var modelText: String { "\(self)" }
}
