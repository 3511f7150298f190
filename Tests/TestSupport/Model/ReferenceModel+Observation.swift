import LocalCloudModel

/// The data that people see according to the model ([share-people-4], [share-window-2]).
extension ReferenceModel {
  /// All data that a person sees in a zone, as text; nil if the person does not have the zone.
  package func visible(to person: String, in zone: String) -> [String: String]? {
    seen(by: person, in: zone)?.mapValues(\.content)
  }

  /// The text with the version of its state. The version shows whether there are changes for a person.
  struct Observation: Sendable, Hashable {
    var content: String
    var version: Int
  }

  func seen(by person: String, in name: String) -> [String: Observation]? {
    guard let zone = zones[name], person == Self.owner || zone.windows[person] != nil else { return nil }
    var result: [String: Observation] = [:]
    for (name, record) in zone.records where person == Self.owner || zone.sees(person, zone.share(of: name)) {
      result[name] = Observation(content: Self.words(record), version: record.version)
    }
    for (name, share) in zone.shares where person == Self.owner || zone.sees(person, name) {
      result[name] = Observation(content: Self.words(share, for: person), version: share.version)
    }
    return result
  }

  package func isShare(_ name: String, in zone: String) -> Bool { zones[zone]?.shares[name] != nil }

  /// The number of times the person has got the zone; nil if they do not have it.
  package func opening(of person: String, in zone: String) -> Int? {
    person == Self.owner ? 1 : zones[zone]?.windows[person]
  }

  /// The name of a share's link; nil if there is no such share.
  package func link(of share: String, in zone: String) -> String? { zones[zone]?.shares[share]?.link }

  private static func words(_ record: Record) -> String {
    "'\(record.text)' below \(record.parent ?? "-"), shared as \(record.share ?? "-")"
  }

  /// In a public share, participants see the owner and themselves.
  private static func words(_ share: Share, for person: String) -> String {
    let people = share.people.filter { person == owner || share.open == .none || $0.person == person }.map {
      "\($0.person) \($0.isPublic ? "guest" : "member") \($0.access) \($0.isIn ? "in" : "invited")"
    }
    return "of \(share.root ?? "the zone"), public \(share.open): "
      + (["\(owner) owner readWrite in"] + people).joined(separator: ", ")
  }
}
