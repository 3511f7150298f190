import CloudService
import CloudStore

/// Everything that people can see of the attacked cloud, as text, but for ids and times that a second try draws anew.
package struct AttackStory: Sendable, Hashable {
  package private(set) var lines: [String] = []
  /// What each change tag names.
  private(set) var named: [TagLedger.Name: String] = [:]

  static let feeds: [(account: String, scope: DatabaseScope)] = [
    ("alice", .private), ("bob", .shared), ("carol", .shared),
  ]

  package init(_ people: AttackPeople) throws {
    let service = people.service
    for account in try service.accounts() {
      lines.append("account \(account.name) \(account.emails) \(account.person.given ?? "") \(account.status)")
    }
    let devices = try service.cloud.folder("devices")
    for device in try devices.names(.directory) {
      for file in ["device.json", "identifiers.json"] {
        guard let object = try devices.read(device, file) else { continue }
        lines.append("device \(device) \(file) \(Self.text(object))")
      }
      let inbox = Inbox(of: FileName.decode(device) ?? device, in: service.cloud)
      for name in try inbox.names() {
        lines.append("device \(device) has \(name.fileName): \(try inbox.message(name)?["url"] ?? .null)")
      }
    }
    for (account, scope) in Self.feeds {
      for result in try service.zones(nil, in: scope, by: people.caller(account)) {
        let zone = try result.get().id
        lines.append("\(account) has \(zone.name)")
        if zone.name == ZoneIdentifier.defaultName { continue }
        let changes = try service.zoneChanges(
          ZoneChangesRequest(scope: scope, zone: zone), by: people.caller(account))
        for record in changes.changed.sorted(by: { $0.id.name < $1.id.name }) { add(record, "\(account) \(zone.name)") }
      }
    }
  }

  private mutating func add(_ record: Record, _ zone: String) {
    let fields = Self.text(record.object["fields"]?.object ?? [:])
    named[TagLedger.Name(zone: zone, record: record.id.name, tag: record.changeTag)] = fields
    lines.append("  " + Self.line(record))
  }

  static func line(_ record: Record) -> String {
    var object = record.object
    for key in ["modified", "created", "shortGUID", "participants", "owner", "url"] { object[key] = nil }
    let people = record.shareDetails?.participants.map { "\($0.role) \($0.acceptance)" } ?? []
    return text(object) + " \(people)"
  }

  private static func text(_ object: JSONObject) -> String {
    String(decoding: JSONValue.object(object).compact(), as: UTF8.self)
  }

  /// The lines of one that the other has not.
  func differences(from other: AttackStory) -> String {
    let (mine, theirs) = (Set(lines), Set(other.lines))
    return
      (lines.filter { !theirs.contains($0) }.map { "+ \($0)" }
      + other.lines.filter { !mine.contains($0) }.map { "- \($0)" }).joined(separator: "\n    ")
  }

  package static func == (left: AttackStory, right: AttackStory) -> Bool { left.lines == right.lines }

  package func hash(into hasher: inout Hasher) { hasher.combine(lines) }
}
