import CloudKit
import Foundation

/// The notes' observer of the account. The notes have comments in the cases; here the cases report their names. The
/// case of a temporarily unavailable account is newer than the notes.
final class AccountObserver: NSObject, @unchecked Sendable {
  private let statuses: AsyncStream<String>.Continuation

  init(_ statuses: AsyncStream<String>.Continuation) {
    self.statuses = statuses
    super.init()
    NotificationCenter.default.addObserver(
      self,
      selector: #selector(self.didChange(notification:)),
      name: .CKAccountChanged,
      object: nil)
  }

  @objc
  func didChange(notification: NSNotification) {
    CKContainer.default().accountStatus { status, error in
      if let error = error {
        // The notes end the program here. The test's cloud may be deleted before the next notification.
        self.statuses.yield("Failed to check iCloud account status. \(error.localizedDescription)")
        return
      }
      switch status {
      case .available:
        self.statuses.yield("available")
      case .noAccount:
        self.statuses.yield("noAccount")
      case .couldNotDetermine:
        self.statuses.yield("couldNotDetermine")
      case .restricted:
        self.statuses.yield("restricted")
      case .temporarilyUnavailable:
        self.statuses.yield("temporarilyUnavailable")
      @unknown default:
        self.statuses.yield("unknown")
      }
    }
  }
}
