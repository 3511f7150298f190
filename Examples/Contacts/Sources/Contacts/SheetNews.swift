import CloudKit

/// The part of an app that is told what its user did on the system's sharing sheet, which saves shares itself.
extension ContactStore {
  /// Says what became of which share; ends after so many.
  func followSharingSheet(_ count: Int, _ say: @escaping @Sendable (String) -> Void) async {
    let (news, arrived) = AsyncStream<Void>.makeStream()
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
    var iterator = news.makeAsyncIterator()
    for _ in 0..<count { await iterator.next() }
    withExtendedLifetime(observer) {}
  }
}
