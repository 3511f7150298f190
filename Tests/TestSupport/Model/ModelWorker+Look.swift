import LocalCloudModel
import LocalCloudService
import LocalCloudStore

/// The requests by which a member reads all data that it can see.
extension ModelWorker {
  func look(_ observation: ModelObservation) throws -> ModelView {
    var view = ModelView()
    for name in observation.zones { view.zones[name] = ModelZoneView() }
    let mentions = try follow(observation)
    view.mentioned = mentions.filter(observation.zones.contains).sorted()
    view.followed = copy.zones.filter(observation.zones.contains).sorted()
    view.walked = try walk(observation).filter(observation.zones.contains).sorted()
    view.listed = try service.zones.list(nil, in: scope, by: caller).map { try $0.get().id.name.string }
      .filter(observation.zones.contains).sorted()
    for name in observation.zones {
      if mentions.contains(name) { try follow(name, observation, &view.zones[name, default: ModelZoneView()]) }
      try look(name, observation, &view.zones[name, default: ModelZoneView()])
      view.zones[name]?.followed = copy.records[name] ?? [:]
    }
    return view
  }

  // MARK: The database

  /// Reads the database feed from the last token. Returns the zones that it mentions.
  private func follow(_ observation: ModelObservation) throws -> Set<String> {
    var mentioned: Set<String> = []
    var more = true
    while more {
      let request = DatabaseChangesRequest(scope: scope, since: copy.databaseToken, limit: observation.page)
      let changes = try service.feeds.databaseChanges(request, by: caller)
      for zone in changes.changed {
        copy.zones.insert(zone.name.string)
        mentioned.insert(zone.name.string)
      }
      for deletion in changes.deleted {
        copy.zones.remove(deletion.zone.name.string)
        copy.records[deletion.zone.name.string] = nil
        mentioned.insert(deletion.zone.name.string)
      }
      copy.databaseToken = changes.token
      more = changes.moreComing
    }
    return mentioned
  }

  private func walk(_ observation: ModelObservation) throws -> [String] {
    var zones: [String] = []
    var token: String?
    while true {
      let changes = try service.feeds.databaseChanges(
        DatabaseChangesRequest(scope: scope, since: token, limit: observation.page), by: caller)
      zones += changes.changed.map(\.name.string)
      token = changes.token
      if !changes.moreComing { return zones }
    }
  }

  // MARK: A zone

  /// Follows the zone's feed like an app: from the last token, or from the beginning if the token has expired.
  private func follow(_ name: String, _ observation: ModelObservation, _ view: inout ModelZoneView) throws {
    var (records, token) = (copy.records[name] ?? [:], copy.tokens[name])
    var code = try read(name, observation, &records, &token, &view.removed)
    if code == ServiceError.Code.changeTokenExpired.rawValue {
      view.hasExpired = true
      (records, token) = ([:], nil)
      code = try read(name, observation, &records, &token, &view.removed)
    }
    (copy.records[name], copy.tokens[name]) = (records, token)
    view.wasFollowed = code == ReferenceModel.Code.done
    view.codes.insert(code)
  }

  private func look(_ name: String, _ observation: ModelObservation, _ view: inout ModelZoneView) throws {
    var token: String?
    view.codes.insert(try read(name, observation, &view.walked, &token, &view.removed))
    view.codes.insert(try code { _ = try service.zones.list([zone(name)], in: scope, by: caller)[0].get() })
    view.codes.insert(try code { try query(name, observation, &view.queried) })
    let request = FetchRecordsRequest(scope: scope, records: observation.records.map { id($0, name) })
    for (record, result) in zip(observation.records, try service.records.fetchRecords(request, by: caller)) {
      switch result {
      case .success(let found): view.fetched[record] = found.modelText
      case .failure(let error) where error.code == .unknownItem:
        view.missing.insert("11 " + error.message.replacing("'\(record)'", with: "…"))
      case .failure(let error): view.codes.insert(error.code.rawValue)
      }
    }
  }

  private func query(_ name: String, _ observation: ModelObservation, _ found: inout [String: String]) throws {
    var cursor: String?
    repeat {
      let request = QueryRecordsRequest(
        scope: scope, zone: zone(name), recordType: "Note", limit: observation.page, cursor: cursor)
      let response = try service.queries.queryRecords(request, by: caller)
      for record in response.records { found[record.id.name.string] = record.modelText }
      cursor = response.cursor
    } while cursor != nil
  }

  /// Reads pages from the token on, and applies them to the records.
  private func read(
    _ name: String, _ observation: ModelObservation, _ records: inout [String: String], _ token: inout String?,
    _ removed: inout Set<String>
  ) throws -> Int {
    try code {
      var (more, pages) = (true, 0)
      while more {
        pages += 1
        guard pages < 5000 else { throw ScenarioEnd("\(name) has a feed without end") }
        let request = ZoneChangesRequest(scope: scope, zone: zone(name), since: token, limit: observation.page)
        let changes = try service.feeds.zoneChanges(request, by: caller)
        for record in changes.changed { records[record.id.name.string] = record.modelText }
        for deletion in changes.deleted {
          records[deletion.record.name.string] = nil
          removed.insert(deletion.record.name.string)
        }
        token = changes.token
        more = changes.moreComing
      }
    }
  }
}
