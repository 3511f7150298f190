/// The data that the owner sees in the zone, independent of the API.
package struct PermissionView: Sendable {
  package struct Note: Sendable {
    package var text: String
    package var parent: String?
    package var share: String?

    package init(_ text: String, parent: String? = nil, share: String? = nil) {
      (self.text, self.parent, self.share) = (text, parent, share)
    }
  }

  /// A participant. Role and permission have Apple's names.
  package struct Person: Sendable {
    package var name: String
    package var role: String
    package var permission: String
    package var isAccepted: Bool

    package init(_ name: String, _ role: String, _ permission: String, isAccepted: Bool) {
      (self.name, self.role, self.permission, self.isAccepted) = (name, role, permission, isAccepted)
    }
  }

  package struct Share: Sendable {
    package var name: String
    package var title: String?
    package var publicPermission: String
    package var people: [Person]

    package init(_ name: String, title: String? = nil, publicPermission: String, people: [Person]) {
      (self.name, self.title, self.publicPermission, self.people) = (name, title, publicPermission, people)
    }
  }

  package var notes: [String: Note] = [:]
  package var shares: [Share] = []

  package init() {}

  /// The differences between two views, in both directions.
  package static func differences(_ view: PermissionView?, _ expected: PermissionView?) -> [String] {
    let (seen, wanted) = (Set(view?.lines ?? ["no zone"]), Set(expected?.lines ?? ["no zone"]))
    return seen.subtracting(wanted).sorted().map { "the owner sees \($0)" }
      + wanted.subtracting(seen).sorted().map { "the owner does not see \($0)" }
  }

  /// One line for each record with all of its values.
  private var lines: [String] {
    notes.map { name, note in
      "\(name): \(note.text), parent \(note.parent ?? "none"), share \(note.share ?? "none")"
    }
      + shares.map { share in
        let people = share.people.map {
          "\($0.name) \($0.role) \($0.permission) \($0.isAccepted ? "accepted" : "pending")"
        }
        return "\(share.name): title \(share.title ?? "none"), public \(share.publicPermission), "
          + people.joined(separator: ", ")
      }
  }
}
