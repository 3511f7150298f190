import LocalCloudModel
import LocalCloudService
import LocalCloudStore

/// The changes that the feeds report since a point in time.
struct FaultRunEvents: Sendable {
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
    for (index, (account, scope)) in FaultRunScenario.feeds.enumerated() {
      let caller = people.caller(account)
      let answer = try people.service.feeds.databaseChanges(
        DatabaseChangesRequest(scope: scope, since: tokens?.databases[index]), by: caller)
      databases.append(
        Set(answer.changed.map { "\($0.name)" } + answer.deleted.map { "\($0.zone.name) \($0.reason)" }))
      self.tokens.databases.append(answer.token)
      let zone =
        scope == .private
        ? FaultRunPeople.zone
        : try people.sharedZone(account == "frank" ? FaultRunPeople.notified : FaultRunPeople.zone)
      do {
        let changes = try people.service.feeds.zoneChanges(
          ZoneChangesRequest(scope: scope, zone: zone, since: tokens?.zones[index]), by: caller)
        zones.append(
          changes.changed.map(FaultRunScenario.line) + changes.deleted.map { "\($0.record.name) is gone" }.sorted())
        self.tokens.zones.append(changes.token)
      } catch {
        guard [.zoneNotFound, .userDeletedZone, .unknownItem].contains(error.code) else { throw error }
        zones.append(["\(error.code)"])
        self.tokens.zones.append(nil)
      }
    }
  }

  /// Changes that are missing from `other`. A database feed may report too many zones; a zone feed must match exactly.
  func missing(from other: FaultRunEvents) -> [String] {
    var problems: [String] = []
    for (index, (account, _)) in FaultRunScenario.feeds.enumerated() {
      if !databases[index].isSubset(of: other.databases[index]) {
        problems.append("\(account)'s database tells of \(other.databases[index]), not \(databases[index])")
      }
      if zones[index] != other.zones[index] {
        problems.append("\(account)'s zone tells of \(other.zones[index]), not \(zones[index])")
      }
    }
    return problems
  }
}
