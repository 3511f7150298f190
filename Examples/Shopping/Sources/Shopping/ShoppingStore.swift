import CloudKit

/// The lists on this device, and their synchronization by a `CKSyncEngine` for each database.
///
/// A change is made in the file first, and needs no network and no account. The file has the changes that have not
/// reached iCloud; a new engine gets all of them.
///
/// The code does not depend on the cloud being a folder: the same file compiles against Apple's CloudKit.
actor ShoppingStore {
  struct Failure: Error {
    var text: String
  }

  var data: ShoppingData
  /// Receives the items that other devices and people change.
  var changes: AsyncStream<Item>.Continuation?
  nonisolated let say: @Sendable (String) -> Void
  private let file: URL
  private let container = CKContainer(identifier: "iCloud.com.example.Shopping")
  /// An engine works as long as there is a reference to it.
  private var engines: [CKSyncEngine] = []

  init(file: URL, say: @escaping @Sendable (String) -> Void) throws {
    self.file = file
    self.say = say
    try Self.lock(file)
    data =
      FileManager.default.fileExists(atPath: file.path)
      ? try JSONDecoder().decode(ShoppingData.self, from: Data(contentsOf: file)) : ShoppingData()
  }

  /// Reserves the file for this process until its end, also by a kill. Two processes would overwrite each other's
  /// changes. The lock has a file of its own, since each save replaces the other one.
  private static func lock(_ file: URL) throws {
    let descriptor = open(file.path + ".lock", O_CREAT | O_RDWR, 0o600)
    guard descriptor >= 0 else { throw Failure(text: "\(file.path).lock can't be opened; does its folder exist?") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw Failure(text: "\(file.path) is in use by another Shopping; wait for its end, or use another --file")
    }
  }

  func save() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(data).write(to: file, options: .atomic)
  }
}

// MARK: Changes on this device

extension ShoppingStore {
  var lines: [String] { data.lists.flatMap(\.lines) }

  /// Adds an item, or takes it back onto the list if it is checked or removed.
  func add(_ name: String, quantity: Int?, to title: String?) throws {
    try change(title) { list in
      let recordName = Item.recordName(of: name)
      list.removed.remove(recordName)
      var item = list.items[recordName] ?? Item(name: name)
      if let quantity { item.set(quantity: quantity) }
      if item.isDone { item.set(isDone: false) }
      list.items[recordName] = item
    }
  }

  func change(_ name: String, on title: String?, _ body: (inout Item) -> Void) throws {
    try change(title) { list in
      let recordName = Item.recordName(of: name)
      guard var item = list.items[recordName] else { throw Failure(text: "\(name) is not on the list") }
      body(&item)
      list.items[recordName] = item
    }
  }

  func remove(_ name: String, from title: String?) throws {
    try change(title) { list in
      let recordName = Item.recordName(of: name)
      guard let item = list.items.removeValue(forKey: recordName) else {
        throw Failure(text: "\(name) is not on the list")
      }
      if item.isInCloud { list.removed.insert(recordName) }
    }
  }

  /// Changes the list with that title, or the user's own.
  private func change(_ title: String?, _ body: (inout ShoppingList) throws -> Void) throws {
    let found = data.lists.first { title == nil ? !$0.isShared : $0.title == title }
    guard var list = found else { throw Failure(text: "there is no list \(title ?? "")") }
    try body(&list)
    data[list.zoneID] = list
    try save()
  }
}

// MARK: Synchronization

extension ShoppingStore {
  /// Sends all changes and fetches all changes. Conflicts are merged and sent again.
  func sync() async throws {
    for engine in makeEngines(automatically: false) {
      do {
        try await engine.sendChanges()
      } catch let error as CKError where error.code == .partialFailure {
        // The events have the items; those that can be saved are pending again.
      }
      try await engine.fetchChanges()
      if !engine.state.pendingRecordZoneChanges.isEmpty { try await engine.sendChanges() }
    }
  }

  /// Synchronizes automatically, and reports items that others change. Ends after `count` items.
  func watch(_ count: Int) async {
    let (items, continuation) = AsyncStream.makeStream(of: Item.self)
    changes = continuation
    _ = makeEngines(automatically: true)
    say("watching")
    var left = count
    for await item in items {
      say("  " + item.text)
      left -= 1
      if left == 0 { break }
    }
  }

  private func makeEngines(automatically: Bool) -> [CKSyncEngine] {
    engines = [container.privateCloudDatabase, container.sharedCloudDatabase].map { database in
      var configuration = CKSyncEngine.Configuration(
        database: database, stateSerialization: data.states[database.databaseScope.stateKey], delegate: self)
      configuration.automaticallySync = automatically
      return CKSyncEngine(configuration)
    }
    for engine in engines { addUnsentChanges(to: engine) }
    return engines
  }

  /// Changes that the engine knows already are pending once.
  func addUnsentChanges(to engine: CKSyncEngine) {
    let isShared = engine.database.databaseScope == .shared
    let changes = data.lists(isShared: isShared).flatMap(\.unsent)
    if !isShared, data.isOwnListDeleted, !changes.isEmpty { addZone(to: engine) }
    engine.state.add(pendingRecordZoneChanges: changes)
  }
}

// MARK: Sharing

extension ShoppingStore {
  /// Shares the own list as a whole with a person, who may change it. Returns the link.
  func share(as title: String, with address: String) async throws -> URL? {
    try await sync()
    if data.isOwnListDeleted { throw Failure(text: "the list was deleted in iCloud; add an item to make a new one") }
    let database = container.privateCloudDatabase
    let zone = try await database.recordZone(for: ShoppingData.ownZoneID)
    var share = CKShare(recordZoneID: zone.zoneID)
    if let reference = zone.share, let present = try await database.record(for: reference.recordID) as? CKShare {
      share = present
    }
    share[CKShare.SystemFieldKey.title] = title
    let participant = try await container.shareParticipant(forEmailAddress: address)
    participant.permission = .readWrite
    share.addParticipant(participant)
    return (try await database.save(share) as? CKShare)?.url
  }

  /// The work of the system when a person taps the link. The engine of the shared database then fetches the list.
  func accept(_ url: URL) async throws -> String {
    let metadata = try await container.shareMetadata(for: url)
    let share = try await container.accept(metadata)
    try await sync()
    return share[CKShare.SystemFieldKey.title] as? String ?? "a list"
  }

  /// Ends the share of the own list.
  func stopSharing() async throws {
    let shareID = CKRecord.ID(recordName: CKRecordNameZoneWideShare, zoneID: ShoppingData.ownZoneID)
    _ = try await container.privateCloudDatabase.deleteRecord(withID: shareID)
  }
}

extension CKDatabase.Scope {
  /// The name of the engine's state in the file.
  var stateKey: String { self == .shared ? "shared" : "private" }
}
