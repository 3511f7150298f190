import CloudKit
import LocalCloud
import LocalCloudEmulator
import Synchronization

/// Counts CKAccountChanged notifications for one cloud, because other tests post notifications too.
// Sendable: the observer is set once, at the end of init, and the count is behind a mutex.
final class AccountEvents: @unchecked Sendable {
  private let count = Mutex(0)
  private var observer: (any NSObjectProtocol)?

  init(_ cloud: TestCloud, then: @escaping @Sendable () -> Void = {}) {
    let root = cloud.cloud.path
    observer = NotificationCenter.default.addObserver(forName: .CKAccountChanged, object: nil, queue: nil) {
      [weak self] notification in
      guard ActingIdentity.current?.root == root, notification.object == nil, notification.userInfo == nil else {
        return
      }
      self?.count.withLock { $0 += 1 }
      then()
    }
  }

  deinit {
    if let observer { NotificationCenter.default.removeObserver(observer) }
  }

  var posted: Int { count.withLock { $0 } }

  /// Waits for this number of notifications. Returns the number that were posted.
  func posted(_ wanted: Int, within seconds: Double = 20) async throws -> Int {
    for _ in 0..<Int(seconds / 0.01) where posted < wanted { try await Task.sleep(for: .milliseconds(10)) }
    return posted
  }
}
