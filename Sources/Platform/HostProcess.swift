#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Information about this process and its machine.
package enum HostProcess {
  package static var identifier: Int32 { getpid() }

  package static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    return String(cString: value)
  }

  package static var userIdentifier: UInt32 { getuid() }

  /// Whether the process runs as root; permissions do not restrict root.
  package static var isRoot: Bool { geteuid() == 0 }

  package static var workingDirectory: String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    return String(cString: path)
  }

  /// The program's name: the last component of the first argument.
  package static var programName: String {
    let path = CommandLine.arguments.first ?? ""
    return path.split(separator: "/").last.map(String.init) ?? "program"
  }

  /// An identifier that changes with each boot. A boot may have lost data that was not synced before.
  package static let bootIdentifier: String = {
    #if canImport(Darwin)
      var time = timeval()
      var size = MemoryLayout<timeval>.size
      sysctlbyname("kern.boottime", &time, &size, nil, 0)
      return "\(time.tv_sec).\(time.tv_usec)"
    #else
      return bootIdentifier(from: "/proc/sys/kernel/random/boot_id")
    #endif
  }()

  #if !canImport(Darwin)
    /// If the machine does not identify its boot, it may always be another one: each process assumes a new boot, and
    /// recovers unsynced data.
    static func bootIdentifier(from path: String) -> String {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      if descriptor >= 0 {
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)).filter { $0 > 32 }, as: UTF8.self)
        if !text.isEmpty { return text }
      }
      return "unknown-" + hexadecimal(randomBytes(16))
    }
  #endif

  package static func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// The process's peak memory, in bytes.
  package static var peakMemory: Int { peakMemory(ownUsage) }

  /// The largest peak memory of a program that the process ran to its end, in bytes. It includes the memory of the
  /// process itself at the program's start.
  package static var peakMemoryOfChildren: Int { peakMemory(usageOfChildren) }

  private static func peakMemory(_ who: Int32) -> Int {
    var usage = rusage()
    guard getrusage(who, &usage) == 0 else { return 0 }
    #if canImport(Darwin)
      return Int(usage.ru_maxrss)
    #else
      return Int(usage.ru_maxrss) * 1024
    #endif
  }

  /// Ends the process at once: no handler runs, as after a kill.
  package static func exitNow(_ status: Int32) -> Never { _exit(status) }

  /// The processor time of all threads of the process, in milliseconds. Threads that have ended count, too.
  package static var processorMilliseconds: Double {
    var usage = rusage()
    guard getrusage(ownUsage, &usage) == 0 else { return 0 }
    func milliseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000 }
    return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
  }

  /// Signals that tests send to processes they started.
  package enum Signal: Sendable {
    case kill, stop, `continue`, interrupt, terminate

    fileprivate var number: Int32 {
      switch self {
      case .kill: SIGKILL
      case .stop: SIGSTOP
      case .continue: SIGCONT
      case .interrupt: SIGINT
      case .terminate: SIGTERM
      }
    }
  }

  @discardableResult
  package static func signal(_ process: Int32, _ signal: Signal) -> Bool { sendSignal(process, signal.number) == 0 }

  /// Whether a process with this identifier exists. False for 0 and negative numbers: they name groups of processes.
  package static func exists(_ process: Int32) -> Bool {
    process > 0 && (sendSignal(process, 0) == 0 || errno == EPERM)
  }

  /// Stops the process like Ctrl-Z, the calling thread first: if the signal were sent to the process, that thread could
  /// continue for a while.
  package static func stopHere() { raise(SIGSTOP) }

  /// How a child ended.
  package enum End: Sendable {
    /// The exit status, or the signal's number plus 128.
    case status(Int32)
    /// The status was collected before, and is no longer known.
    case unknown
  }

  /// How a child ended; nil if it has not. It may be called again.
  package static func end(ofChild process: Int32) -> End? {
    var information = siginfo_t()
    let result = retryingInterrupts { waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) }
    guard result == 0 else { return .unknown }
    #if canImport(Darwin)
      let (child, status) = (information.si_pid, information.si_status)
    #else
      let (child, status) = (information._sifields._sigchld.si_pid, information._sifields._sigchld.si_status)
    #endif
    guard child == process else { return nil }
    return .status(information.si_code == CLD_EXITED ? status : 128 + status)
  }

  /// The file that this process runs.
  package static var executablePath: String {
    #if canImport(Darwin)
      return CommandLine.arguments.first ?? ""
    #else
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = buffer.withUnsafeMutableBytes { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
      return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : CommandLine.arguments.first ?? ""
    #endif
  }

  /// The folder of this program, and of programs that were built together with it.
  package static var executableFolder: String {
    "/" + executablePath.split(separator: "/").dropLast().joined(separator: "/")
  }

  package static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }
}

/// The bytes as two lower-case hexadecimal digits each.
package func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}

/// The random UUID (version 4, variant 1) made of 16 random bytes, in lower case.
package func randomUUID(of bytes: [UInt8]) -> String {
  var bytes = bytes
  bytes[6] = bytes[6] & 0x0F | 0x40
  bytes[8] = bytes[8] & 0x3F | 0x80
  let digits = Array(hexadecimal(bytes))
  return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
}

/// Milliseconds since 1970, from the machine's clock.
package func systemTimeMilliseconds() -> Int64 { systemTimeNanoseconds() / 1_000_000 }

/// The time in seconds since 1970, by the system's clock.
package func systemTimeSeconds() -> Double { Double(systemTimeNanoseconds()) / 1_000_000_000 }

/// The system's clock in nanoseconds since 1970.
package func systemTimeNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// A clock that never goes back, in nanoseconds; for time limits and measuring.
package func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// The time of the monotonic clock after some seconds. Less than zero counts as zero, and more than 30 years as 30 years.
package func monotonicNanoseconds(after seconds: Double) -> UInt64 {
  monotonicNanoseconds() + UInt64(min(max(0, seconds), 1_000_000_000) * 1_000_000_000)
}

private func sendSignal(_ process: Int32, _ number: Int32) -> Int32 { kill(process, number) }

/// Lets other threads run; returns at once if none is waiting to.
package func yieldProcessor() { sched_yield() }

/// Sleeps; a signal does not shorten it.
package func pause(microseconds: UInt64) {
  var time = timespec(tv_sec: Int(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1000)
  var left = timespec()
  while nanosleep(&time, &left) == -1 && errno == EINTR { time = left }
}

#if canImport(Glibc)
  private let ownUsage = Int32(RUSAGE_SELF.rawValue)
  private let usageOfChildren = Int32(RUSAGE_CHILDREN.rawValue)
#else
  private let ownUsage: Int32 = RUSAGE_SELF
  private let usageOfChildren: Int32 = RUSAGE_CHILDREN
#endif
