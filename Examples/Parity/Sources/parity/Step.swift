/// One request of a scenario. Exactly one of the properties of operations is set.
struct Step: Codable, Sendable {
  /// A user and a device: `owner.phone`.
  var actor: String
  /// The database; without it the private one.
  var database: Database?
  /// The zone of the operation's records; without it the default zone.
  var zone: String?
  /// The user that owns the zone, in the shared database.
  var owner: String?
  /// The answer is not recorded.
  var quiet: Bool?

  var zones: ModifyZones?
  var fetchZones: FetchZones?
  var modify: Modify?
  var fetch: Fetch?
  var query: Query?
  var zoneChanges: Changes?
  var databaseChanges: Changes?
  var subscriptions: ModifySubscriptions?
  var fetchSubscriptions: FetchSubscriptions?
  var share: MakeShare?
  var metadata: Link?
  var accept: Link?
  var userRecord: UserRecord?

  enum Database: String, Codable, Sendable { case `private`, shared, `public` }

  enum CodingKeys: String, CodingKey {
    case actor = "as"
    case database, zone, owner, quiet
    case zones, fetchZones, modify, fetch, query, zoneChanges, databaseChanges
    case subscriptions, fetchSubscriptions, share, metadata, accept, userRecord
  }

  struct ModifyZones: Codable, Sendable {
    var save: [String]?
    var delete: [String]?
  }

  /// Without IDs: all zones.
  struct FetchZones: Codable, Sendable { var ids: [String]? }

  struct Modify: Codable, Sendable {
    var save: [RecordToSave]?
    /// Names of records.
    var delete: [String]?
    var policy: Policy?
    /// True if it is missing, as in CloudKit.
    var atomic: Bool?
    var style: Style?

    enum Policy: String, Codable, Sendable { case ifServerRecordUnchanged, changedKeys, allKeys }

    /// How the operation is called: with the blocks of today, with the deprecated completion block, or as a function.
    enum Style: String, Codable, Sendable { case blocks, completion, function }
  }

  struct RecordToSave: Codable, Sendable {
    var name: String
    var type: String?
    /// Another zone than the step's.
    var zone: String?
    /// A record that was stored under this name; without it a new record.
    var from: String?
    /// `null` removes a key.
    var fields: [String: FieldValue]?
    /// The name of the parent, in the same zone.
    var parent: String?
    /// Keeps the saved record under this name.
    var keep: String?
    /// Keeps the server's record of a conflict under this name.
    var keepServerRecord: String?
  }

  struct Fetch: Codable, Sendable {
    var records: [String]
    var keys: [String]?
    /// The names that records are stored under, by record name.
    var keep: [String: String]?
  }

  struct Query: Codable, Sendable {
    /// The type and the predicate; a continued query has a cursor instead.
    var type: String?
    var predicate: String?
    var arguments: [FieldValue]?
    var sort: [Sort]?
    var cursor: String?
    var keys: [String]?
    var limit: Int?
    var keepCursor: String?
    /// The number of matches once the indexes are up to date. iCloud updates them after the save; see
    /// `--query-timeout`.
    var until: Int?

    struct Sort: Codable, Sendable {
      var key: String
      var ascending: Bool
    }
  }

  /// Changes of a zone or of a database.
  struct Changes: Codable, Sendable {
    /// The name of a stored token; without it all changes.
    var since: String?
    var keep: String?
    var keys: [String]?
    var limit: Int?
    /// Only one page.
    var once: Bool?
  }

  struct ModifySubscriptions: Codable, Sendable {
    var save: [Subscription]?
    var delete: [String]?
  }

  /// Without a type or a zone a subscription to the database.
  struct Subscription: Codable, Sendable {
    var id: String
    var zone: String?
    var type: String?
    var predicate: String?
  }

  /// Without IDs: all subscriptions.
  struct FetchSubscriptions: Codable, Sendable { var ids: [String]? }

  struct MakeShare: Codable, Sendable {
    /// The name of the share's record; not for a share of a zone.
    var name: String?
    /// The stored record to share; without it the step's zone is shared.
    var root: String?
    /// False: the share is saved without its root.
    var savesRoot: Bool?
    var permission: Permission?
    var participants: [String]?
    var title: String?
    /// Keeps the link under this name; all actors can use it.
    var link: String?

    enum Permission: String, Codable, Sendable { case none, readOnly, readWrite }
  }

  struct Link: Codable, Sendable { var link: String }

  struct UserRecord: Codable, Sendable {}
}

extension Step {
  var user: String { String(actor.prefix { $0 != "." }) }
  var isPrivate: Bool { database == nil || database == .private }

  /// The names of the operations that the step has.
  var operations: [String] {
    let all: [(String, Bool)] = [
      ("zones", zones != nil), ("fetchZones", fetchZones != nil), ("modify", modify != nil), ("fetch", fetch != nil),
      ("query", query != nil), ("zoneChanges", zoneChanges != nil), ("databaseChanges", databaseChanges != nil),
      ("subscriptions", subscriptions != nil), ("fetchSubscriptions", fetchSubscriptions != nil),
      ("share", share != nil), ("metadata", metadata != nil), ("accept", accept != nil),
      ("userRecord", userRecord != nil),
    ]
    return all.filter(\.1).map(\.0)
  }

  var zoneNames: [String] {
    let saved = (modify?.save ?? []).compactMap(\.zone)
    let named = [zone] + (zones?.save ?? []) + (zones?.delete ?? []) + (fetchZones?.ids ?? [])
    return saved + named.compactMap { $0 }.filter { $0 != "_defaultZone" }
  }

  var subscriptionIDs: [String] {
    (subscriptions?.save ?? []).map(\.id) + (subscriptions?.delete ?? []) + (fetchSubscriptions?.ids ?? [])
  }

  var recordNames: [String] {
    (modify?.save ?? []).flatMap { [$0.name, $0.parent].compactMap { $0 } } + (modify?.delete ?? [])
      + (fetch?.records ?? []) + [share?.name].compactMap { $0 }
  }

  var defaultZoneRecords: [String] {
    let isDefault = zone == nil
    let saved = (modify?.save ?? []).filter { ($0.zone ?? zone) == nil }.map(\.name)
    return saved + (isDefault ? (modify?.delete ?? []) + (fetch?.records ?? []) : [])
  }
}
