import FaultInjection
import LocalCloudPlatform
import TestSupport

/// Worker processes that start together behind a barrier.
struct WorkerGroup {
  /// The results of one process.
  struct Report: Sendable {
    var seconds: Double
    /// The duration of each request in milliseconds.
    var waits: [Double]

    var rate: Double { Double(waits.count) / seconds }
  }

  static let ready = "ready"
  let folder: TemporaryFolder

  /// Starts one process, and waits until it is ready.
  static func started(
    _ job: Worker.Job, _ arguments: [String], environment: [String: String] = [:], hasInput: Bool = false
  ) throws -> ChildProcess {
    let child = try ChildProcess(
      HostProcess.executablePath, [Worker.argument, job.rawValue] + arguments, environment: environment,
      hasInput: hasInput)
    guard child.nextLine(seconds: 120) == ready else {
      throw UnexpectedResult(text: "a process did not start: \(child.errors)")
    }
    return child
  }

  init() throws { folder = try Leftovers.folder("workers") }

  /// Runs all jobs to their end, each with its list of arguments in its own process.
  func run(_ job: [(Worker.Job, [String])], seconds: Double) throws -> [Report] {
    let barrier = try folder.directory.createFile("barrier")
    guard try barrier.tryLock(.exclusive) else { throw UnexpectedResult(text: "the barrier is taken") }
    let children = try job.map { job, arguments in
      try ChildProcess(
        HostProcess.executablePath,
        [Worker.argument, job.rawValue] + arguments + ["\(seconds)", folder.path + "/barrier"])
    }
    defer { for child in children { child.kill() } }
    for child in children where !child.waitForOutput(Self.ready, seconds: 120) {
      throw UnexpectedResult(text: "a process did not start: \(child.errors)")
    }
    barrier.unlock()
    return try children.map { child in
      let status = child.wait()
      let numbers = child.output.split(separator: "\n").last?.split(separator: " ").compactMap { Double($0) } ?? []
      guard status == 0, numbers.count > 1 else {
        throw UnexpectedResult(text: "a process ended with \(status): \(child.errors)")
      }
      return Report(seconds: numbers[0], waits: Array(numbers.dropFirst()))
    }
  }
}
