import Foundation
import Testing

@testable import CloudKit

@Suite("The schedule of a sync engine", .timeLimit(.minutes(2)))
struct SyncScheduleUnitTests {
  // [sync-error-3]
  @Test("neither a success, a shorter retry nor a new network ends a pause that the cloud asked for")
  func requestedPause() {
    let schedule = SyncSchedule(delay: 0)
    schedule.retry(.send, after: 3600)
    schedule.succeeded()
    #expect(schedule.isPaused)
    schedule.retry(.fetch, after: nil)
    schedule.retry(.fetch, after: 0)
    schedule.resume()
    #expect(schedule.isPaused)
    schedule.request(.account)
    #expect(schedule.takeAll(endingPause: false) == [.account])
    #expect(schedule.takeAll(endingPause: true) == [.fetch, .send])
    #expect(!schedule.isPaused)
  }

  // [sync-error-3]
  @Test("a success and a new network end a pause that the cloud did not ask for", arguments: [true, false])
  func ownPause(bySuccess: Bool) {
    let schedule = SyncSchedule(delay: 0)
    schedule.retry(.send, after: nil)
    #expect(schedule.takeAll(endingPause: false) == [])
    if bySuccess { schedule.succeeded() } else { schedule.resume() }
    #expect(schedule.takeAll(endingPause: false) == [.send])
  }

  // [sync-schedule-1] [sync-account-5]
  @Test("requests while earlier work runs become one, and only an account check begins beside it")
  func requestsBesideWork() async {
    let schedule = SyncSchedule(delay: 0)
    let (begun, beginning) = AsyncStream<Set<SyncSchedule.Work>>.makeStream()
    let (gate, opener) = AsyncStream<Void>.makeStream()
    schedule.start { works in
      beginning.yield(works)
      guard works.contains(.send) else { return }
      var openings = gate.makeAsyncIterator()
      _ = await openings.next()
    }
    var works = begun.makeAsyncIterator()
    schedule.request(.send)
    let first = await works.next()
    #expect(first == [.send])
    for _ in 0..<3 { schedule.request(.send) }
    // Due after the sends.
    schedule.request(.account)
    let second = await works.next()
    #expect(second == [.account])
    opener.yield()
    let third = await works.next()
    #expect(third == [.send])
    opener.finish()
    schedule.stop()
    beginning.finish()
    let last = await works.next()
    #expect(last == nil)
  }
}
