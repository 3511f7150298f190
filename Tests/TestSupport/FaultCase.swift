import FaultInjection
import LocalCloudPlatform
import LocalCloudStorage

/// A change of any store, with a fault at each of its calls: the next process must find the state before or after it.
package struct FaultCase<State: Hashable> {
  /// The location of a store after a fault, and the states that are allowed there.
  package struct Finding {
    package let path: String
    package let allowed: [State]
    package let boot: String
    private let words: () -> String

    package var text: String { words() }

    package init(
      _ path: String, _ allowed: [State], boot: String = HostProcess.bootIdentifier, _ text: @escaping () -> String
    ) {
      (self.path, self.allowed, self.boot, words) = (path, allowed, boot, text)
    }
  }

  package let name: String
  /// The folder with the store before the change.
  package let image: FolderImage
  package let before: State
  package let after: State
  private let change: (String, FileSystem) throws -> Void
  private let state: (String) throws -> State
  private let judge: (Finding) -> Void

  /// Runs the change once without a fault.
  ///
  /// - Parameters:
  ///   - change: makes the change in the folder at that path, as a new process does.
  ///   - state: reads the complete state of the folder at that path.
  ///   - judge: examines a folder after a fault and reports problems.
  package init(
    _ name: String, _ image: FolderImage, change: @escaping (String, FileSystem) throws -> Void,
    state: @escaping (String) throws -> State, judge: @escaping (Finding) -> Void
  ) throws {
    (self.name, self.image, self.change, self.state, self.judge) = (name, image, change, state, judge)
    (before, after) = try image.onCopy { path in
      let before = try state(path)
      try change(path, FileSystem())
      return (before, try state(path))
    }
  }

  /// Kills the process at each call that changes the tree. Returns the number of kills and the states found after them.
  package func kills() throws -> (count: Int, outcomes: Set<State>) {
    let calls = try image.onCopy { path in try CrashHarness().trace { try change(path, $0) } }
    let points = CrashHarness().points(calls)
    var outcomes: Set<State> = []
    for point in points {
      try image.onCopy { path in
        let isAcknowledged = (try? change(path, CrashHarness().fileSystem(stoppingAt: point))) != nil
        outcomes.insert(try FolderImage(of: path).onCopy(state))
        judge(Finding(path, isAcknowledged ? [after] : [before, after]) { "\(name): \(point)" })
      }
    }
    return (points.count, outcomes)
  }

  /// Cuts the power after each call: the disk retains no unsynced effect, all of them, and `seeded` times a random
  /// subset.
  package func powerCuts(seeded: Int) throws {
    let cut = try image.onCopy { path in try PowerCut.recording(path) { try change(path, $0) } }
    var random = SeededGenerator(seed: TestSeed.value(name))
    for count in 0...cut.calls.count {
      for keep in [Keep.nothing, .everything] + (0..<seeded).map({ _ in .seeded(random.next()) }) {
        try cut.image(at: count, keeping: keep).onCopy { path in
          let allowed = count == cut.calls.count ? [after] : [before, after]
          judge(
            Finding(path, allowed, boot: "another boot") {
              "\(name): \(count) calls, \(keep): \(cut.losses(at: count, keeping: keep))"
            })
        }
      }
    }
  }

  /// Lets each call fail once with each of several errors. After an error the state must be unchanged, unless the error
  /// says that the outcome is unknown.
  package func errors() throws {
    let calls = try image.onCopy { path in try CrashHarness().trace(allCalls: true) { try change(path, $0) } }
    for code in [SystemError.noSpace, SystemError.inputOutput, SystemError.tooManyFiles] {
      for point in CrashHarness().failures(calls, code, allCalls: true) {
        try image.onCopy { path in
          var allowed = [after]
          do {
            try change(path, CrashHarness().fileSystem(stoppingAt: point))
          } catch StorageError.uncertain {
            allowed = [before, after]
          } catch {
            allowed = [before]
          }
          judge(Finding(path, allowed) { "\(name): \(point)" })
        }
      }
    }
  }
}
