import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

extension CorruptionCase {
  mutating func look(_ service: CloudService, _ when: String, isRepaired: Bool = false, isMended: Bool = false) {
    for (place, records) in stage.truth.records {
      let names = records.keys.sorted()
      for (name, answer) in zip(names, fetch(names, place, service)) {
        if case .failure(let error) = answer { note(error, "\(when), \(name)") }
        if case .failure = answer, place.scope != .shared, !isRepaired {
          unreadable.insert(scope.path(of: name, place))
        }
        let allowed =
          isMended ? .none : allowance(place, name, records[name], isRepaired: isRepaired)
        if let problem = problem(answer, allowed, records[name], isMended || isRepaired) {
          problems.append("\(when): \(place.account), '\(name)' of \(place.folder): \(problem)")
        }
        if case .failure = answer, !isMended, isRepaired || !scope.isReplayHindered(place) {
          lookAtPlainFields(place, name, records[name], service, when)
        }
      }
    }
  }

  private func allowance(
    _ place: CorruptionTruth.Place, _ name: ExactName, _ entry: CorruptionTruth.Entry?, isRepaired: Bool
  ) -> CorruptionAllowance {
    scope.allowance(place, name, entry, isRepaired: isRepaired, lost: unreadable.contains(file.text))
  }

  private func fetch(
    _ names: [ExactName], _ place: CorruptionTruth.Place, _ service: CloudService, keys: [String]? = nil
  ) -> [Result<Record, ServiceError>] {
    let request = FetchRecordsRequest(
      scope: place.scope, records: names.map { RecordIdentifier(name: $0, zone: place.zone) }, desiredKeys: keys)
    do { return try service.records.fetchRecords(request, by: CorruptionTruth.caller(place.account)) } catch {
      return names.map { _ in .failure(error) }
    }
  }

  /// The problem with an answer; nil if it equals the truth or if the harm explains the difference.
  private func problem(
    _ answer: Result<Record, ServiceError>, _ allowed: CorruptionAllowance, _ truth: CorruptionTruth.Entry?,
    _ isLater: Bool
  ) -> String? {
    switch answer {
    case .failure(let error):
      let isDamage = error.cause == .damage || error.cause == .storage
      return (isDamage ? allowed.fails : allowed.isGone) ? nil : "can't be read: \(error.message)"
    case .success(let record):
      guard let truth, !allowed.isOther else { return nil }
      var parts = truth.differences(from: CorruptionTruth.Entry(record)).subtracting(allowed.parts)
      // Repair announces a record by a new change tag.
      if isLater { parts.remove(.tag) }
      return parts.isEmpty ? nil : "is another: \(parts)"
    }
  }

  /// Checks that plain fields can be read without a key.
  private mutating func lookAtPlainFields(
    _ place: CorruptionTruth.Place, _ name: ExactName, _ truth: CorruptionTruth.Entry?, _ service: CloudService,
    _ when: String
  ) {
    guard file.kind == .key || file.kind == .keychain, let truth, !truth.encryptedFields.isEmpty else { return }
    switch fetch([name], place, service, keys: truth.fields.keys.sorted())[0] {
    case .failure(let error) where error.isEncryptedDataReset: break
    case .failure(let error): problems.append("\(when): plain fields of '\(name)': \(error.message)")
    case .success(let record):
      if record.fields != truth.fields { problems.append("\(when): other plain fields of '\(name)'") }
    }
  }

  /// Checks that an asset that can be read has all of its bytes, unchanged.
  mutating func lookAtAssets(_ service: CloudService, _ when: String, isRepaired: Bool = false) {
    for (place, records) in stage.truth.records {
      let names = records.keys.sorted()
      let request = FetchRecordsRequest(
        scope: place.scope, records: names.map { RecordIdentifier(name: $0, zone: place.zone) },
        desiredKeys: ["picture"], withAssets: true)
      guard let answers = try? service.records.fetchRecords(request, by: CorruptionTruth.caller(place.account)) else {
        continue
      }
      for (name, answer) in zip(names, answers) {
        guard case .success(let record) = answer, let asset = record.fields["picture"]?.assets.first else { continue }
        let allowed = allowance(place, name, records[name], isRepaired: isRepaired)
        do throws(ServiceError) {
          let bytes = try asset.bytes()
          if asset.name.flatMap({ stage.truth.contents[$0] }) != bytes {
            problems.append("\(when): \(place.account) gets other bytes of '\(name)' in \(place.folder)")
          }
        } catch {
          // If the record names another asset, that asset is missing.
          if allowed.parts.contains(.field("picture")) || allowed.isOther { continue }
          note(error, "\(when), the asset of \(name)")
          let isIt = file.kind == .asset && file.zone == place.folder
          if !isIt, !allowed.fails {
            problems.append("\(when): \(place.account) can't read the asset of '\(name)': \(error.message)")
          }
        }
      }
    }
  }

  // MARK: Feeds and queries

  mutating func ask(_ service: CloudService) {
    for (place, records) in stage.truth.records {
      let caller = CorruptionTruth.caller(place.account)
      // Reads the feed from the beginning and from a token of before the harm. The public database has no feed.
      if place.scope != .public {
        expect("feed", place, records, Set(records.keys)) { try Self.feed(place, since: nil, service, caller) }
        let token = stage.truth.tokens[place]
        expect("feed since", place, records, stage.truth.later[place] ?? []) {
          try Self.feed(place, since: token, service, caller)
        }
      }
      if place.scope != .public { askForZones(place, service) }
      let items = Set(records.filter { $0.value.type == "Item" }.keys)
      expect("query", place, records, items) {
        let query = QueryRecordsRequest(scope: place.scope, zone: place.zone, recordType: "Item")
        let response = try service.queries.queryRecords(query, by: caller)
        return (response.records, response.failed.map { ($0.record.name, $0.error) })
      }
    }
    answer("accounts") { try service.accounts.listAccounts() }
    answer("contents") { try service.checks.contents() }
    answer("inbox") {
      let inbox = try service.devices.inbox(of: CorruptionTruth.caller("carol"))
      return try inbox.names().map { try inbox.hold($0)?.object }
    }
    askForOperations(service)
    for (account, scope) in [("alice", DatabaseScope.private), ("bob", .shared), ("carol", .public)] {
      answer("subscriptions") { try service.subscriptions.list(nil, in: scope, by: CorruptionTruth.caller(account)) }
    }
    answer("schema") { try service.schemas.schema(by: CorruptionTruth.caller("alice")) }
  }

  private static func feed(
    _ place: CorruptionTruth.Place, since: String?, _ service: CloudService, _ caller: Caller
  ) throws -> (records: [Record], failed: [(ExactName, ServiceError)]) {
    var (records, failed): ([Record], [(ExactName, ServiceError)]) = ([], [])
    var token = since
    for _ in 0..<100 {
      let request = ZoneChangesRequest(scope: place.scope, zone: place.zone, since: token)
      let changes = try service.feeds.zoneChanges(request, by: caller)
      records += changes.changed
      failed += changes.failed.map { ($0.record.name, $0.error) }
      if !changes.moreComing { return (records, failed) }
      token = changes.token
    }
    throw ServiceError(.internalError, "the feed does not end")
  }

  /// Checks an answer: it contains every existing record unchanged. Otherwise the harm explains the error, or the token
  /// has expired.
  private mutating func expect(
    _ what: String, _ place: CorruptionTruth.Place, _ records: [ExactName: CorruptionTruth.Entry],
    _ names: Set<ExactName>,
    _ body: () throws -> (records: [Record], failed: [(ExactName, ServiceError)])
  ) {
    let what = "\(what) of \(place.account) in \(place.folder)"
    let (found, failed): ([Record], [(ExactName, ServiceError)])
    do { (found, failed) = try body() } catch {
      let error = ServiceError(describing: error)
      note(error, what)
      if error.code == .changeTokenExpired { return }
      let isGone = names.contains { allowance(place, $0, records[$0], isRepaired: false).isGone }
      if !isGone, !scope.mayFailToTell(place) { problems.append("\(what) fails: \(error.message)") }
      return
    }
    for (name, error) in failed { note(error, "\(what), \(name)") }
    let answers: [ExactName: Result<Record, ServiceError>] = Dictionary(
      found.map { ($0.id.name, .success($0)) } + failed.map { ($0.0, .failure($0.1)) },
      uniquingKeysWith: { first, _ in first })
    for name in names.sorted() {
      let allowed = allowance(place, name, records[name], isRepaired: false)
      guard let answer = answers[name] else {
        if !allowed.isGone, !allowed.isOther, !allowed.parts.contains(.type) {
          problems.append("\(what) does not name '\(name)'")
        }
        continue
      }
      if let problem = problem(answer, allowed, records[name], false) {
        problems.append("\(what): '\(name)' \(problem)")
      }
    }
  }

  private mutating func askForZones(_ place: CorruptionTruth.Place, _ service: CloudService) {
    let what = "zones of \(place.account), \(place.scope.name)"
    do {
      let request = DatabaseChangesRequest(scope: place.scope)
      let changed = try service.feeds.databaseChanges(request, by: CorruptionTruth.caller(place.account)).changed
      if !changed.contains(where: { $0.name == place.zone.name }), !scope.mayHide(place) {
        problems.append("\(what): '\(place.zone.name)' is not named")
      }
    } catch {
      note(error, what)
      if !scope.mayFailToList(place) { problems.append("\(what) fail: \(error.message)") }
    }
  }

  private mutating func askForOperations(_ service: CloudService) {
    let caller = CorruptionTruth.caller("carol")
    answer("operations") { try service.devices.operationIDs(by: caller) }
    for id in ["00000000000000C0", "00000000000000C1"] {
      answer("operation") { try service.devices.storedOperation(id, by: caller) }
      answer("operation's answers") { try service.devices.holdOperation(id, by: caller)?.answers }
    }
  }

  private mutating func answer(_ what: String, _ body: () throws -> some Any) {
    do { _ = try body() } catch { note(ServiceError(describing: error), what) }
  }
}
