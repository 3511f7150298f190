import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import Synchronization

extension FaultRun {
  /// Makes each call fail once, including calls that only read; makes the disk fail permanently from each changing call
  /// on; interrupts each system call once, or makes it transfer a single byte. After an error nothing may have been
  /// done, after a success everything must be. Either is allowed only if the error says that the outcome is unknown.
  package func errors() throws -> FaultRunReport {
    var report = FaultRunReport(suspicion)
    report.calls = calls.count
    try failingOnce(&report)
    try failingFromThenOn(&report)
    try transfers(&report)
    return report
  }

  static let codes = [
    SystemError.noSpace, SystemError.inputOutput, SystemError.accessDenied, SystemError.tooManyFiles,
  ]

  private func chosen(_ codes: [Int32], _ index: Int) -> [Int32] {
    scale.isEveryError ? codes : [codes[(index + Int(scale.seed % 64)) % codes.count]]
  }

  private func failingOnce(_ report: inout FaultRunReport) throws {
    let all = try image.onCopy { path in
      try CrashHarness().trace(allCalls: true) { try run(at: path, in: $0) }.map { call in
        (call: call, text: text(call, at: path))
      }
    }
    var sampler = Sampler(oneIn: scale.looks, seed: scale.seed)
    for (index, (call, text)) in all.enumerated() where call.changesTree || sampler.takes() {
      for code in chosen(Self.codes, index) {
        // Calls that do not change the tree do not need disk space, so they do not fail with this error.
        if !call.changesTree, code == SystemError.noSpace { continue }
        let counter = Counter()
        try attempt(
          fileSystem(.fail(code), at: index, scope: .allCalls, counter: counter), code, goesOn: counter,
          "error \(code) at call \(index), \(text)", &report)
      }
    }
  }

  private func failingFromThenOn(_ report: inout FaultRunReport) throws {
    for (index, call) in calls.enumerated() {
      let codes = [SystemError.noSpace, SystemError.inputOutput, SystemError.readOnly]
      for code in chosen(codes, index) {
        try attempt(
          fileSystem(.fail(code), at: index, sticky: true), code, goesOn: nil,
          "error \(code) from call \(index) on, \(text(call))", &report)
      }
    }
  }

  /// Runs the commit once with failing calls. `goesOn` is the call counter of a fault that is over after one call; the
  /// same process then tries again.
  private func attempt(
    _ fileSystem: FileSystem, _ code: Int32, goesOn: Counter?, _ text: String, _ report: inout FaultRunReport
  ) throws {
    report.errors += 1
    try image.onCopy { path in
      var service: CloudService?
      var failure: ServiceError?
      do {
        let opened = try Self.open(path, kind, fileSystem)
        service = opened
        try kind.run(FaultRunPeople(opened))
      } catch { failure = ServiceError(describing: error) }
      _ = goesOn?.add(Int(Int32.max))
      let expected = Self.expected(after: failure)
      var verdict = look(at: path, expected, retrying: goesOn == nil ? nil : service)
      if let failure { verdict.problems += unclear(failure, code) }
      try report.add(verdict, "\(text): \(failure.map { "\($0.code): \($0.message)" } ?? "success")")
    }
  }

  static func expected(after failure: ServiceError?) -> Expectation {
    switch failure?.code {
    case nil: .exactly(.after)
    case .serverResponseLost: .either
    default: .exactly(.before)
    }
  }

  private func unclear(_ failure: ServiceError, _ code: Int32) -> [String] {
    var problems: [String] = []
    if failure.message.isEmpty || failure.cause == nil { problems.append("an error that explains nothing: \(failure)") }
    guard code == SystemError.noSpace, failure.code != .serverResponseLost else { return problems }
    if failure.code != .quotaExceeded || failure.hint?.contains("Free") != true {
      problems.append("a full disk is answered with \(failure)")
    }
    return problems
  }

  // MARK: System calls

  private func transfers(_ report: inout FaultRunReport) throws {
    let count = Mutex(0)
    try image.onCopy { path in
      try run(
        at: path,
        in: FileSystem(
          transfers: ShortIOInjector { most in
            count.withLock { $0 += 1 }
            return most
          }))
    }
    var sampler = Sampler(oneIn: scale.transfers, seed: scale.seed)
    for index in 0..<count.withLock({ $0 }) where sampler.takes() {
      for bytes in [nil, 1] {
        let counter = Counter()
        let transfers = ShortIOInjector { counter.next() - 1 == index ? bytes : $0 }
        try succeed(
          FileSystem(transfers: transfers), "\(bytes.map { "\($0) byte moved" } ?? "interrupted") at \(index)", &report)
      }
    }
    try succeed(ShortTransfers(seed: scale.seed, longest: 40).fileSystem(), "short transfers", &report)
  }

  private func succeed(_ fileSystem: FileSystem, _ text: String, _ report: inout FaultRunReport) throws {
    report.errors += 1
    try image.onCopy { path in
      var verdict = FaultRunVerdict()
      do {
        try run(at: path, in: fileSystem)
        verdict = look(at: path, .exactly(.after))
      } catch { verdict.problems.append("\(error)") }
      try report.add(verdict, text)
    }
  }
}
