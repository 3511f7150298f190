import Foundation
import Synchronization
import Testing

@testable import LocalCloudPlatform

@Suite("Threads for blocking work")
struct WorkerThreadTests {
  @Test("concurrent jobs have one thread each, even if idle threads exist")
  func concurrentJobsHaveOneThreadEachEven() {
    for _ in 0..<20 {
      let arrived = ThreadCondition(0)
      let gone = ThreadCondition(0)
      for _ in 0..<6 {
        startThread {
          arrived.change { $0 += 1 }
          // Each job waits for all others: if two jobs shared a thread, the second would never start.
          let all: Bool? = arrived.wait(seconds: 30) { $0 == 6 ? true : nil }
          gone.change { $0 += all == true ? 1 : 0 }
        }
      }
      #expect(gone.wait(seconds: 60) { $0 == 6 ? true : nil } == true)
    }
  }

  @Test("an idle thread takes the next job")
  func idleThreadTakesTheNextJob() throws {
    let threads = Atomic(0)
    let mark = "\(#function) \(UUID())"
    for number in 1...50 {
      let done = ThreadCondition(false)
      startThread {
        // A thread identifier can be reused by a new thread. Thread-local storage is deleted with its thread.
        let own = Thread.current.threadDictionary
        if own[mark] == nil { threads.wrappingAdd(1, ordering: .relaxed) }
        own[mark] = true
        done.change { $0 = true }
      }
      #expect(done.wait(seconds: 30) { $0 ? true : nil } == true, "job \(number)")
      // The thread becomes idle a moment after its job.
      pause(microseconds: 1000)
    }
    #expect(threads.load(ordering: .relaxed) < 25)
  }

  /// In a process of its own, whose threads it counts.
  @Test("idle threads end after a while")
  func idleThreadsEndAfterAWhile() async {
    await #expect(processExitsWith: .success) {
      let most = 12
      let arrived = ThreadCondition(0)
      for _ in 0..<most {
        startThread {
          arrived.change { $0 += 1 }
          _ = arrived.wait(seconds: 30) { $0 == most ? true : nil }
        }
      }
      #expect(arrived.wait(seconds: 30) { $0 == most ? true : nil } == true)
      guard let count = Self.threadCount() else { return }
      for _ in 0..<600 where (Self.threadCount() ?? 0) > count - most / 2 { pause(microseconds: 50_000) }
      #expect((Self.threadCount() ?? 0) <= count - most / 2)
    }
  }

  @Test("the processor time includes that of other threads")
  func processorTimeIncludesOtherThreads() {
    let before = HostProcess.processorMilliseconds
    let sum = ThreadCondition<Int?>(nil)
    startThread {
      let total = (0..<100_000).reduce(into: 0) { (total: inout Int, number: Int) in total &+= number &* 31 }
      sum.change { $0 = total }
    }
    #expect(sum.wait(seconds: 30) { $0 } != nil)
    #expect(HostProcess.processorMilliseconds > before)
  }

  /// Nil where the system does not report threads.
  private static func threadCount() -> Int? {
    try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
  }
}
