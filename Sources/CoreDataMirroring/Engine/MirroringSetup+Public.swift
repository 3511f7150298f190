import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// The setup for the public database: it has one zone and no subscriptions. Reading requires no account ([mirror-36]).
extension MirroringSetup {
  func runPublic() throws -> MirroredAccount {
    var account = try mirrored.cloud.account()
    let known = try mirrored.account() ?? MirroredAccount()
    // Without an account the last user stays: the name identifies the records that this user created.
    account.user = try currentUser() ?? known.user
    if known == account {
      try mirrored.indexWaitingReferences()
      return account
    }
    guard known.isOfOtherEnvironment(than: account) else { return try store(account) }
    // Several users may use the store, but only in one environment.
    if before?.hasEnvironment(of: account) == true { throw MirroringError.takenOver }
    ResetNotice.post(.will)
    // Until the reset is done, the store has the old account row, and the next setup continues the reset.
    try removeOthers(of: known.user)
    try forgetAll(account)
    ResetNotice.post(.did)
    return account
  }

  /// Nil if no account can write.
  private func currentUser() throws -> String? {
    do {
      let user: CKRecord.ID = try mirrored.cloud.value { done in
        mirrored.cloud.container.fetchUserRecordID(completionHandler: done)
      }
      return user.recordName
    } catch let error as CKError where [.notAuthenticated, .accountTemporarilyUnavailable].contains(error.code) {
      return nil
    }
  }

  /// Removes the objects that other users created: the user's own objects are to be sent to another database
  /// ([mirror-23]).
  private func removeOthers(of user: String?) throws {
    let ids = try mirrored.read { view in
      try view.rows(prefix: "", in: .records).compactMap { RecordEntry($0) }
        .filter { $0.tag != nil && $0.creator != user }.map(\.id)
    }
    for part in ids.chunks(of: 1000) {
      try mirrored.edit(author: MirrorAuthor.reset) { edits in
        let pass = try ImportPass(edits, mirrored.mapping)
        for id in part {
          if let entry = try edits.record(of: id) { try pass.delete(entry) }
        }
      }
      try mirrored.pass(.forgotten)
    }
  }
}
