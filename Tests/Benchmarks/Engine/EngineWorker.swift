import LocalCloudPlatform

/// Processes with a sync engine.
enum EngineWorker {
  /// The jobs. Each is followed by the cloud's path and a number.
  enum Job: String {
    /// Waits with an engine without work, and prints the processor time that it took: seconds.
    case idle
    /// Adds pending saves, and prints the process's peak memory: their number.
    case add
    /// Adds pending saves, sends them, and prints the process's peak memory: their number.
    case send
    /// Adds a pending save for each line of its input, until it is killed: any number.
    case write
    /// Prints the time of each event with fetched records, until it is killed: any number.
    case receive
  }

  static func run(_ arguments: inout WorkerArguments) throws {
    guard let job = Job(rawValue: try arguments.text()) else { throw UsageError(message: "no such job") }
    let root = try arguments.text()
    let number = try arguments.int()
    switch job {
    case .idle:
      let device = try EngineDevice("phone", root: root)
      try device.finishScheduledWork()
      // The last tasks of the start end during this time.
      pause(microseconds: 1_000_000)
      try AwaitBenchmark.printProcessorTime { pause(microseconds: UInt64(number) * 1_000_000) }
      withExtendedLifetime(device) {}
    case .add, .send:
      let device = try EngineDevice("phone", root: root, automatically: false)
      device.add(0..<number)
      if job == .send { try device.send() }
      StandardStream.output.write("\(try PeakMemory.bytes())\n")
      withExtendedLifetime(device) {}
    case .write:
      let device = try EngineDevice("phone", root: root)
      try device.finishScheduledWork()
      StandardStream.output.write(WorkerGroup.ready + "\n")
      var count = 0
      while readLine() != nil {
        device.add(count..<(count + 1))
        count += 1
      }
    case .receive:
      let device = try EngineDevice("tablet", root: root) { Listening.printTime() }
      try device.finishScheduledWork()
      StandardStream.output.write(WorkerGroup.ready + "\n")
      while true { pause(microseconds: 1_000_000) }
      withExtendedLifetime(device) {}
    }
  }
}
