import LocalCloudModel
import LocalCloudService
import LocalCloudStore

/// The changes that the feeds report since a point in time.
struct FaultRunNews: Sendable {
  /// The tokens of the feeds at that time.
  struct Tokens: Sendable {
    var databases: [String?] = []
    var zones: [String?] = []
  }

  /// The zones that each database feed reports. `zones` has the lines of each zone feed, or the code of its error.
  private(set) var databases: [Set<String>] = []
  private(set) var zones: [[String]] = []
  private(set) var tokens = Tokens()

  init(_ people: FaultRunPeople, since tokens: Tokens? = nil) throws {
    for (place, (account, scope)) in FaultRunStory.feeds.enumerated() {
      let caller = people.caller(account)
      let answer = try people.service.feeds.databaseChanges(
        DatabaseChangesRequest(scope: scope, since: tokens?.databases[place]), by: caller)
      databases.append(
        Set(answer.changed.map { "\($0.name)" } + answer.deleted.map { "\($0.zone.name) \($0.reason)" }))
      self.tokens.databases.append(answer.token)
      let zone =
        scope == .private
        ? FaultRunPeople.zone : try people.sharedZone(account == "frank" ? FaultRunPeople.told : FaultRunPeople.zone)
      do {
        let changes = try people.service.feeds.zoneChanges(
          ZoneChangesRequest(scope: scope, zone: zone, since: tokens?.zones[place]), by: caller)
        zones.append(
          changes.changed.map(FaultRunStory.line) + changes.deleted.map { "\($0.record.name) is gone" }.sorted())
        self.tokens.zones.append(changes.token)
      } catch {
        guard [.zoneNotFound, .userDeletedZone, .unknownItem].contains(error.code) else { throw error }
        zones.append(["\(error.code)"])
        self.tokens.zones.append(nil)
      }
    }
  }

  /// Changes that are missing from `told`. A database feed may report too many zones; a zone feed must match exactly.
  func missing(from told: FaultRunNews) -> [String] {
    var problems: [String] = []
    for (place, (account, _)) in FaultRunStory.feeds.enumerated() {
      if !databases[place].isSubset(of: told.databases[place]) {
        problems.append("\(account)'s database tells of \(told.databases[place]), not \(databases[place])")
      }
      if zones[place] != told.zones[place] {
        problems.append("\(account)'s zone tells of \(told.zones[place]), not \(zones[place])")
      }
    }
    return problems
  }
}
