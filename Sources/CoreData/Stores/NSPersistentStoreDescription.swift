import Foundation

/// The settings with which a container opens a store.
///
/// Most properties are options: each has its key in ``options``.
open class NSPersistentStoreDescription: NSObject, NSCopying {
  private final var values: [String: NSObject] = [
    NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
    NSInferMappingModelAutomaticallyOption: true as NSNumber,
  ]

  /// Describes a store in memory, at the URL `/dev/null`.
  public override init() { super.init() }

  /// Describes a store of type SQLite.
  public init(url: URL) { self.url = url }

  /// The location of the store. `/dev/null` is a store of type SQLite in memory.
  open var url: URL? = URL(fileURLWithPath: "/dev/null")

  /// The type of the store: `NSSQLiteStoreType` or `NSInMemoryStoreType`.
  open var type: String = NSSQLiteStoreType

  /// The configuration of the model with the store's entities; nil for all entities.
  open var configuration: String?

  /// Whether the store is opened asynchronously.
  open var shouldAddStoreAsynchronously = false

  /// The store's mirroring to iCloud; nil if it is not mirrored.
  open var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions? {
    didSet { hasContainersOptions = false }
  }

  /// Whether a container set the options for its first description, and the program did not change them.
  final var hasContainersOptions = false

  // MARK: Options

  /// The options for the store.
  open var options: [String: NSObject] { values }

  /// Sets an option; nil removes it.
  open func setOption(_ option: NSObject?, forKey key: String) { values[key] = option }

  /// The options passed to a coordinator. They contain only options: the CloudKit container's settings are in
  /// ``cloudKitContainerOptions``.
  final var storeOptions: [AnyHashable: Any] { Dictionary(uniqueKeysWithValues: values.map { ($0, $1) }) }

  /// Whether the store is opened for reading only.
  open var isReadOnly: Bool {
    get { flag(NSReadOnlyPersistentStoreOption) }
    set { values[NSReadOnlyPersistentStoreOption] = newValue as NSNumber }
  }

  /// The number of seconds to wait for a store; 240 unless set.
  ///
  /// - Difference: unless it is set, 10 seconds.
  open var timeout: TimeInterval {
    get { (values[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { values[NSPersistentStoreTimeoutOption] = newValue as NSNumber }
  }

  /// Whether a store of another version of the model is migrated.
  open var shouldMigrateStoreAutomatically: Bool {
    get { flag(NSMigratePersistentStoresAutomaticallyOption) }
    set { values[NSMigratePersistentStoresAutomaticallyOption] = newValue as NSNumber }
  }

  /// Whether the migration infers the mapping between the two versions.
  open var shouldInferMappingModelAutomatically: Bool {
    get { flag(NSInferMappingModelAutomaticallyOption) }
    set { values[NSInferMappingModelAutomaticallyOption] = newValue as NSNumber }
  }

  private final func flag(_ key: String) -> Bool { (values[key] as? NSNumber)?.boolValue ?? false }

  /// Settings for SQLite.
  ///
  /// - Difference: have no effect; there is no SQLite.
  open var sqlitePragmas: [String: NSObject] {
    let pragmas = (values[NSSQLitePragmasOption] as? NSDictionary) as? [String: Any] ?? [:]
    return pragmas.compactMapValues { $0 as? NSObject ?? Self.object($0) }
  }

  /// Sets a value for SQLite; nil removes it.
  ///
  /// - Difference: has no effect; there is no SQLite.
  open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas = sqlitePragmas
    pragmas[name] = value
    values[NSSQLitePragmasOption] = pragmas.isEmpty ? nil : NSDictionary(dictionary: pragmas)
  }

  /// A dictionary returns texts and numbers as Swift types.
  private static func object(_ value: Any) -> NSObject? {
    switch value {
    case let text as String: NSString(string: text)
    case let number as NSNumber: number
    default: nil
    }
  }

  // MARK: Comparing and copying

  /// True for a description of the same store with the same options.
  @discardableResult
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentStoreDescription else { return false }
    return url == other.url && type == other.type && configuration == other.configuration
      && shouldAddStoreAsynchronously == other.shouldAddStoreAsynchronously && values == other.values
      && cloudKitContainerOptions == other.cloudKitContainerOptions
  }

  /// A hash value that is equal for equal descriptions.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(url)
    hasher.combine(type)
    hasher.combine(configuration)
    return hasher.finalize()
  }

  /// A readable text.
  open override var description: String {
    "<NSPersistentStoreDescription: \(ObjectIdentifier(self))> (type: \(type), url: \(url?.absoluteString ?? "(null)"))"
  }

  /// Returns an independent copy.
  @discardableResult
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentStoreDescription()
    copy.url = url
    copy.type = type
    copy.configuration = configuration
    copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
    copy.values = values
    copy.cloudKitContainerOptions = cloudKitContainerOptions?.copy() as? NSPersistentCloudKitContainerOptions
    copy.hasContainersOptions = hasContainersOptions
    return copy
  }
}
