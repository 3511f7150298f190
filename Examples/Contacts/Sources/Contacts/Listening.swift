import CloudKit
import LocalCloud

/// The part of an app that the system calls when a person taps a share's link, `userDidAcceptCloudKitShareWith`. Here
/// `localcloud open` does the tapping, and `LocalCloud` is the system.
extension ContactStore {
  /// Joins shares as they are opened on this device, beginning with those that were opened before. Ends after `count`
  /// shares.
  func joinOpenedShares(_ count: Int, _ joined: @escaping @Sendable (Result<CKShare, any Error>) -> Void) async throws {
    let (joins, arrived) = AsyncStream<Void>.makeStream()
    let failed: @Sendable (any Error) -> Void = { joined(.failure($0)) }
    let listener = try LocalCloud.onShareAccepted(in: container, failed: failed) { metadata in
      do { joined(.success(try await container.accept(metadata))) } catch { failed(error) }
      arrived.yield()
    }
    var iterator = joins.makeAsyncIterator()
    for _ in 0..<count { await iterator.next() }
    await listener.stop()
  }

  /// Subscribes to all changes, by the user's other devices and by other users. One subscription applies to all
  /// devices.
  func subscribe() async throws {
    for database in [privateDatabase, sharedDatabase] {
      try await database.save(CKDatabaseSubscription(subscriptionID: "contacts-changed"))
    }
  }

  /// The part of an app that the system calls with a push, `didReceiveRemoteNotification`. Ends after `count` pushes.
  func followPushes(_ count: Int, _ changed: @escaping @Sendable (CKDatabase.Scope, [CKRecord]) -> Void) async throws {
    let (pushes, arrived) = AsyncStream<Void>.makeStream()
    let listener = try LocalCloud.onPush(in: container) { userInfo in
      let notification = CKNotification(fromRemoteNotificationDictionary: userInfo)
      if let scope = (notification as? CKDatabaseNotification)?.databaseScope {
        changed(scope, (try? await scope == .shared ? sharedContacts() : privateContacts()) ?? [])
      }
      arrived.yield()
    }
    var iterator = pushes.makeAsyncIterator()
    for _ in 0..<count { await iterator.next() }
    await listener.stop()
  }
}
