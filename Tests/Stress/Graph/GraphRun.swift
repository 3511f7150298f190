import FaultInjection
import LocalCloudPlatform
import TestSupport

/// Compares Core Data with a reference: processes with several contexts each, on two stores, insert, change, link,
/// delete, save, roll back, merge, conflict and are killed at random. After each step the notifications and the
/// histories must equal the reference's, and from time to time all objects of a context. A seed gives the same steps
/// each time.
struct GraphRun {
  static let stores = 2
  static let processes = 3

  let steps: Int
  let seed: UInt64
  let executable: String
  let progress: @Sendable (ScenarioReport) -> Void

  func run() throws -> ScenarioReport {
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
