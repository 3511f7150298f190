import LocalCloudPlatform
import LocalCloudService
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

/// Two writers of one zone. One of them pauses in the middle of a commit.
@Suite("Two concurrent writers")
struct CollisionTests {
  private struct Outcome {
    var problems: [String] = []
    var tags: [String] = []
  }

  /// The second writer starts while the first one pauses. `verdict` is the result of each call that takes a lock.
  private static func collide(_ verdict: InjectedFault) throws -> Outcome {
    let cloud = try TemporaryCloud()
    let alice = Person(cloud, "alice")
    try alice.makeZone()
    let isDone = ThreadCondition(false)
    let hasPaused = Mutex(false)
    let first = FaultRunPeople(
      try CloudService.open(
        root: cloud.path, settings: cloud.service.settings,
        fileSystem: FileSystem(observing: .allCalls) { call in
          switch call {
          case .tryLock, .waitForLock: return verdict
          case .write(let path, let offset, _) where path.hasSuffix("/.journal/log") && offset > 0:
            let isFirst = hasPaused.withLock { paused in
              defer { paused = true }
              return !paused
            }
            // With locks the second writer waits for the first.
            if isFirst { _ = isDone.wait(seconds: verdict == .skip ? 30 : 1) { $0 ? true : nil } }
            return .proceed
          default: return .proceed
          }
        }))
    let path = cloud.path
    let settings = cloud.service.settings
    let failure = ThreadCondition<(any Error)??>(.none)
    startThread {
      // Waits until the first writer is in the middle of its commit.
      for _ in 0..<15_000 where !hasPaused.withLock({ $0 }) { pause(microseconds: 2000) }
      do {
        let second = FaultRunPeople(try CloudService.open(root: path, settings: settings))
        try second.modify([second.note("second", "2")])
        failure.change { $0 = .some(nil) }
      } catch { failure.change { $0 = .some(error) } }
      isDone.change { $0 = true }
    }
    var outcome = Outcome()
    do { try first.modify([first.note("first", "1")]) } catch { outcome.problems.append("first: \(error)") }
    let second = try #require(failure.wait(seconds: 60) { $0 })
    if let second { outcome.problems.append("second: \(second)") }
    do {
      let next = try CloudService.open(root: path, settings: settings)
      outcome.problems += try next.checks.check().map { "check: \($0.path): \($0.text)" }
      outcome.tags = try alice.changes().changed.map(\.changeTag)
    } catch { outcome.problems.append("\(error)") }
    return outcome
  }

  @Test("with locks the second writer waits, and both commits succeed with different change tags")
  func withLocksTheSecondWriterWaits() throws {
    let outcome = try Self.collide(.proceed)
    #expect(outcome.problems == [])
    #expect(outcome.tags.count == 2)
    #expect(Set(outcome.tags).count == 2)
  }

  @Test("without locks (a planted fault) check finds damage, a commit is lost, or a change tag is used twice")
  func withoutLocksAPlantedFaultCheckFinds() throws {
    let outcome = try Self.collide(.skip)
    #expect(outcome.problems != [] || Set(outcome.tags).count < 2)
  }
}
