import FaultInjection
import LocalCloudPlatform
import Synchronization
import TestSupport
import Testing

@testable import LocalCloudStorage

/// Each worker has its own lock object and so its own descriptors: for the kernel they are separate processes.
@Suite("Fairness of a lock between processes")
struct LockFairnessTests {
  private struct Acquisitions {
    /// The number of acquisitions of each worker.
    var counts: [Int]
    /// The most acquisitions of others between two of a worker's own, while that worker waited.
    var longest: [Int]
    var total = 0
    var writing = false
    var reading = 0
    var broken = 0
    var running: Int
  }

  @Test(
    "no waiting process is overtaken by hundreds of acquisitions of others",
    arguments: [(writers: 1, readers: 6), (6, 1), (3, 3), (4, 0)])
  func noWaitingProcessIsOvertakenByHundreds(writers: Int, readers: Int) throws {
    let path = ScratchFolder.newPath("fairness")
    try Directory.make(path: path, in: FileSystem())
    defer { try? ScratchFolder.remove(path) }
    let directory = try Directory.open(path: path, in: FileSystem())
    for name in ["lock", "gate"] { try directory.writeStaged(name, []) }
    let people = writers + readers
    let state = ThreadCondition(
      Acquisitions(
        counts: Array(repeating: 0, count: people), longest: Array(repeating: 0, count: people), running: people))
    for person in 0..<people {
      let mode: File.LockMode = person < writers ? .exclusive : .shared
      startThread {
        let lock = FairLock(directory, "lock", gate: (directory, "gate"))
        // All workers continue until each has enough acquisitions.
        while state.change({ $0.counts.contains { $0 < 40 } && $0.broken == 0 }) {
          let before = state.change { $0.total }
          guard let held = try? lock.acquire(mode, LockWaitPolicy(seconds: 60)) else {
            state.change { $0.broken += 1 }
            break
          }
          state.change { state in
            state.longest[person] = max(state.longest[person], state.total - before)
            if state.writing || mode == .exclusive && state.reading > 0 { state.broken += 1 }
            if mode == .exclusive { state.writing = true } else { state.reading += 1 }
          }
          pause(microseconds: 200)
          state.change { state in
            if mode == .exclusive { state.writing = false } else { state.reading -= 1 }
            state.counts[person] += 1
            state.total += 1
          }
          held.release()
        }
        state.change { $0.running -= 1 }
      }
    }
    let end = try #require(state.wait(seconds: 120) { $0.running == 0 ? $0 : nil })
    #expect(end.broken == 0)
    #expect(end.counts.allSatisfy { $0 >= 40 })
    #expect(end.longest.allSatisfy { $0 < 400 }, "longest waits, in acquisitions of others: \(end.longest)")
  }
}
