import FaultInjection
import LocalCloudPlatform
import LocalCloudStorage

/// A change of any store, attacked at each of its calls: the next process has to find what was before or what is after.
package struct FaultCase<Story: Hashable> {
  /// Where a store is looked at after an attack, and what may be found there.
  package struct Finding {
    package let path: String
    package let allowed: [Story]
    package let boot: String
    private let words: () -> String

    package var text: String { words() }

    package init(
      _ path: String, _ allowed: [Story], boot: String = HostProcess.bootIdentifier, _ text: @escaping () -> String
    ) {
      (self.path, self.allowed, self.boot, words) = (path, allowed, boot, text)
    }
  }

  package let name: String
  /// The folder with the store before the change.
  package let image: FolderImage
  package let before: Story
  package let after: Story
  private let change: (String, FileSystem) throws -> Void
  private let story: (String) throws -> Story
  private let judge: (Finding) -> Void

  /// Makes the change once, undisturbed.
  ///
  /// - Parameters:
  ///   - change: makes the change in the folder at that path, as a new process does.
  ///   - story: all that a reader of the folder is told.
  ///   - judge: looks at a folder after an attack, and tells of what is wrong.
  package init(
    _ name: String, _ image: FolderImage, change: @escaping (String, FileSystem) throws -> Void,
    story: @escaping (String) throws -> Story, judge: @escaping (Finding) -> Void
  ) throws {
    (self.name, self.image, self.change, self.story, self.judge) = (name, image, change, story, judge)
    (before, after) = try image.onCopy { path in
      let before = try story(path)
      try change(path, FileSystem())
      return (before, try story(path))
    }
  }

  /// Kills the process at each call that changes the tree. Returns how many times, and what was found then.
  package func kills() throws -> (count: Int, outcomes: Set<Story>) {
    let calls = try image.onCopy { path in try CrashHarness().trace { try change(path, $0) } }
    let points = CrashHarness().points(calls)
    var outcomes: Set<Story> = []
    for point in points {
      try image.onCopy { path in
        let isAcknowledged = (try? change(path, CrashHarness().fileSystem(stoppingAt: point))) != nil
        outcomes.insert(try FolderImage(of: path).onCopy(story))
        judge(Finding(path, isAcknowledged ? [after] : [before, after]) { "\(name): \(point)" })
      }
    }
    return (points.count, outcomes)
  }

  /// Cuts the power after each call: the disk keeps nothing that was not synced, all of it, and `seeded` times some of it.
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

  /// Lets each call fail once with each of some errors. An error means that nothing was done, unless it says that nobody
  /// can tell.
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
