import FaultInjection
import ObjectStore
import Platform

/// Core Data against a reference: processes with several contexts each, on two stores, insert, change, link, delete,
/// save, give up, merge, conflict and are killed at random. After each step, what they were told is what the
/// reference says; so are the histories, and from time to time all that a context sees. A seed gives the same steps
/// each time.
struct GraphRun {
  static let stores = 2
  static let processes = 3

  struct Report: Sendable, CustomStringConvertible {
    var seed: UInt64
    var steps = 0
    /// How often each kind of step was taken.
    var counts: [String: Int] = [:]
    var problems: [String] = []
    var story: [String] = []

    var description: String {
      let counts = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
      let text = "seed \(seed): \(steps) steps: \(counts)"
      guard !problems.isEmpty else { return text }
      return ([text + "; the last steps:"] + story.map { "  " + $0 } + ["and then:"] + problems.map { "  ! " + $0 })
        .joined(separator: "\n")
    }
  }

  let steps: Int
  let seed: UInt64
  let executable: String
  let progress: @Sendable (Report) -> Void

  func run() throws -> Report {
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
