import LocalCloudPlatform
import LocalCloudStorage
import Synchronization

/// An open cloud: the whole tree in one folder.
///
/// Threads: safe to use from any. Open zones are cached, so that callers of one process queue fairly before their
/// locks.
package final class Cloud: Sendable {
  package static let formatVersion: Int64 = 1
  package static let markerName = "cloud.json"
  /// The setting of the cloud's clock, a document of the layer above.
  package static let clockName = "clock.json"
  /// The folders that a complete cloud has, beside its marker.
  package static let parts = ["accounts", "containers", "devices"]
  package static let lockName = ".lock"
  static let gateName = ".gate"
  static let bootName = ".boot"
  /// The document of the fault rules, and its lock.
  package static let faultsName = "faults.json"
  static let faultsLockName = ".faults.lock"

  package let root: Directory
  /// The marker. Its contents change when a copy is opened.
  let marker: CloudMarker
  package var properties: JSONObject { marker.object }
  package let limits: StorageLimits
  let fieldEncoding: FieldEncoding
  let branchName: BranchName
  let observer: any CloudObserver
  /// Held shared by every operation that writes to a zone. The exclusive holder has access to the whole cloud.
  let lock: RootLock
  let folders: DirectoryCache
  /// The open zones. Each holds many file descriptors, so only as many stay open as the budget allows.
  private let openZones = Mutex(RecentlyUsed<ZonePath, ZoneStore>(limit: 24))

  package var path: String { root.path }
  package var fileSystem: FileSystem { root.fileSystem }

  /// Opens a cloud. Recovers it first if the machine was rebooted or the cloud is a copy; that may wait for locks.
  ///
  /// - Parameters:
  ///   - path: the cloud's folder; links are followed.
  ///   - limits: the thresholds for checkpoints and compaction.
  ///   - fieldEncoding: encodes the values of records for the keys of fields.
  ///   - observer: the layer above.
  ///   - branchName: see ``BranchName``.
  /// - Throws: ``StoreError/notACloud(path:)``, ``StorageError/formatTooNew(path:found:known:)``,
  ///   ``StorageError/damaged(path:reason:)`` for a damaged marker, ``StorageError/busy(path:holder:waited:)``, or
  ///   `SystemError`.
  package init(
    path: String, limits: StorageLimits = StorageLimits(), fieldEncoding: FieldEncoding, observer: any CloudObserver,
    branchName: @escaping BranchName = { HostProcess.randomBytes($1) }, in fileSystem: FileSystem = FileSystem()
  ) throws {
    let root = try Self.openRoot(path, fileSystem)
    self.root = root
    folders = DirectoryCache(below: root)
    let marker = try CloudMarker(in: root)
    self.marker = marker
    self.limits = limits
    self.fieldEncoding = fieldEncoding
    self.branchName = branchName
    self.observer = observer
    lock = RootLock(root, Self.lockName, gate: Self.gateName) { try marker.requireCurrent() }
    try prepare(LockWaitPolicy())
  }

  static func readMarker(in root: Directory) throws -> JSONObject {
    if let problem = try markerProblem(in: root) {
      throw StorageError.damaged(path: problem.path, reason: problem.text)
    }
    guard let bytes = try root.contents(markerName) else { throw StoreError.notACloud(path: root.path) }
    guard let object = (try? JSONValue(parsing: bytes))?.object, let version = object["formatVersion"]?.integer,
      version <= formatVersion
    else {
      let found = (try? JSONValue(parsing: bytes))?["formatVersion"]?.integer ?? 0
      throw StorageError.formatTooNew(path: root.path(of: markerName), found: found, known: formatVersion)
    }
    return object
  }

  /// Whether this is still the cloud under its path: tests delete their clouds and make new ones, and a restore
  /// replaces a cloud.
  package var isCurrent: Bool {
    guard let now = try? Directory.open(path: path, in: fileSystem) else { return false }
    return (try? now.identity()) == (try? root.identity()) && marker.isCurrent
  }

  private static func openRoot(_ path: String, _ fileSystem: FileSystem) throws -> Directory {
    do { return try Directory.open(path: path, in: fileSystem) } catch  where error.isMissing {
      throw StoreError.notACloud(path: path)
    }
  }

  /// Whether a folder holds a cloud, of any version.
  package static func exists(at path: String) -> Bool {
    guard let directory = try? Directory.open(path: path, in: FileSystem()) else { return false }
    return (try? directory.exists(markerName)) ?? false
  }

  /// The folders and locks required for writing that are missing.
  package func missingParts() throws -> [String] {
    try (Self.parts + [Self.lockName, Self.gateName]).filter { try !root.exists($0) }
  }

  /// Makes the folders and locks that are missing: for repair.
  package func restoreParts() throws {
    for folder in Self.parts { try root.makeDirectory(folder) }
    for name in [Self.lockName, Self.gateName] { _ = try root.createFile(name) }
  }

  // MARK: Containers and databases

  package func containers() throws -> [ExactName] {
    try (root.directoryIfPresent("containers")?.entries() ?? []).filter { $0.kind == .directory }
      .compactMap { FileName.decode($0.name).map { ExactName($0) } }
  }

  func container(_ name: ExactName, making: Bool) throws -> Directory? {
    guard
      let containers = try root.directoryIfPresent("containers")
        ?? (making ? root.makingDirectory(at: ["containers"]) : nil)
    else { return nil }
    let file = FileName.encode(name.string)
    if let directory = try containers.directoryIfPresent(file) { return directory }
    guard making else { return nil }
    try containers.makeDirectory(file)
    return try containers.directory(file)
  }

  package func database(_ path: DatabasePath, making: Bool = false) throws -> DatabaseFolder? {
    try folders.folder(at: path.components, making: making).map { DatabaseFolder(path, $0, limits: limits) }
  }

  /// The path of a container's file, for messages.
  package func path(of components: [String], in container: ExactName) -> String {
    root.path(of: (["containers", FileName.encode(container.string)] + components).joined(separator: "/"))
  }

  /// The contents of a container's file that can be read without a zone's lock, because the file is only replaced
  /// whole.
  package func containerFile(_ container: ExactName, _ components: [String]) throws -> [UInt8]? {
    try self.container(container, making: false)?.contents(at: components)
  }

  package func containerFolder(_ container: ExactName, _ folder: String) throws -> Directory? {
    try self.container(container, making: false)?.directoryIfPresent(folder)
  }

  /// The names of the entries in a container's folder, without dot files.
  package func containerEntries(_ container: ExactName, _ folder: String) throws -> [String] {
    guard let directory = try self.container(container, making: false)?.directoryIfPresent(folder) else { return [] }
    return try directory.entries().map(\.name).filter { !$0.hasPrefix(".") }
  }

  // MARK: Zones

  /// The open zone; opens it if necessary.
  ///
  /// - Returns: nil if there is no such zone.
  package func zone(_ path: ZonePath) throws -> ZoneStore? {
    if let open = openZones.withLock({ $0[path] }), try open.folder.isUsable() { return open }
    guard let container = try container(path.database.container, making: false),
      let database = try DatabaseFolder(path.database, container: container, making: false, limits: limits),
      let zones = try database.directory.directoryIfPresent("zones"),
      let zone = try ZoneStore(
        path, root: root, container: container, zones: zones, folders: folders, rootLock: lock, limits: limits,
        fieldEncoding: fieldEncoding, observer: observer, room: roomForZone())
    else { return nil }
    return openZones.withLock { open in
      // The first store remains: two stores of one zone would mean two queues.
      if let first = open[path], (try? first.folder.isUsable()) == true { return first }
      open[path] = zone
      return zone
    }
  }

  /// Reserves the descriptors of a zone in the budget, closing the least recently used zones. Nil if the budget does
  /// not suffice even then: the zone is opened without a reservation.
  private func roomForZone() -> DescriptorBudget? {
    while true {
      if let room = DescriptorBudget.reserve(ZoneStore.descriptors) { return room }
      guard openZones.withLock({ $0.dropOldest() }) != nil else { return nil }
    }
  }

  /// Like ``zone(_:)``, but first waits for a creation of zones that is running in the database.
  ///
  /// - Returns: nil if there is no such zone.
  /// - Throws: ``StorageError/busy(path:holder:waited:)`` if the creation takes too long.
  package func zoneAfterCreation(_ path: ZonePath, _ waitPolicy: LockWaitPolicy) throws -> ZoneStore? {
    if let zone = try zone(path) { return zone }
    guard let zones = try database(path.database)?.directory.directoryIfPresent("zones"),
      try zones.exists(Self.lockName)
    else { return nil }
    let held = try FairLock.leaf(zones, Self.lockName).acquire(.exclusive, waitPolicy)
    defer { held.release() }
    return try zone(path)
  }

  /// Waits until no zone of this database is being made.
  package func waitForCreation(in path: DatabasePath, _ waitPolicy: LockWaitPolicy) throws {
    guard let zones = try database(path)?.directory.directoryIfPresent("zones"),
      try zones.exists(Self.lockName)
    else { return }
    try FairLock.leaf(zones, Self.lockName).acquire(.exclusive, waitPolicy).release()
  }

  /// Makes a zone durably, or returns the existing one if another process was faster.
  ///
  /// - Parameters:
  ///   - properties: the new zone's, with its `incarnation` and `created`; its base sequence is set here.
  ///   - mentioned: whether the database's log lists the zone; false for default zones.
  ///   - effects: returns the requests to the cloud's observer, performed once the zone exists. Called with the lock of
  ///     the database's zones, only if the zone is made.
  /// - Returns: the zone, nil if a new one exists but can't be opened at once; and whether it is new.
  /// - Throws: an error means that this call made no zone, except for ``StorageError/uncertain(path:reason:)``.
  package func createZone(
    _ path: ZonePath, _ properties: ZoneProperties, mentioned: Bool,
    effects: () throws -> ObserverEffects = { ObserverEffects() }, _ waitPolicy: LockWaitPolicy
  ) throws -> (zone: ZoneStore?, isNew: Bool) {
    if let zone = try zone(path) { return (zone, false) }
    let made = try lock.withShared(waitPolicy) {
      try makeZone(path, properties, mentioned: mentioned, effects: effects, waitPolicy)
    }
    // The zone exists: from here on an error must not mean otherwise.
    if made.isNew { try? made.zone?.folder.markNew(waitPolicy) }
    return made
  }

  private func makeZone(
    _ path: ZonePath, _ properties: ZoneProperties, mentioned: Bool, effects: () throws -> ObserverEffects,
    _ waitPolicy: LockWaitPolicy
  ) throws -> (zone: ZoneStore?, isNew: Bool) {
    guard let container = try container(path.database.container, making: true),
      let database = try DatabaseFolder(path.database, container: container, making: true, limits: limits)
    else { throw StoreError.zoneMissing(path) }
    try database.directory.makeDirectory("zones")
    let zones = try database.directory.directory("zones")
    _ = try zones.createFile(Self.lockName)
    // One creation at a time per database, so that earlier uses of the name can't change concurrently.
    let held = try FairLock.leaf(zones, Self.lockName).acquire(.exclusive, waitPolicy)
    defer { held.release() }
    if let zone = try zone(path) { return (zone, false) }

    var properties = properties
    properties.base = try database.tombstone(path.zone)?["sequence"]?.integer ?? 0
    guard LogFile.sequences.contains(properties.base) else {
      throw StorageError.damaged(
        path: zones.path(of: ".deleted/" + path.fileName + ".json"), reason: "the sequence \(properties.base)")
    }
    // If the cloud is a copy, a zone of this name may have been made in the other cloud since then.
    if let id = self.properties["branch"]?.string { properties.branch(id, after: properties.base) }
    // Removes the partly made or partly removed zones of killed processes.
    for entry in try zones.entries() {
      if entry.name.hasPrefix(".new-") { try? zones.removeTree(entry.name) }
      if entry.name.hasPrefix(".deleted-") { try? zones.removeAside(entry.name) }
    }
    let aside = ".new-" + properties.incarnation
    try zones.makeDirectory(aside)
    let new = try zones.directory(aside)
    for folder in ["records", "shares"] { try new.makeDirectory(folder) }
    try new.writeStaged("changes.jsonl", [])
    try new.writeStaged("zone.json", properties.bytes)
    try JournaledFolder.make(
      in: new, format: ZoneFolder.format(of: observer), owner: properties.indexOwner, sequence: properties.base,
      first: firstEntry(properties, try effects()))
    // No journal could restore the mention, so it is made durable with the rest.
    if mentioned {
      try database.log.append(
        [(path.zone, nil, ["zoneSequence": .integer(properties.base)])], all: { try database.mentionable() }, waitPolicy
      )
    }
    try new.file("zone.json").syncFileSystem()
    try zones.rename(aside, to: zones, as: path.fileName)
    try zones.sync(path.fileName) { try zones.rename(path.fileName, to: zones, as: aside) }
    return (try? zone(path), true)
  }

  /// The first entry of a new zone's journal, with the effects for the cloud's observer. The journal is of no boot, so
  /// the first process that opens the zone makes its name durable and then has the observer perform the effects.
  private func firstEntry(_ properties: ZoneProperties, _ effects: ObserverEffects) -> JournalEntry? {
    if effects.isEmpty { return nil }
    var entry = JournalEntry(previous: properties.base, sequence: properties.base, effects: [])
    entry.extra = effects.members(of: CommitMark(history: properties.history.id, sequence: properties.base))
    return entry
  }

  /// Writes the reason of the deletion to a deleted zone's tombstone, durably.
  ///
  /// - Returns: false if there is no tombstone, or a zone of this name exists again.
  package func setEnding(_ reason: String, of path: ZonePath, _ waitPolicy: LockWaitPolicy) throws -> Bool {
    guard let folder = try database(path.database),
      let zones = try folder.directory.directoryIfPresent("zones"), try zones.exists(Self.lockName)
    else { return false }
    return try lock.withShared(waitPolicy) {
      let held = try FairLock.leaf(zones, Self.lockName).acquire(.exclusive, waitPolicy)
      defer { held.release() }
      return try zone(path) == nil && folder.setEnding(reason, of: path.zone)
    }
  }

  // MARK: Whole documents (accounts, devices)

  /// Runs `body` while no other process writes to the cloud.
  package func withoutOtherWriters<Result>(_ waitPolicy: LockWaitPolicy, _ body: () throws -> Result) throws -> Result {
    try lock.withExclusive(waitPolicy, body)
  }

  /// Runs `body` as one of the writers. They share the lock of the whole cloud.
  package func withWriters<Result>(_ waitPolicy: LockWaitPolicy, _ body: () throws -> Result) throws -> Result {
    try lock.withShared(waitPolicy, body)
  }

  /// Holds the lock of one of the top folders while `body` reads and replaces documents in it.
  ///
  /// - Parameter name: `accounts` or `devices`.
  /// - Throws: ``StorageError/busy(path:holder:waited:)``, or the error of `body`.
  package func withFolder<Result>(
    _ name: String, _ waitPolicy: LockWaitPolicy, _ body: (DocumentFolder) throws -> Result
  ) throws -> Result {
    try lock.withShared(waitPolicy) {
      try Self.withLock(of: root.makingDirectory(at: [name]), waitPolicy, body)
    }
  }

  /// Like ``withFolder(_:_:_:)``, for a folder anywhere in the tree. Makes the folder durably.
  ///
  /// - Parameter path: the encoded names of the folders below the root.
  package func withFolder<Result>(
    at path: [String], _ waitPolicy: LockWaitPolicy, _ body: (DocumentFolder) throws -> Result
  ) throws -> Result {
    try lock.withShared(waitPolicy) {
      var current = root
      for component in path {
        try current.makeDirectory(component)
        // Synced even if another process made it: no journal restores a document.
        try current.sync()
        current = try current.directory(component)
      }
      return try Self.withLock(of: current, waitPolicy, body)
    }
  }

  /// Holds the lock of the fault rules while `body` reads and replaces their document, in the root.
  package func withFaults<Result>(
    _ waitPolicy: LockWaitPolicy, _ body: (DocumentFolder) throws -> Result
  ) throws -> Result {
    try lock.withShared(waitPolicy) { try Self.withLock(Self.faultsLockName, of: root, waitPolicy, body) }
  }

  /// Holds the lock of a folder of documents while `body` reads and replaces them. Call with the root's lock.
  package static func withLock<Result>(
    _ name: String = lockName, of directory: Directory, _ waitPolicy: LockWaitPolicy,
    _ body: (DocumentFolder) throws -> Result
  ) throws -> Result {
    _ = try directory.createFile(name)
    let held = try FairLock.leaf(directory, name).acquire(.exclusive, waitPolicy)
    defer { held.release() }
    return try body(DocumentFolder(directory))
  }

  /// A top folder only for reading. It needs no lock: documents are only replaced whole.
  package func folder(_ name: String) throws -> DocumentFolder {
    // An empty folder may be missing: not every way to copy a tree keeps it.
    DocumentFolder(try folders.folder(at: [name], making: true) ?? root.directory(name))
  }
}
