import LocalCloudModel
import LocalCloudService
import LocalCloudStore

/// The requests by which a member reads all data that it can see.
extension ModelWorker {
  func look(_ glance: ModelGlance) throws -> ModelView {
    var view = ModelView()
    for name in glance.zones { view.zones[name] = ModelZoneView() }
    let mentions = try follow(glance)
    view.mentioned = mentions.filter(glance.zones.contains).sorted()
    view.followed = copy.zones.filter(glance.zones.contains).sorted()
    view.walked = try walk(glance).filter(glance.zones.contains).sorted()
    view.listed = try service.zones.list(nil, in: scope, by: caller).map { try $0.get().id.name.string }
      .filter(glance.zones.contains).sorted()
    for name in glance.zones {
      if mentions.contains(name) { try follow(name, glance, &view.zones[name, default: ModelZoneView()]) }
      try look(name, glance, &view.zones[name, default: ModelZoneView()])
      view.zones[name]?.followed = copy.records[name] ?? [:]
    }
    return view
  }

  // MARK: The database

  /// Reads the database feed from the last token. Returns the zones that it mentions.
  private func follow(_ glance: ModelGlance) throws -> Set<String> {
    var mentioned: Set<String> = []
    var more = true
    while more {
      let request = DatabaseChangesRequest(scope: scope, since: copy.databaseToken, limit: glance.page)
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

  private func walk(_ glance: ModelGlance) throws -> [String] {
    var zones: [String] = []
    var token: String?
    while true {
      let changes = try service.feeds.databaseChanges(
        DatabaseChangesRequest(scope: scope, since: token, limit: glance.page), by: caller)
      zones += changes.changed.map(\.name.string)
      token = changes.token
      if !changes.moreComing { return zones }
    }
  }

  // MARK: A zone

  /// Follows the zone's feed like an app: from the last token, or from the beginning if the token has expired.
  private func follow(_ name: String, _ glance: ModelGlance, _ view: inout ModelZoneView) throws {
    var (records, token) = (copy.records[name] ?? [:], copy.tokens[name])
    var code = try read(name, glance, &records, &token, &view.removed)
    if code == ServiceError.Code.changeTokenExpired.rawValue {
      view.hasExpired = true
      (records, token) = ([:], nil)
      code = try read(name, glance, &records, &token, &view.removed)
    }
    (copy.records[name], copy.tokens[name]) = (records, token)
    view.wasFollowed = code == ReferenceModel.Code.done
    view.codes.insert(code)
  }

  private func look(_ name: String, _ glance: ModelGlance, _ view: inout ModelZoneView) throws {
    var token: String?
    view.codes.insert(try read(name, glance, &view.walked, &token, &view.removed))
    view.codes.insert(try code { _ = try service.zones.list([zone(name)], in: scope, by: caller)[0].get() })
    view.codes.insert(try code { try query(name, glance, &view.queried) })
    let request = FetchRecordsRequest(scope: scope, records: glance.records.map { id($0, name) })
    for (record, result) in zip(glance.records, try service.records.fetchRecords(request, by: caller)) {
      switch result {
      case .success(let found): view.fetched[record] = found.crowdWords
      case .failure(let error) where error.code == .unknownItem:
        view.missing.insert("11 " + error.message.replacing("'\(record)'", with: "…"))
      case .failure(let error): view.codes.insert(error.code.rawValue)
      }
    }
  }

  private func query(_ name: String, _ glance: ModelGlance, _ found: inout [String: String]) throws {
    var cursor: String?
    repeat {
      let request = QueryRecordsRequest(
        scope: scope, zone: zone(name), recordType: "Note", limit: glance.page, cursor: cursor)
      let response = try service.queries.queryRecords(request, by: caller)
      for record in response.records { found[record.id.name.string] = record.crowdWords }
      cursor = response.cursor
    } while cursor != nil
  }

  /// Reads pages from the token on, and applies them to the records.
  private func read(
    _ name: String, _ glance: ModelGlance, _ records: inout [String: String], _ token: inout String?,
    _ removed: inout Set<String>
  ) throws -> Int {
    try code {
      var (more, pages) = (true, 0)
      while more {
        pages += 1
        guard pages < 5000 else { throw StoryEnd("\(name) has a feed without end") }
        let request = ZoneChangesRequest(scope: scope, zone: zone(name), since: token, limit: glance.page)
        let changes = try service.feeds.zoneChanges(request, by: caller)
        for record in changes.changed { records[record.id.name.string] = record.crowdWords }
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
