import CloudModel
import Emulator
import Foundation
import Synchronization

/// An app's share of iCloud: three databases, and the current user.
///
/// Who the current user is, and where the cloud lies, comes from the environment (`LOCALCLOUD_ACCOUNT`,
/// `LOCALCLOUD_ROOT`) or from a scope of the module `LocalCloud`. The scope in force at a call decides; outside of any, the
/// one in which the container was made.
// Sendable: every stored property is a constant of a Sendable type.
open class CKContainer: NSObject, @unchecked Sendable {
  package let identity: ContainerIdentity
  private let configuration: CKOperationConfiguration?
  private let group: CKOperationGroup?
  private let accountWatch: AccountWatch

  /// The current user's own database.
  public let privateCloudDatabase: CKDatabase

  /// The database that all users of the app share.
  public let publicCloudDatabase: CKDatabase

  /// What others share with the current user.
  public let sharedCloudDatabase: CKDatabase

  /// Makes the container with that identifier, which begins with `iCloud.`. An impossible one fails at first use with
  /// `badContainer`.
  ///
  /// - Difference: a container needs no entitlement and exists once it is used.
  /// - Difference: of all initializers but `init(coder:)`, which is `required` on Apple's platforms, too, this one alone is
  ///   `required`: an extension of the class may call it as `Self(identifier:)`, as it may call all that come from
  ///   Objective-C on Apple's platforms. Name the class to make objects of other classes; subclasses of those can have
  ///   initializers of their own instead.
  public required convenience init(identifier containerIdentifier: String) {
    self.init(identity: ContainerIdentity(container: containerIdentifier, captured: ActingIdentity.current))
  }

  init(identity: ContainerIdentity, configuration: CKOperationConfiguration? = nil, group: CKOperationGroup? = nil) {
    self.identity = identity
    self.configuration = configuration
    self.group = group
    accountWatch = AccountWatch(identity.captured)
    privateCloudDatabase = CKDatabase(.private, of: identity, configuration, group)
    publicCloudDatabase = CKDatabase(.public, of: identity, configuration, group)
    sharedCloudDatabase = CKDatabase(.shared, of: identity, configuration, group)
    super.init()
  }

  private static let defaults = Mutex<[ActingIdentity?: CKContainer]>([:])

  /// The app's default container: `LOCALCLOUD_CONTAINER`, else `iCloud.` and the name of the program.
  @discardableResult
  open class func `default`() -> CKContainer {
    let acting = ActingIdentity.current
    return defaults.withLock { defaults in
      if let container = defaults[acting] { return container }
      let container = CKContainer(identity: .standard(acting))
      defaults[acting] = container
      return container
    }
  }

  /// The identifier.
  open var containerIdentifier: String? { identity.container }

  /// The very object that the property for that database returns.
  @discardableResult
  open func database(with databaseScope: CKDatabase.Scope) -> CKDatabase {
    switch databaseScope {
    case .public: publicCloudDatabase
    case .private: privateCloudDatabase
    case .shared: sharedCloudDatabase
    }
  }

  /// The identifier.
  open override var description: String { "<CKContainer: containerIdentifier=\(identity.container)>" }

  // MARK: Operations

  /// Operations begin on a queue of their own: those that Dispatch shares have as few threads as there are cores on
  /// Linux, and apps wait for CloudKit on all of them. One after another suffices, as beginning only hands work over.
  private static let queue = {
    let queue = OperationQueue()
    queue.underlyingQueue = beginnings
    return queue
  }()

  /// Held here, as the operation queue does not hold it.
  private static let beginnings = DispatchQueue(label: "CKContainer.operations")

  /// Starts an operation, at the same time as others. An operation without a container gets this one. Adding it a second
  /// time stops the process.
  ///
  /// - Difference: an operation on a database may be added to a container, too, as Apple's documentation shows it; since
  ///   iOS 14 Apple's framework raises an exception then.
  open func add(_ operation: CKOperation) {
    Self.enqueue(operation) {
      if operation.configuration.values.container == nil { operation.configuration.container = self }
    }
  }

  /// `prepare` is for an operation that was not added before.
  static func enqueue(_ operation: CKOperation, _ prepare: () -> Void = {}) {
    operation.noteCall()
    prepare()
    queue.addOperation(operation)
  }

  /// Starts an operation of one of the functions.
  func begin(_ operation: CKOperation) -> CKOperation {
    if let configuration { operation.configuration = configuration }
    operation.configuration.container = self
    operation.group = group
    Self.enqueue(operation)
    return operation
  }

  /// Hands the body this container with other settings for its functions.
  @discardableResult
  public func configuredWith<R>(
    configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil, body: (CKContainer) throws -> R
  ) rethrows -> R {
    try body(configured(configuration, group))
  }

  /// Hands the body this container with other settings for its functions.
  @discardableResult
  public func configuredWith<R>(
    configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
    isolation: isolated (any Actor)? = #isolation, body: (CKContainer) async throws -> R
  ) async rethrows -> R {
    try await body(configured(configuration, group))
  }

  private func configured(_ configuration: CKOperationConfiguration?, _ group: CKOperationGroup?) -> CKContainer {
    let copy = configuration?.copy() as? CKOperationConfiguration
    return CKContainer(identity: identity, configuration: copy ?? self.configuration, group: group ?? self.group)
  }
}

extension Notification.Name {
  /// Posted when the account of this device changed: somebody signed in, signed out, is somebody else, or the status is
  /// another one. It carries nothing; ask for status and user record ID again.
  ///
  /// Posted only while there is a `CKContainer`, on a thread of no queue, once for all containers made in the same scope,
  /// and in that scope. The device is that of the scope in which the container was made, else that of the environment.
  /// Changes count from the container's first answer on.
  ///
  /// - Difference: where the system watches no more folders, none is posted. A change that is undone at once may go
  ///   unnoticed.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static let CKAccountChanged = Notification.Name("CKAccountChangedNotification")
}
