/// A request of the coordinator to a member.
package enum ModelRequest: Codable, Sendable {
  /// `url` is the actual URL of the link that is accepted.
  case act(ModelStep, url: String?)
  case look(ModelObservation)
}

package struct ModelObservation: Codable, Sendable {
  var zones: [String]
  /// The record names to fetch in all zones.
  var records: [String]
  /// The number of changes in a page.
  var page: Int
}

package struct ModelAnswer: Codable, Sendable {
  /// The result codes, one for each item.
  var codes: [Int] = []
  /// The URL of the share that was created.
  var url: String?
  var view: ModelView?
  /// An unexpected error.
  var trouble: String?
}

/// Everything that a person can find out about Alice's zones, through every kind of request.
package struct ModelView: Codable, Sendable {
  /// Zones according to the list of zones; `walked`: to the database feed from its start; `followed`: to its
  /// increments.
  var listed: [String] = []
  var walked: [String] = []
  var followed: [String] = []
  /// Zones that the database feed mentioned since the last look.
  var mentioned: [String] = []
  var zones: [String: ModelZoneView] = [:]
}

package struct ModelZoneView: Codable, Sendable {
  /// The person's local copy, updated by the feed's increments.
  var followed: [String: String] = [:]
  var walked: [String: String] = [:]
  var queried: [String: String] = [:]
  var fetched: [String: String] = [:]
  /// The result codes of the requests to the zone.
  var codes: Set<Int> = []
  /// The messages for records that were not found, without the record names.
  var missing: Set<String> = []
  /// Whether the zone's feed was followed. `hasExpired` is whether it had to start over.
  var wasFollowed = false
  var hasExpired = false
  /// Names that the feeds reported as deleted.
  var removed: Set<String> = []
}
