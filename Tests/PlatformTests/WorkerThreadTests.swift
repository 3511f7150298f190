import Foundation
import Synchronization
import Testing

@testable import LocalCloudPlatform

@Suite("Threads for blocking work")
struct WorkerThreadTests {
  @Test("jobs at one time have a thread each, though others are done with theirs")
  func together() {
    for _ in 0..<20 {
      let arrived = Condition(0)
      let gone = Condition(0)
      for _ in 0..<6 {
        startThread {
          arrived.change { $0 += 1 }
          // Waits for all: on one thread the second would never begin.
          let all: Bool? = arrived.wait(seconds: 30) { $0 == 6 ? true : nil }
          gone.change { $0 += all == true ? 1 : 0 }
        }
      }
      #expect(gone.wait(seconds: 60) { $0 == 6 ? true : nil } == true)
    }
  }

  @Test("a thread that is through takes the next job")
  func again() throws {
    let threads = Atomic(0)
    let mark = "\(#function) \(UUID())"
    for number in 1...50 {
      let done = Condition(false)
      startThread {
        // An identifier would be given to a new thread again; what was put down here goes with its thread.
        let own = Thread.current.threadDictionary
        if own[mark] == nil { threads.wrappingAdd(1, ordering: .relaxed) }
        own[mark] = true
        done.change { $0 = true }
      }
      #expect(done.wait(seconds: 30) { $0 ? true : nil } == true, "job \(number)")
      // It parks a moment after its job.
      pause(microseconds: 1000)
    }
    #expect(threads.load(ordering: .relaxed) < 25)
  }

  @Test("threads end when there is nothing to do for a while")
  func ending() throws {
    let most = 12
    let arrived = Condition(0)
    for _ in 0..<most {
      startThread {
        arrived.change { $0 += 1 }
        _ = arrived.wait(seconds: 30) { $0 == most ? true : nil }
      }
    }
    #expect(arrived.wait(seconds: 30) { $0 == most ? true : nil } == true)
    guard let count = threadCount() else { return }
    for _ in 0..<600 where (threadCount() ?? 0) > count - most / 2 { pause(microseconds: 50_000) }
    #expect((threadCount() ?? 0) <= count - most / 2)
  }

  /// Nil where the system does not tell.
  private func threadCount() -> Int? {
    try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
  }
}
