import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

@Suite("Feeds during a commit")
struct UnderWayTests {
  @Test("a walk from nil during the acceptance of a share does not miss the zone")
  func walkDuringAcceptance() throws {
    let cloud = try TemporaryCloud()
    let alice = Person(cloud, "alice")
    let bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    try alice.makeZone()
    try alice.save(alice.note("root"))
    let share = try alice.share("root", with: ["bob"])
    // Bob's other process fetches right before the pointer's file appears.
    let answer = ThreadCondition<DatabaseChanges??>(.none)
    let once = Mutex(false)
    let path = cloud.path
    let settings = cloud.service.settings
    let caller = bob.caller
    let fileSystem = FileSystem { call in
      guard case .rename(_, let to) = call, to.contains("/shared/bob/"),
        once.withLock({ done in
          defer { done = true }
          return !done
        })
      else { return .proceed }
      startThread {
        let other = try? CloudService.open(root: path, settings: settings)
        let changes = try? other?.feeds.databaseChanges(DatabaseChangesRequest(scope: .shared), by: caller)
        answer.change { $0 = .some(changes) }
      }
      _ = answer.wait(seconds: 0.3) { $0 }
      return .proceed
    }
    let service = try CloudService.open(root: path, settings: settings, fileSystem: fileSystem)
    _ = try service.sharing.acceptShare(url: share.shareDetails?.url ?? "", by: caller)
    let answered = try #require(answer.wait(seconds: 10) { $0 })
    let first = try #require(answered)
    let second = try bob.databaseChanges(since: first.token)
    #expect((first.changed + second.changed).map(\.name) == ["Notes"])
  }
}
