import Foundation
import LocalCloudEmulator
import LocalCloudModel

/// The account. Each pass looks it up first.
extension SyncWork {
  /// The present account.
  ///
  /// - Assumption: a restricted account, or one that is temporarily unavailable, is no change: the engine rests with
  ///   its state until the account is available again.
  ///
  /// - Throws: `notAuthenticated` or `accountTemporarilyUnavailable` for an account that can't be used now.
  static func account(of container: CKContainer) async throws -> SyncPass.Account {
    if try await container.accountStatus() == .noAccount { return .known(nil) }
    return .known(try await container.userRecordID())
  }

  /// Reports a change of the account since the last one that the state names, however many changes there were. The
  /// state is emptied before.
  ///
  /// - Assumption: this also empties the state at the first sign-in of an engine without a state: changes that the app
  ///   adds before the event are lost, as they would be for another account.
  ///
  /// - Throws: `notAuthenticated` without an account.
  func checkAccount(_ pass: SyncPass) async throws {
    await listenToAccount()
    let container = container
    let account = try await pass.request { try await Self.account(of: container) }
    // No suspension until the new account is stored. ``lookAtAccount()`` runs on this actor, too, and cancels passes by
    // their account: it finds either a pass without one, or a pass whose account is the state's.
    guard case .known(let user) = account else { return }
    pass.account = account
    let previous = state.read { $0.lastUser }
    if user != previous { try await changeAccount(from: previous, to: user) }
    guard let user else {
      throw CKError.make(
        ServiceError(
          .notAuthenticated, "The engine has no account", hint: "Sign in; the engine then starts by itself."),
        container: container.containerIdentifier)
    }
    await listenToPushes(for: user)
  }

  private func changeAccount(from previous: CKRecord.ID?, to user: CKRecord.ID?) async throws {
    state.change { state in
      state.empty()
      state.lastUser = user
    }
    hasSubscription = false
    missingZoneIDs = []
    let change: CKSyncEngine.Event.AccountChange.ChangeType
    switch (previous, user) {
    case (let previous?, let user?): change = .switchAccounts(previousUser: previous, currentUser: user)
    case (let previous?, nil): change = .signOut(previousUser: previous)
    case (nil, let user?): change = .signIn(currentUser: user)
    case (nil, nil): return
    }
    if isAutomatic, user != nil {
      schedule.resume()
      schedule.request(.fetch)
    }
    try await report(.accountChange(CKSyncEngine.Event.AccountChange(changeType: change)))
  }

  /// Changes of the account are listened to before it is looked up, so that none is missed. Listening ends with the
  /// cloud: each pass begins it again where necessary.
  private func listenToAccount() async {
    let listener = listener
    // It blocks until the folders are watched.
    _ = try? await TemporaryRoot.onThread { listener.listenToAccount() }
  }

  /// Pushes are listened to before the first fetch for an account, so that none is missed. Later, a fetch follows for
  /// the changes whose pushes were missed since listening ended.
  private func listenToPushes(for user: CKRecord.ID) async {
    let listener = listener
    guard isAutomatic, !listener.isListeningToPushes(to: user.recordName) else { return }
    // It blocks on the disk. After a failure, the next pass tries again.
    do {
      try await TemporaryRoot.onThread { try listener.listenToPushes() }
      schedule.request(.fetch)
    } catch {}
  }
}
