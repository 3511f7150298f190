/// What the director asks of a member of the crowd; one line each way.
package enum ModelRequest: Codable, Sendable {
  /// `url`: what the link of an acceptance is in truth.
  case act(ModelStep, url: String?)
  case look(ModelGlance)
}

package struct ModelGlance: Codable, Sendable {
  var zones: [String]
  /// Names to fetch, in all zones.
  var records: [String]
  /// Changes a page.
  var page: Int
}

package struct ModelAnswer: Codable, Sendable {
  /// One for each item.
  var codes: [Int] = []
  /// Of the share that was made.
  var url: String?
  var view: ModelView?
  /// What no member should ever meet.
  var trouble: String?
}

/// All that a person can find out about Alice's zones, by every way there is.
package struct ModelView: Codable, Sendable {
  /// By the list of zones, by a walk of the database feed, by its steps.
  var listed: [String] = []
  var walked: [String] = []
  var followed: [String] = []
  /// What the database feed spoke of since the last look.
  var mentioned: [String] = []
  var zones: [String: ModelZoneView] = [:]
}

package struct ModelZoneView: Codable, Sendable {
  /// The person's own copy, kept by the feed's steps.
  var followed: [String: String] = [:]
  var walked: [String: String] = [:]
  var queried: [String: String] = [:]
  var fetched: [String: String] = [:]
  /// How the requests to the zone ended.
  var codes: Set<Int> = []
  /// How fetches of records ended, and in which words, names aside.
  var missing: Set<String> = []
  /// Whether the zone's feed was followed, and whether it had to begin anew.
  var wasFollowed = false
  var hasExpired = false
  /// What the feeds said is gone.
  var removed: Set<String> = []
}
