import Foundation
import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// Checks the account, and creates the zone and the subscription that the mirroring needs.
struct MirroringSetup {
  let mirrored: MirroredStore
  /// The account that the last setup of this process returned; nil before the first setup, and after a change of
  /// account.
  var before: MirroredAccount?

  /// Returns the account that the store is mirrored for from now on.
  func run() throws -> MirroredAccount {
    if mirrored.scope == .public { return try runPublic() }
    do { try checkAccount() } catch {
      if mirrored.cloud.isSignedOut { try leaveSignedOut() }
      throw error
    }
    let user: CKRecord.ID = try mirrored.cloud.value { done in
      mirrored.cloud.container.fetchUserRecordID(completionHandler: done)
    }
    let account = try adopt(user.recordName)
    try mirrored.indexWaitingReferences()
    try UnfinishedShare.undoAll(mirrored)
    try mirrored.ensurePrivateZone()
    try makeSubscription()
    return account
  }

  private func checkAccount() throws {
    let status = try mirrored.cloud.wait { done in
      mirrored.cloud.container.accountStatus { status, error in
        done(error.map { .failure($0) } ?? .success(status))
      }
    }
    switch status {
    case .available: return
    case .noAccount: throw MirroringError.noAccount("CKAccountStatusNoAccount")
    case .restricted: throw MirroringError.noAccount("CKAccountStatusRestricted")
    case .temporarilyUnavailable: throw MirroringError.noAccount("CKAccountStatusTemporarilyUnavailable")
    default: throw MirroringError.noAccount("CKAccountStatusCouldNotDetermine")
    }
  }

  /// Removes the objects of the user who signed out on the device ([mirror-16]).
  ///
  /// - Assumption: the objects are removed at once, or when the store is next loaded. Without an account and a device
  ///   in the settings a program acts on no device, and the store retains its objects.
  private func leaveSignedOut() throws {
    let known = try mirrored.account() ?? MirroredAccount()
    // The users of another cloud are different users.
    guard try known.isLeaving || (known.user != nil && known.cloud == mirrored.cloud.account().cloud) else { return }
    ResetNotice.post(.will)
    try removeAll()
    try mirrored.edit { try $0.setAccount(MirroredAccount()) }
    try mirrored.eraseDeletedObjects()
    ResetNotice.post(.did)
  }

  /// Resets the store if it mirrors another user's database ([mirror-16]), or the data of another environment
  /// ([mirror-23]).
  private func adopt(_ user: String) throws -> MirroredAccount {
    var account = try mirrored.cloud.account()
    account.user = user
    let known = try mirrored.account() ?? MirroredAccount()
    if known == account { return account }
    guard known.isLeaving || known.user != nil else { return try store(account) }
    // Otherwise two processes would take the store from each other endlessly.
    if !known.isLeaving, account == before { throw MirroringError.takenOver }
    let isOfOtherEnvironment = known.isOfOtherEnvironment(than: account)
    // The users of another cloud are different users. Objects of other owners are useless without their shares.
    let isWiped =
      known.isLeaving || (known.user != user && !known.isOfOtherCloud(than: account))
      || (isOfOtherEnvironment && mirrored.scope == .shared)
    guard isWiped || isOfOtherEnvironment else { return try store(account) }
    ResetNotice.post(.will)
    if isWiped {
      try removeAll()
    } else {
      try forgetAll(account)
      try mirrored.pass(.forgotten)
    }
    try store(account)
    ResetNotice.post(.did)
    return account
  }

  @discardableResult
  func store(_ account: MirroredAccount) throws -> MirroredAccount {
    try mirrored.edit { edits in
      try WaitingReferences(edits: edits).index()
      try edits.setAccount(account)
      // In a store without objects the history from here on lists all objects to send, apart from imported ones.
      if try edits.row(key: StateKey.export, in: .state) == nil, try !edits.hasObjects() {
        try edits.setState(StateKey.export, "token", .integer(edits.head()))
      }
    }
    return account
  }

  /// Removes all mirroring rows but the events. `account`: the account row to store.
  func forgetAll(_ account: MirroredAccount) throws {
    try mirrored.edit { edits in
      for table in MirrorTable.allCases where table != .events {
        for row in try edits.rows(prefix: "", in: table) { edits.remove(row.id, from: table) }
      }
      edits.changesShare = true
      try edits.setAccount(account)
    }
  }

  /// Removes the mirroring rows and all objects.
  private func removeAll() throws {
    // First, so that no object is sent or counts as deleted if this is interrupted: the next setup continues.
    try forgetAll(MirroredAccount(isLeaving: true))
    try mirrored.pass(.forgotten)
    try removeObjects()
    try mirrored.edit { try $0.requestErasure() }
  }

  private func removeObjects() throws {
    for entity in mirrored.store.schema.entities.indices {
      for part in try mirrored.read({ try $0.ids(of: entity) }).chunks(of: 1000) {
        try mirrored.edit(author: MirrorAuthor.reset) { edits in
          for id in part where try edits.row(id) != nil { try edits.delete(id) }
        }
      }
    }
  }

  func makeSubscription() throws {
    let name = mirrored.scope == .private ? "private" : "shared"
    let id = "com.apple.coredata.cloudkit.\(name).subscription"
    do {
      let _: CKSubscription = try mirrored.cloud.value { done in
        mirrored.database.fetch(withSubscriptionID: id, completionHandler: done)
      }
    } catch let error as CKError where error.code == .unknownItem {
      let subscription = CKDatabaseSubscription(subscriptionID: id)
      let info = CKSubscription.NotificationInfo()
      info.shouldSendContentAvailable = true
      subscription.notificationInfo = info
      let _: CKSubscription = try mirrored.cloud.value { mirrored.database.save(subscription, completionHandler: $0) }
    }
  }
}

/// The notifications around a reset of a store's mirroring. Programs observe them by name.
///
/// - Assumption: the notifications are posted only for another account, and for another cloud, container or environment
///   of the store's data, with the reason `AccountChange` and no object. Apple does not document them.
enum ResetNotice: String {
  case will = "NSCloudKitMirroringDelegateWillResetSyncNotificationName"
  case did = "NSCloudKitMirroringDelegateDidResetSyncNotificationName"

  static let reasonKey = "NSCloudKitMirroringDelegateResetSyncReasonKey"

  static func post(_ notice: ResetNotice) {
    NotificationCenter.default.post(
      name: Notification.Name(notice.rawValue), object: nil, userInfo: [reasonKey: "AccountChange"])
  }
}
