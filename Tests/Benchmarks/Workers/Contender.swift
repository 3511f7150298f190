import LocalCloudPlatform

/// Repeats one operation for some seconds from the opening of the barrier, and prints how long each one took.
struct Contender {
  let seconds: Double
  let barrier: String

  init(_ arguments: inout WorkerArguments) throws {
    seconds = try arguments.double()
    barrier = try arguments.text()
  }

  /// Runs `body` repeatedly. The barrier is a file that the coordinator has locked until all processes are ready.
  func run(_ body: (Int) throws -> Void) throws {
    let parts = barrier.split(separator: "/")
    let folder = try Directory.open(path: "/" + parts.dropLast().joined(separator: "/"), in: FileSystem())
    let file = try folder.file(String(parts.last ?? ""))
    StandardStream.output.write(WorkerGroup.ready + "\n")
    try file.waitForLock(.shared)
    file.unlock()

    var waits: [Double] = []
    let start = monotonicNanoseconds()
    let end = start + UInt64(seconds * 1e9)
    var round = 0
    while monotonicNanoseconds() < end {
      waits.append(try milliseconds { try body(round) })
      round += 1
    }
    let elapsed = Double(monotonicNanoseconds() - start) / 1e9
    let numbers = ([elapsed] + waits).map { "\($0)" }
    StandardStream.output.write(numbers.joined(separator: " ") + "\n")
  }
}
