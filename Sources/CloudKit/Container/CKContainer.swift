import Foundation
import LocalCloudEmulator
import LocalCloudModel
import Synchronization

/// An app's container in iCloud: its three databases and the current user.
///
/// The environment (`LOCALCLOUD_ACCOUNT`, `LOCALCLOUD_ROOT`) or a scope of the module `LocalCloud` determines the
/// current user and the location of the cloud. The scope in force at a call decides. Outside of any scope, the scope
/// that was in force when the container was made decides.
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

  /// The database of the records that other users share with the current user.
  public let sharedCloudDatabase: CKDatabase

  /// Makes the container with that identifier. Identifiers begin with `iCloud.`. An invalid identifier fails with
  /// `badContainer` at the first request.
  ///
  /// - Difference: a container needs no entitlement and exists once it is used.
  /// - Difference: on Apple's platforms `init(coder:)` is `required`. Here this initializer is the only other one that
  ///   is `required`: an extension of the class may call it as `Self(identifier:)`, as it may call all initializers
  ///   that come from Objective-C on Apple's platforms. Name the class to make objects of other classes; subclasses of
  ///   those can have initializers of their own instead.
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

  /// The app's default container: `LOCALCLOUD_CONTAINER`, or without it `iCloud.` followed by the name of the program.
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

  /// The identifier of the container.
  open var containerIdentifier: String? { identity.container }

  /// Returns the same object as the property for that database.
  @discardableResult
  open func database(with databaseScope: CKDatabase.Scope) -> CKDatabase {
    switch databaseScope {
    case .public: publicCloudDatabase
    case .private: privateCloudDatabase
    case .shared: sharedCloudDatabase
    }
  }

  /// The class and the identifier.
  open override var description: String { "<CKContainer: containerIdentifier=\(identity.container)>" }

  // MARK: Operations

  /// The queue that starts operations. It is separate because the threads that Dispatch shares on Linux are limited to
  /// the number of cores, and apps may block all of them waiting for CloudKit. A serial queue suffices, because
  /// starting an operation only hands its work to another thread.
  private static let queue = {
    let queue = OperationQueue()
    queue.underlyingQueue = beginnings
    return queue
  }()

  /// Retained here, because the operation queue does not retain its underlying queue.
  private static let beginnings = DispatchQueue(label: "CKContainer.operations")

  /// Starts an operation, concurrently with others. Sets the operation's container to this one if it has none. Adding
  /// an operation twice stops the process.
  ///
  /// - Difference: an operation on a database may be added to a container, too, as Apple's documentation shows it;
  ///   since iOS 14 Apple's framework raises an exception then.
  open func add(_ operation: CKOperation) {
    Self.enqueue(operation) {
      if operation.configuration.values.container == nil { operation.configuration.container = self }
    }
  }

  /// Adds an operation to the queue. `prepare` runs after the check that the operation was not added before.
  static func enqueue(_ operation: CKOperation, _ prepare: () -> Void = {}) {
    operation.recordCall()
    prepare()
    queue.addOperation(operation)
  }

  /// Starts the operation of a convenience function, with this container's configuration and group.
  func begin(_ operation: CKOperation) {
    if let configuration { operation.configuration = configuration }
    operation.configuration.container = self
    operation.group = group
    RunningOperation.current?.set(operation)
    Self.enqueue(operation)
  }

  /// Calls the body with a copy of this container that has other settings.
  @discardableResult
  public func configuredWith<R>(
    configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil, body: (CKContainer) throws -> R
  ) rethrows -> R {
    try body(configured(configuration, group))
  }

  /// Calls the body with a copy of this container that has other settings.
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
  /// Posted when the account of this device changed: an account signed in or out, another account signed in, or the
  /// account status changed. The notification has no content; fetch the status and the user record ID again.
  ///
  /// It is posted only while a `CKContainer` exists, on a thread that belongs to no queue, and once for all containers
  /// made in the same scope. The handlers run in that scope. The device is that of the scope in force when the
  /// container was made, or otherwise that of the environment. Changes count from the container's first answer on.
  ///
  /// - Difference: if the system can't watch more folders, no notification is posted. A change that is undone at once
  ///   may be missed.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static let CKAccountChanged = Notification.Name("CKAccountChangedNotification")
}
