import FaultInjection
import LocalCloudPlatform
import TestSupport

/// Core Data against a reference: processes with several contexts each, on two stores, insert, change, link, delete,
/// save, give up, merge, conflict and are killed at random. After each step, what they were told is what the
/// reference says; so are the histories, and from time to time all that a context sees. A seed gives the same steps
/// each time.
struct GraphRun {
  static let stores = 2
  static let processes = 3

  let steps: Int
  let seed: UInt64
  let executable: String
  let progress: @Sendable (StoryReport) -> Void

  func run() throws -> StoryReport {
    let folder = MemoryFolder.newPath("graph")
    try Directory.make(path: folder, in: FileSystem())
    defer { try? ScratchFolder.remove(folder) }
    var director = try GraphDirector(folder, executable: executable, seed: seed)
    defer { director.end() }
    do {
      while director.report.steps < steps, director.report.problems.isEmpty {
        try director.step()
        if director.report.steps.isMultiple(of: 500) {
          progress(director.report)
          try director.checkStores()
        }
      }
      if director.report.problems.isEmpty { try director.reopenAll() }
    } catch {
      director.report.problems.append("\(error)")
    }
    if director.report.problems.isEmpty { try director.checkStores() }
    return director.report
  }
}
