import Foundation
import ObjectStore
import Platform
import Storage

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// Makes sure that there is an account, and what the mirroring needs in its database.
struct MirroringSetup {
  let mirrored: MirroredStore

  func run() throws {
    if mirrored.scope == .public { throw MirroringError.refused("The public database is not mirrored yet.") }
    try checkAccount()
    let user: CKRecord.ID = try mirrored.cloud.value { done in
      mirrored.cloud.container.fetchUserRecordID(completionHandler: done)
    }
    try takeOver(user.recordName)
    try mirrored.ensurePrivateZone()
    try makeSubscription()
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

  /// Begins anew if the store mirrors another user's database ([mirror-16]).
  ///
  /// - Assumption: a store keeps its objects when its user signs out. They are removed when another user signs in.
  private func takeOver(_ user: String) throws {
    let known = try mirrored.read { try $0.mirrorRow(key: StateKey.account, in: .state)?.values["user"]?.string }
    if known == user { return }
    if known != nil { try removeEverything() }
    try mirrored.edit { edits in
      if known != nil {
        for table in MirrorTable.allCases where table != .events {
          for row in try edits.rows(prefix: "", in: table) { edits.remove(row.id, from: table) }
        }
      }
      try edits.setState(StateKey.account, "user", .string(user))
      if known != nil { try edits.wantScrub() }
    }
  }

  private func removeEverything() throws {
    for entity in mirrored.store.schema.entities.indices {
      for part in try mirrored.read({ try $0.ids(of: entity) }).chunks(of: 1000) {
        try mirrored.edit(author: MirrorAuthor.reset) { edits in
          for id in part where try edits.objects.row(id) != nil { edits.objects.delete(id) }
        }
      }
    }
  }

  private func makeSubscription() throws {
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
