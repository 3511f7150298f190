import CloudStore

/// Storage that is full ([record-storage-1] and following).
extension ZoneBatch {
  /// After the parents are looked at: a child whose parent is nowhere is told that. Deletions free storage, and stay.
  ///
  /// - Difference: no bytes are counted: an account's storage is full while `localcloud account set` says so.
  /// - Assumption: while it is, every save in the account's own zones fails, whoever saves and however small it is; zones
  ///   are made and shares accepted all the same.
  func checkStorage() throws {
    // The public database is the app's.
    guard let owner = address.ownerAccount, saves.contains(where: { !$0.result.isFailure }) else { return }
    let storage = try address.role == .owner ? account.storage : service.accounts.requireAccount(owner).storage
    guard storage == .full else { return }
    for place in saves.indices where !saves[place].result.isFailure {
      saves[place].result = .failure(.storageFull(of: owner))
    }
  }
}
