/// One action of one person in one of Alice's zones.
package struct ModelStep: Codable, Hashable, Sendable, CustomStringConvertible {
  package enum Access: Int, Codable, Sendable, CaseIterable {
    case none, readOnly, readWrite
  }

  package enum Parent: Codable, Hashable, Sendable {
    case keep
    case clear
    case below(String)
  }

  package enum Action: Codable, Hashable, Sendable {
    case save(record: String, parent: Parent, text: String)
    /// Deletes records in one batch.
    case delete([String])
    /// Creates a share. If `root` is nil, it shares the whole zone.
    case share(root: String?, name: String, open: Access, invited: [String: Access])
    case invite(share: String, person: String, Access)
    case permit(share: String, person: String, Access)
    /// Removes a person from the list, or oneself.
    case remove(share: String, person: String)
    /// Changes the public permission.
    case open(share: String, Access)
    /// Accepts a share by its link, in the form of ``ReferenceModel``.
    case accept(link: String)
    case leaveZone
  }

  package var person: String
  package var zone: String
  package var action: Action

  package var description: String { "\(person) in \(zone): \(action)" }
}

extension ModelStep.Action: CustomStringConvertible {
  package var description: String {
    switch self {
    case .save(let record, .keep, let text): "save \(record) '\(text)'"
    case .save(let record, .clear, let text): "save \(record) '\(text)' without parent"
    case .save(let record, .below(let parent), let text): "save \(record) '\(text)' below \(parent)"
    case .delete(let names): "delete \(names.joined(separator: " "))"
    case .share(let root, let name, let open, let invited):
      "share \(root ?? "the zone") as \(name), public \(open), with "
        + invited.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    case .invite(let share, let person, let access): "invite \(person) to \(share) \(access)"
    case .permit(let share, let person, let access): "permit \(person) in \(share) \(access)"
    case .remove(let share, let person): "remove \(person) from \(share)"
    case .open(let share, let access): "open \(share) \(access)"
    case .accept(let link): "accept \(link)"
    case .leaveZone: "leave the zone"
    }
  }
}
