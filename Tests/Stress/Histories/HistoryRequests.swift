import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import TestSupport

/// The result of a request, and an error that no request of ``HistoryRun`` may have.
struct HistoryAnswer {
  var result: HistoryResult
  var trouble: String?
}

/// The requests of a client of ``HistoryRun`` to the service, with their results as histories have them.
struct HistoryRequests {
  /// The errors of the fault rules of ``HistoryFaults``, and those of the requests themselves. None has an effect.
  private static let refusals: Set<ServiceError.Code> = [
    .zoneBusy, .requestRateLimited, .serviceUnavailable, .networkFailure, .serverRecordChanged, .unknownItem,
    .batchRequestFailed, .zoneNotFound, .changeTokenExpired,
  ]
  private static let field = "value"
  /// So that feeds have several pages.
  private static let pageLimit = 3

  private let service: CloudService
  private let account: String
  private let caller: Caller
  private let alice: String

  init(root: String, account: String, alice: String) throws {
    (self.account, self.alice) = (account, alice)
    caller = Caller(account: account, container: TemporaryCloud.container)
    var settings = ServiceSettings()
    // A request never gives up because of the load.
    settings.lockTimeout = 600
    let cloud = try CloudService.openCloud(root)
    settings.interceptor.faults = FaultSwitch(in: cloud, settings)
    service = CloudService(cloud: cloud, settings: settings)
  }

  private func identifier(_ zone: HistoryZone) -> ZoneIdentifier { zone.identifier(for: account, alice: alice) }

  private func identifier(_ record: String, _ zone: HistoryZone) -> RecordIdentifier {
    RecordIdentifier(name: ExactName(record), zone: identifier(zone))
  }

  // MARK: Records

  /// Saves and deletes records in one atomic batch.
  ///
  /// - Parameter tags: the change tags by record, of the versions in the writes' conditions.
  func write(
    _ zone: HistoryZone, _ writes: [HistoryWrite], isForced: Bool, tags: [String: String]
  ) -> HistoryAnswer {
    let saves = writes.compactMap { write in
      write.value.map { value in
        RecordSave(
          id: identifier(write.record, zone), type: HistoryZone.recordType, changeTag: tags[write.record],
          fields: [Self.field: .string(value)])
      }
    }
    let deletes = writes.filter { $0.value == nil }.map { identifier($0.record, zone) }
    let request = ModifyRecordsRequest(
      scope: zone.scope(for: account), saves: saves, deletes: deletes,
      policy: isForced ? .allKeys : .ifServerRecordUnchanged)
    return answer {
      let response = try service.records.modifyRecords(request, by: caller)
      var (versions, seen, errors) = ([HistoryVersion](), [HistoryVersion](), [ServiceError]())
      for (save, result) in zip(saves, response.saves) {
        switch result {
        case .success(let record): versions.append(version(record))
        case .failure(let error):
          errors.append(error)
          if error.code == .serverRecordChanged, let record = error.serverRecord { seen.append(version(record)) }
          if error.code == .unknownItem { seen.append(HistoryVersion(save.id.name.string, nil)) }
        }
      }
      for case .failure(let error) in response.deletes { errors.append(error) }
      return errors.isEmpty ? HistoryAnswer(result: .done(versions)) : failure(errors, seen: seen)
    }
  }

  /// Fetches records. A record that fails by a fault rule is not in the result.
  func read(_ zone: HistoryZone, _ records: [String]) -> HistoryAnswer {
    let request = FetchRecordsRequest(
      scope: zone.scope(for: account), records: records.map { identifier($0, zone) })
    return answer {
      let results = try service.records.fetchRecords(request, by: caller)
      if results.count != records.count {
        return HistoryAnswer(result: .unknown, trouble: "\(results.count) results for \(records)")
      }
      var (versions, errors) = ([HistoryVersion](), [ServiceError]())
      for (record, result) in zip(records, results) {
        switch result {
        case .success(let stored): versions.append(version(stored))
        case .failure(let error) where error.code == .unknownItem: versions.append(HistoryVersion(record, nil))
        case .failure(let error): errors.append(error)
        }
      }
      let isMissing = errors.contains { $0.code == .zoneNotFound }
      var answer = errors.isEmpty ? HistoryAnswer(result: .done([])) : failure(errors)
      if !isMissing, !versions.isEmpty { answer.result = .done(versions) }
      return answer
    }
  }

  private func version(_ record: Record) -> HistoryVersion {
    var value = "?"
    if case .string(let text)? = record.fields[Self.field] { value = text }
    return HistoryVersion(record.id.name.string, value, tag: record.changeTag)
  }

  // MARK: Feeds and zones

  /// Reads a page of a zone's feed, and sets the token for the next one.
  func readFeed(_ zone: HistoryZone, since token: String?, next: inout String?) -> HistoryAnswer {
    let request = ZoneChangesRequest(
      scope: zone.scope(for: account), zone: identifier(zone), since: token, limit: Self.pageLimit)
    return answer {
      let page = try service.feeds.zoneChanges(request, by: caller)
      next = page.token
      let changed = page.changed.filter { $0.type == HistoryZone.recordType }.map(version)
      let deleted = page.deleted.filter { $0.type == HistoryZone.recordType }.map(\.record.name.string)
      return HistoryAnswer(
        result: .page(changed: changed, deleted: deleted, moreComing: page.moreComing),
        trouble: page.failed.first.map { "\($0.record): \($0.error)" })
    }
  }

  func readDatabaseFeed(_ scope: DatabaseScope, since token: String?, next: inout String?) -> HistoryAnswer {
    answer {
      let page = try service.feeds.databaseChanges(DatabaseChangesRequest(scope: scope, since: token), by: caller)
      next = page.token
      let listed = Set(page.changed + page.deleted.map(\.zone))
      let zones = HistoryZone.allCases.filter { zone in
        guard zone.isVisible(to: account), zone.scope(for: account) == scope else { return false }
        return listed.contains { $0.name == identifier(zone).name }
      }
      return HistoryAnswer(result: .databasePage(zones: zones.map(\.rawValue), moreComing: page.moreComing))
    }
  }

  func changeZone(_ zone: HistoryZone, isDeletion: Bool) -> HistoryAnswer {
    let zones = [identifier(zone)]
    let request = ModifyZonesRequest(
      scope: .private, saves: isDeletion ? [] : zones, deletes: isDeletion ? zones : [])
    return answer {
      let response = try service.zones.modifyZones(request, by: caller)
      for result in response.saves { _ = try result.get() }
      for result in response.deletes { try result.get() }
      return HistoryAnswer(result: .done([]))
    }
  }

  // MARK: Errors

  private func answer(_ body: () throws -> HistoryAnswer) -> HistoryAnswer {
    do { return try body() } catch { return failure([ServiceError(describing: error)]) }
  }

  /// - Parameter seen: the server's records in the errors.
  private func failure(_ errors: [ServiceError], seen: [HistoryVersion] = []) -> HistoryAnswer {
    if let lost = errors.first(where: { $0.code == .serverResponseLost }) {
      // A fault rule loses the answer of a request that is carried out. Nothing else here loses an answer.
      if lost.urlError == nil { return HistoryAnswer(result: .unknown, trouble: "\(lost)") }
      return HistoryAnswer(result: .lost)
    }
    let main = errors.first { $0.code == .zoneNotFound } ?? errors.first { $0.code != .batchRequestFailed } ?? errors[0]
    let unexpected = errors.first { !Self.refusals.contains($0.code) }
    // An unexpected error may have any effect.
    return HistoryAnswer(
      result: unexpected == nil ? .refused(code: main.code.name, seen: seen) : .unknown,
      trouble: unexpected.map { "\($0)" })
  }
}
