import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Names in the cloud, for completion.
struct CloudNames {
  /// The largest number of names.
  private static let limit = 200
  /// The largest number of records that are read to find names.
  private static let recordLimit = 2000

  private let context: CommandContext
  /// The beginning of the names.
  private let start: String

  init(_ context: CommandContext, start: String) {
    self.context = context
    self.start = start
  }

  func candidates(_ kind: CompletionKind) throws -> [Completion.Candidate] {
    var found: [Completion.Candidate] = []
    switch kind {
    case .none, .file, .folder, .command: break
    case .account:
      for account in try service().accounts.listAccounts().accounts {
        found.append(.init(word: account.name, note: account.emails.first ?? ""))
      }
    case .device:
      for device in try service().devices.list() { found.append(.init(word: device.name, note: device.account ?? "")) }
    case .container:
      for container in Set(try service().checks.contents().map(\.container)) { found.append(.init(word: container)) }
    case .role:
      let session = try context.session(as: .administrator).uncounted()
      found = try session.service.schemas.schema(by: session.caller).roles.map { .init(word: $0) }
    case .zone:
      let session = try session()
      let people = try People(session)
      for zone in try session.service.zones.list(nil, in: scope, by: session.caller).compactMap({ try? $0.get() }) {
        found.append(.init(word: zone.id.name.string, note: people.account(zone.id.owner ?? "") ?? ""))
      }
    case .snapshot:
      for snapshot in try service().snapshots.list() {
        found.append(.init(word: snapshot.name, note: Timestamp.text(milliseconds: snapshot.created)))
      }
    case .subscription:
      let session = try session()
      for subscription in try session.service.subscriptions.list(nil, in: scope, by: session.caller) {
        if let subscription = try? subscription.get() {
          found.append(.init(word: subscription.id, note: subscription.typeName))
        }
      }
    case .record: found = try records { [.init(word: $0.id.name.string, note: $0.type)] }
    case .share:
      found = try records(type: Record.shareType) { share in
        let name = share.id.name.string
        let own = Completion.Candidate(word: name, note: "share")
        guard let root = share.shareDetails?.root else { return [own] }
        return [own, Completion.Candidate(word: root.string, note: "shared as \(name)")]
      }
    }
    return Array(found.filter(isWanted).sorted { $0.word < $1.word }.prefix(Self.limit))
  }

  private func isWanted(_ candidate: Completion.Candidate) -> Bool { candidate.word.utf8.starts(with: start.utf8) }

  private func service() throws -> CloudService { try context.session(as: .administrator).uncounted().service }

  /// A session that does not sign in on a new device.
  private func session() throws -> Session { try context.session(as: .onlooker).uncounted() }

  private var owner: String? { context[ZoneOptions.owner] }
  private var scope: DatabaseScope { context.scope(standard: owner == nil ? .private : .shared) }

  private func records(
    type: String? = nil, _ names: (Record) -> [Completion.Candidate]
  ) throws -> [Completion.Candidate] {
    let session = try session()
    let zone = try session.zone(named: context[ZoneOptions.zoneName("")], owner: owner, in: scope)
    var found: [Completion.Candidate] = []
    var count = 0
    try session.forEachRecord(in: zone, scope, type: type, by: session.caller) { record in
      count += 1
      if let record { found += names(record).filter(isWanted) }
      return count < Self.recordLimit && found.count < Self.limit
    }
    return found
  }
}

extension Session {
  /// Calls `body` for the records of a zone, with nil for a record that can't be read, until it returns false.
  func forEachRecord(
    in zone: ZoneIdentifier, _ scope: DatabaseScope, type: String? = nil, by caller: Caller, _ body: (Record?) -> Bool
  ) throws(ServiceError) {
    var request = ListRecordsRequest(scope: scope, zone: zone, type: type)
    repeat {
      let page = try service.records.listRecords(request, by: caller)
      for record in page.records where !body(record) { return }
      for _ in page.failed where !body(nil) { return }
      request.after = page.next
    } while request.after != nil
  }
}
