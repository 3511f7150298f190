import CloudKit

/// Everything that an app stores on its device, in one file: the items and the states of the engines of both databases.
/// So items and states always belong together.
struct EngineData: Codable, Sendable {
  var own = EngineStore(isShared: false)
  var shared = EngineStore(isShared: true)

  /// Reads the file. Without a file the app starts for the first time.
  init(file: URL) throws {
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    self = try JSONDecoder().decode(EngineData.self, from: Data(contentsOf: file))
  }

  subscript(isShared: Bool) -> EngineStore {
    get { isShared ? shared : own }
    set { if isShared { shared = newValue } else { own = newValue } }
  }
}

/// The data of one database: its engine's state, and the items of each user that has signed in on the device.
struct EngineStore: Codable, Sendable {
  let isShared: Bool
  var state: CKSyncEngine.State.Serialization?
  /// The changes that the state must have as pending, because the app added them before the state was made.
  var pendingInState: Set<EngineChange> = []
  /// Whether the state must know of untracked changes.
  var isUntrackedInState = false
  /// The record name of the present user, as the engine reported it.
  private(set) var user: String?
  private var contents: [String: EngineContents] = [:]

  init(isShared: Bool) { self.isShared = isShared }

  /// The present user's data.
  var present: EngineContents {
    get { user.flatMap { contents[$0] } ?? EngineContents() }
    set { if let user { contents[user] = newValue } }
  }

  /// Begins with another user, or with an engine that has lost its state. The engine fetches everything, so that only
  /// changes that were not sent remain. The last saved state belongs to the user before.
  mutating func begin(_ user: String?) {
    self.user = user
    (state, pendingInState, isUntrackedInState) = (nil, [], false)
    present.items = present.items.filter { $0.value.isUnsent }
  }

  mutating func forgetDeletedItems() {
    for user in contents.keys { contents[user]?.deleted = [:] }
  }
}

/// The items of a user in a database, by name.
struct EngineContents: Codable, Sendable {
  var items: [String: EngineItem] = [:]
  /// The zones of the items that were deleted on this device. They are deleted again if another device has lost the
  /// reply to its save, and saves the item again.
  var deleted: [String: String] = [:]
  /// The names of deleted items that may exist in the cloud.
  var unsentDeletions: Set<String> = []
  /// The names of changed items that the engine's state does not have.
  var untracked: Set<String> = []
  /// Whether the account's own zone was deleted in the cloud. The next edit creates it again.
  var isOwnZoneMissing = false

  /// The changes that have not reached the cloud.
  var unsent: Set<EngineChange> {
    var changes: Set<EngineChange> = []
    for (name, item) in items where item.isUnsent {
      changes.insert(EngineChange(item: name, zone: item.zone, isDeletion: false))
    }
    for name in unsentDeletions {
      changes.insert(EngineChange(item: name, zone: deleted[name] ?? "", isDeletion: true))
    }
    return changes
  }

  /// The unsent changes that are in the engine's state.
  var trackedChanges: Set<EngineChange> { unsent.filter { !untracked.contains($0.item) } }
  /// The unsent changes that only the app knows.
  var untrackedChanges: Set<EngineChange> { unsent.filter { untracked.contains($0.item) } }

  /// Removes the data of a zone that was deleted, or that is no longer shared.
  ///
  /// - Parameter keepsUnsent: whether unsent items stay. They are new then.
  mutating func removeZone(_ zone: String, keepsUnsent: Bool) {
    items = items.filter { $0.value.zone != zone || keepsUnsent && $0.value.isUnsent }
    for (name, item) in items where item.zone == zone { items[name]?.forgetRecord() }
    let deleted = deleted
    unsentDeletions = unsentDeletions.filter { deleted[$0] != zone }
    if zone == EngineZone.ownName { isOwnZoneMissing = true }
  }
}

/// A change of an item that an engine is to send.
struct EngineChange: Hashable, Codable, Sendable {
  var item: String
  var zone: String
  var isDeletion: Bool
}
