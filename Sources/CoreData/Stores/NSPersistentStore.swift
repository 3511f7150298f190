import Emulator
import Foundation
import ObjectStore
import Storage
import Synchronization

/// A store of a coordinator: a folder of objects, at the place where Apple's framework keeps a database file.
///
/// - Difference: there are no stores of other classes; a program that registers one finds no such function.
// Sendable: every stored property is a constant or guarded by a lock.
open class NSPersistentStore: NSObject, @unchecked Sendable {
  let objects: ObjectStore
  let model: NSManagedObjectModel
  /// By place in the store's schema.
  private let entities: [NSEntityDescription]
  private let places: [String: Int]
  private let configuration: String?
  private let storeType: String
  private let settings: [AnyHashable: Any]?
  /// Whether the store is thrown away with this object.
  private let isTemporary: Bool

  private struct State {
    weak var coordinator: NSPersistentStoreCoordinator?
    var url: URL?
    /// The last transaction that programs were told of.
    var told: Int64 = 0
    /// The end of the history when it was last looked at.
    var seen: Int64 = 0
    /// Hears of commits of other processes.
    var listener: ListeningLoop?
    var mirror: MirroringEngine?
  }

  private let state = Mutex(State())

  init(
    _ objects: ObjectStore, type: String, configuration: String?, url: URL?, options: [AnyHashable: Any]?,
    isTemporary: Bool, of coordinator: NSPersistentStoreCoordinator
  ) {
    self.objects = objects
    model = coordinator.managedObjectModel
    let byName = model.entitiesByName
    entities = objects.schema.entities.compactMap { byName[$0.name] }
    places = Dictionary(uniqueKeysWithValues: objects.schema.entities.enumerated().map { ($1.name, $0) })
    self.configuration = configuration
    storeType = type
    settings = options
    self.isTemporary = isTemporary
    super.init()
    state.withLock { state in
      state.coordinator = coordinator
      state.url = url
    }
  }

  deinit {
    state.withLock { $0.listener }?.stop()
    if isTemporary { try? ObjectStore.destroy(objects.path) }
  }

  // MARK: Apple's

  /// The store's UUID.
  open var identifier: String! { objects.identifier }
  open var type: String { storeType }
  open var configurationName: String { configuration ?? "PF_DEFAULT_CONFIGURATION_NAME" }
  open var options: [AnyHashable: Any]? { settings }
  open var isReadOnly: Bool { objects.isReadOnly }
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? { state.withLock { $0.coordinator } }
  open var url: URL? { state.withLock { $0.url } }

  open override var description: String { "<NSPersistentStore: \(url?.absoluteString ?? storeType)>" }

  // MARK: Identities

  func objectID(_ id: RowID) -> NSManagedObjectID {
    NSManagedObjectID(entities[Int(id.entity)], number: id.number, in: self)
  }

  /// Nil for a temporary identity, and for one of another store.
  func rowID(_ id: NSManagedObjectID) -> RowID? {
    guard case .permanent(let store, let number) = id.key, store == objects.identifier,
      let place = places[id.entity.name ?? ""]
    else { return nil }
    return RowID(entity: place, number: number)
  }

  /// An entity's place in the store's schema; nil if the store does not hold the entity.
  func place(of entity: NSEntityDescription) -> Int? { places[entity.name ?? ""] }

  /// The places of an entity and, if wanted, of all below it.
  func places(of entity: NSEntityDescription, withSubentities: Bool) -> [Int] {
    guard let place = place(of: entity) else { return [] }
    return withSubentities ? objects.schema.entities[place].family : [place]
  }

  func relationship(_ relationship: NSRelationshipDescription, of entity: NSEntityDescription) -> Int? {
    place(of: entity).flatMap { objects.schema.relationship(named: relationship.name, of: $0) }
  }

  // MARK: Notices

  /// A store that is mirrored has a history, whatever its options say: what is sent is found in it.
  var isHistoryTracked: Bool { isSet(NSPersistentHistoryTrackingKey) || mirror != nil }

  /// Mirrors the store, until it is removed from its coordinator; nil for a store that is not mirrored.
  var mirror: MirroringEngine? { state.withLock { $0.mirror } }

  func setMirror(_ engine: MirroringEngine) {
    state.withLock { $0.mirror = engine }
    listen()
  }

  var postsRemoteChanges: Bool { isSet(NSPersistentStoreRemoteChangeNotificationPostOptionKey) }

  private func isSet(_ key: String) -> Bool { (settings?[key] as? NSNumber)?.boolValue ?? false }

  func startWatching() {
    let head = (try? objects.read { try $0.head() }) ?? 0
    state.withLock { ($0.told, $0.seen) = (head, head) }
    if postsRemoteChanges { listen() }
  }

  private func listen() {
    let listener = state.withLock { state -> ListeningLoop? in
      guard state.listener == nil else { return nil }
      state.listener = ListeningLoop(failed: { _ in })
      return state.listener
    }
    let objects = objects
    // A store that can't be watched hears of this process's own commits alone.
    try? listener?.start {
      ListeningLoop.Source(watch: try objects.watch()) { [weak self] in
        self?.noticeOthers()
        return true
      }
    }
  }

  /// Ends what goes on for the store: it was removed from its coordinator.
  func leave() {
    let (listener, mirror) = state.withLock { state in
      defer { (state.coordinator, state.mirror) = (nil, nil) }
      return (state.listener, state.mirror)
    }
    mirror?.stop()
    listener?.stop()
  }

  /// Lets a save be sent: once, though the store's folder tells of it, too.
  func saved(_ transaction: Int64) {
    state.withLock { $0.seen = max($0.seen, transaction) }
    mirror?.saved()
  }

  /// Looks for transactions that nobody was told of. What the mirroring alone keeps is none.
  private func noticeOthers() {
    let seen = state.withLock { $0.seen }
    guard let (head, news) = try? objects.read({ (try $0.head(), try? $0.history(after: seen)) }) else { return }
    state.withLock { $0.seen = max($0.seen, head) }
    // Without the history from there on, which may be purged, there may be anything.
    if news?.isEmpty == true { return }
    postRemoteChange(head)
    if news?.contains(where: { $0.author?.hasPrefix(MirrorAuthor.prefix) != true }) ?? true { mirror?.saved() }
  }

  /// Tells the program of a transaction, unless it was told of it or of a later one.
  func postRemoteChange(_ transaction: Int64) {
    guard postsRemoteChanges else { return }
    let coordinator = state.withLock { state -> NSPersistentStoreCoordinator? in
      guard transaction > state.told else { return nil }
      state.told = transaction
      return state.coordinator
    }
    guard let coordinator, let identifier else { return }
    var info: [AnyHashable: Any] = [
      NSStoreUUIDKey: identifier,
      NSPersistentHistoryTokenKey: NSPersistentHistoryToken([identifier: transaction]),
    ]
    info[NSPersistentStoreURLKey] = url
    NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: info)
  }
}
