import Foundation
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// Makes sure that there is an account, and what the mirroring needs in its database.
struct MirroringSetup {
  let mirrored: MirroredStore
  /// The account and the place, as the last setup of this process returned them; nil before the first one, and after a
  /// change of account.
  var before: JSONObject?

  /// Returns the account and the place that the store is mirrored for from then on.
  func run() throws -> JSONObject {
    if mirrored.scope == .public { return try runPublic() }
    do { try checkAccount() } catch {
      if mirrored.cloud.isSignedOut { try leaveSignedOut() }
      throw error
    }
    let user: CKRecord.ID = try mirrored.cloud.value { done in
      mirrored.cloud.container.fetchUserRecordID(completionHandler: done)
    }
    let account = try takeOver(user.recordName)
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
  /// - Assumption: the objects go at once, or when the store is next loaded. Without an account and a device in the
  ///   settings a program acts on no device, and the store keeps its objects.
  private func leaveSignedOut() throws {
    let known = try mirrored.account() ?? [:]
    // Other clouds have other users.
    guard try known["isLeaving"] != nil || (known["user"] != nil && known["cloud"] == mirrored.cloud.place()["cloud"])
    else { return }
    ResetNotice.post(.will)
    try removeAll()
    try mirrored.edit { try $0.setState(StateKey.account, [:]) }
    try mirrored.scrub()
    ResetNotice.post(.did)
  }

  /// Begins anew if the store mirrors another user's database ([mirror-16]), or another place's ([mirror-23]).
  private func takeOver(_ user: String) throws -> JSONObject {
    var account = try mirrored.cloud.place()
    account["user"] = .string(user)
    let known = try mirrored.account() ?? [:]
    if known == account { return account }
    let isInterrupted = known["isLeaving"] != nil
    guard isInterrupted || known["user"] != nil else { return try note(account) }
    // Two processes would take the store from each other for ever.
    if !isInterrupted, account == before { throw MirroringError.takenOver }
    func differs(_ name: String) -> Bool { known[name] != nil && known[name] != account[name] }
    let isOtherPlace = Self.places.contains(where: differs)
    // Other clouds have other users. Objects of others are no use where their shares are not.
    let isWiped =
      isInterrupted || (differs("user") && !differs("cloud")) || (isOtherPlace && mirrored.scope == .shared)
    guard isWiped || isOtherPlace else { return try note(account) }
    ResetNotice.post(.will)
    if isWiped {
      try removeAll()
    } else {
      try forgetAll(account)
      try mirrored.pass(.forgotten)
    }
    try note(account)
    ResetNotice.post(.did)
    return account
  }

  /// What is noted of a place.
  static let places = ["cloud", "container", "environment"]

  @discardableResult
  func note(_ account: JSONObject) throws -> JSONObject {
    try mirrored.edit { edits in
      try WaitingReferences(edits: edits).index()
      try edits.setState(StateKey.account, account)
      // Of a store without objects its history tells what there will be to send, beside all that comes from the cloud.
      if try edits.row(key: StateKey.export, in: .state) == nil, try !edits.transaction.hasObjects() {
        try edits.setState(StateKey.export, "token", .integer(edits.transaction.head()))
      }
    }
    return account
  }

  /// Forgets the cloud. `account`: what is known from then on.
  func forgetAll(_ account: JSONObject) throws {
    try mirrored.edit { edits in
      for table in MirrorTable.allCases where table != .events {
        for row in try edits.rows(prefix: "", in: table) { edits.remove(row.id, from: table) }
      }
      edits.changesShare = true
      try edits.setState(StateKey.account, account)
    }
  }

  /// Forgets the cloud and removes all objects.
  private func removeAll() throws {
    // First, so that nothing is sent or taken for deleted if this is interrupted: the next setup goes on with it.
    try forgetAll(["isLeaving": true])
    try mirrored.pass(.forgotten)
    try removeObjects()
    try mirrored.edit { try $0.wantScrub() }
  }

  private func removeObjects() throws {
    for entity in mirrored.store.schema.entities.indices {
      for part in try mirrored.read({ try $0.ids(of: entity) }).chunks(of: 1000) {
        try mirrored.edit(author: MirrorAuthor.reset) { edits in
          for id in part where try edits.objects.row(id) != nil { edits.objects.delete(id) }
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

/// The notifications around a reset of a store's mirroring, which programs observe by name.
///
/// - Assumption: they are posted for another account and for another place of the store's data alone, with the reason
///   `AccountChange` and no object. Apple does not document them.
enum ResetNotice: String {
  case will = "NSCloudKitMirroringDelegateWillResetSyncNotificationName"
  case did = "NSCloudKitMirroringDelegateDidResetSyncNotificationName"

  static let reasonKey = "NSCloudKitMirroringDelegateResetSyncReasonKey"

  static func post(_ notice: ResetNotice) {
    NotificationCenter.default.post(
      name: Notification.Name(notice.rawValue), object: nil, userInfo: [reasonKey: "AccountChange"])
  }
}
