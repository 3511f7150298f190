import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// All data of the cloud that users can see, as text, without identifiers and times that a second attempt changes.
package struct FaultRunScenario: Sendable, Hashable {
  package private(set) var lines: [String] = []
  /// The contents that each change tag names.
  private(set) var named: [TagLedger.Name: String] = [:]
  /// The results of queries by the beginnings of their lines.
  private var finds: [String: (found: [ExactName], unread: [ExactName])] = [:]

  static let feeds: [(account: String, scope: DatabaseScope)] = [
    ("alice", .private), ("bob", .shared), ("carol", .shared), ("frank", .shared), ("gina", .private),
  ]

  /// Reads the cloud. `note` is a record to leave out.
  package init(_ people: FaultRunPeople, but note: ExactName? = nil) throws {
    let service = people.service
    let (accounts, unread) = try service.accounts.listAccounts()
    for failure in unread { lines.append("somebody can't read \(failure.name): \(failure.error.message)") }
    for account in accounts {
      let tokens = try service.cloud.folder(Account.folder).read(Account.file(of: account.name))?["webAuthTokens"]
      lines.append(
        "account \(account.name) \(account.emails) \(account.person.given ?? "") \(account.status) "
          + "\(account.permissions) \(tokens == nil ? "" : "has a token")")
    }
    for device in try service.devices.list() { lines.append("device \(device.name) of \(device.account ?? "nobody")") }
    let devices = try service.cloud.folder("devices")
    for device in try devices.names(.directory) {
      if let object = try devices.read(device, "identifiers.json") {
        lines.append("device \(device) identifiers.json \(Self.text(object))")
      }
      let inbox = Inbox(of: FileName.decode(device) ?? device, in: service.cloud)
      for name in try inbox.names() {
        lines.append("device \(device) has \(name.fileName): \(try inbox.message(name)?["url"] ?? .null)")
      }
      let operations = LongLivedOperationStore(of: FileName.decode(device) ?? device, in: service.cloud)
      for id in try operations.ids() {
        guard try operations.request(id) != nil else { continue }
        lines.append("device \(device) keeps \(id), which is over: \(try operations.answers(id) != nil)")
      }
    }
    try addPublic(people)
    for (account, scope) in Self.feeds {
      for result in try service.zones.list(nil, in: scope, by: people.caller(account)) {
        let zone = try result.get().id
        lines.append("\(account) has \(zone.name)")
        if zone.name == ZoneIdentifier.defaultName { continue }
        let changes = try service.feeds.zoneChanges(
          ZoneChangesRequest(scope: scope, zone: zone, withAssets: true), by: people.caller(account))
        for failure in changes.failed {
          lines.append("  \(account) can't read \(failure.record.name): \(failure.error.message)")
        }
        for record in changes.changed.sorted(by: { $0.id.name < $1.id.name }) where record.id.name != note {
          try add(record, "\(account) \(zone.name)")
        }
      }
    }
    try addQueries(people, but: note)
    try addPushes(people)
  }

  /// Adds the results of queries that use an index: by a filter, and by a sort order.
  private mutating func addQueries(_ people: FaultRunPeople, but note: ExactName?) throws {
    for zone in [FaultRunPeople.zone, FaultRunPeople.notified] {
      for (text, query) in FaultRunPeople.queries {
        let beginning = "alice finds \(text) in \(zone.name): "
        do {
          var (found, unread) = try people.names(query, in: zone)
          found.removeAll { $0 == note }
          finds[beginning] = (found, unread)
          lines.append(beginning + "\(found)" + (unread.isEmpty ? "" : ", and can't read \(unread)"))
        } catch let error as ServiceError {
          lines.append(beginning + "\(error.code)")
        }
      }
    }
  }

  /// Adds subscriptions and pushes. It runs after the zones are read, because reading a zone delivers the pushes of a
  /// commit whose process was killed.
  private mutating func addPushes(_ people: FaultRunPeople) throws {
    for (account, scope) in Self.feeds + [("alice", .public)] {
      for result in try people.service.subscriptions.list(nil, in: scope, by: people.caller(account)) {
        lines.append("\(account) has subscribed to \(scope.name): \(Self.text(try result.get().object))")
      }
    }
    for (device, account) in [
      ("alice-device", "alice"), ("tablet", "alice"), ("frank-device", "frank"), ("gina-device", "gina"),
      ("pad", "gina"),
    ] {
      var caller = people.caller(account)
      caller.device = device
      let (pushes, taken) = try people.service.pushes.list(by: caller)
      for push in pushes {
        let record = push.userInfo["ck"]?["qry"]?["rid"]?.string ?? ""
        lines.append(
          "\(device) was told \(push.sequence): \(push.subscriptionID) of \(push.zone.name) \(record)")
      }
      lines.append("\(device) took \(taken)")
    }
  }

  /// Adds the records of the public database. That database has no feed.
  private mutating func addPublic(_ people: FaultRunPeople) throws {
    let query = QueryRecordsRequest(scope: .public, zone: nil, recordType: "Note")
    let answer = try people.service.queries.queryRecords(query, by: people.caller("bob"))
    for failure in answer.failed { lines.append("  bob can't read \(failure.record.name): \(failure.error.message)") }
    for record in answer.records { try add(record, "public") }
  }

  private mutating func add(_ record: Record, _ zone: String) throws {
    let fields = Self.text(record.object["fields"]?.object ?? [:])
    named[TagLedger.Name(zone: zone, record: record.id.name, tag: record.changeTag)] = fields
    lines.append("  " + Self.line(record))
    for asset in record.fields.sorted(by: { $0.key < $1.key }).flatMap(\.value.assets) {
      lines.append("    holds \(String(decoding: try asset.bytes(), as: UTF8.self))")
    }
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

  /// The lines that only one of the two states has.
  func differences(from other: FaultRunScenario) -> String {
    let (mine, theirs) = (Set(lines), Set(other.lines))
    return
      (lines.filter { !theirs.contains($0) }.map { "+ \($0)" }
      + other.lines.filter { !mine.contains($0) }.map { "- \($0)" }).joined(separator: "\n    ")
  }

  /// Lines that were read while a call failed and that are neither true nor report a read error.
  func falsehoods(about truth: FaultRunScenario) -> [String] {
    let strange = lines.filter { !truth.lines.contains($0) }
    let errors = strange.filter { $0.contains(" can't read ") || $0.hasPrefix("alice finds ") && !$0.hasSuffix("]") }
    let wrong = strange.filter { !errors.contains($0) }.map { "told in spite of an error: \($0)" }
    let missing = errors.isEmpty ? truth.lines.filter { !lines.contains($0) } : []
    // An answer that lists unreadable records must contain all other records.
    let short = finds.filter { beginning, answer in
      guard !answer.unread.isEmpty, let all = truth.finds[beginning]?.found else { return false }
      return all.filter { !answer.unread.contains($0) } != answer.found
    }
    return wrong + missing.map { "left out without an error: \($0)" }
      + short.map { "found beside what can't be read: \($0)\($1.found)" }
  }

  package static func == (left: FaultRunScenario, right: FaultRunScenario) -> Bool { left.lines == right.lines }

  package func hash(into hasher: inout Hasher) { hasher.combine(lines) }
}

/// Records the contents that each change tag names, and reports a tag that names different contents.
package struct TagLedger: Sendable {
  package struct Name: Sendable, Hashable {
    var zone: String
    var record: ExactName
    var tag: String
  }

  private var contents: [Name: String] = [:]
  package private(set) var problems: [String] = []

  package init() {}

  package mutating func add(_ scenario: FaultRunScenario) {
    for (name, content) in scenario.named {
      if let before = contents.updateValue(content, forKey: name), before != content {
        problems.append("the tag \(name.tag) of \(name.record) named \(before) and names \(content)")
      }
    }
  }
}
