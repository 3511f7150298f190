import CloudKit

/// The part of an app that receives the user's actions on the system's sharing sheet. The sheet saves shares itself.
extension ContactStore {
  /// Reports the result of each action. Ends after `count` actions.
  func followSharingSheet(_ count: Int, _ say: @escaping @Sendable (String) -> Void) async {
    let (actions, arrived) = AsyncStream<Void>.makeStream()
    let observer = CKSystemSharingUIObserver(container: container)
    observer.systemSharingUIDidSaveShareBlock = { _, result in
      switch result {
      case .success(let share):
        let title = share[CKShare.SystemFieldKey.title] as? String ?? "?"
        say("saved \(title): \(share.participants.count) people")
      case .failure(let error):
        say("not saved: \(error.localizedDescription)")
      }
      arrived.yield()
    }
    observer.systemSharingUIDidStopSharingBlock = { _, result in
      switch result {
      case .success: say("stopped")
      case .failure(let error): say("not stopped: \(error.localizedDescription)")
      }
      arrived.yield()
    }
    say("waiting")
    var iterator = actions.makeAsyncIterator()
    for _ in 0..<count { await iterator.next() }
    withExtendedLifetime(observer) {}
  }
}
