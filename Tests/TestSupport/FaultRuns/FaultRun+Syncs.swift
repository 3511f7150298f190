import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService

extension FaultRun {
  /// Makes a sync fail, so that its data never reaches the disk unless it is written again. The same process or another
  /// one saves a note, and then the power is cut. Acknowledged changes must be there.
  func lostSync(_ index: Int, _ report: inout FaultRunReport) throws {
    // The calls name this path, so the folder must be there.
    try image.write(to: path)
    defer { try? ScratchFolder.remove(path) }
    let recorder = CallRecorder(mutant, failing: index)
    let service = try Self.open(path, kind, recorder.fileSystem())
    var failure: ServiceError?
    do { try kind.run(FaultRunPeople(service)) } catch { failure = ServiceError(describing: error) }
    // If the same process goes on, it has already reported the error.
    let isSame = (index + Int(scale.seed % 2)) % 2 == 0
    let next = isSame ? service : try Self.open(path, kind, recorder.fileSystem(), ids: "next")
    let (isSaved, problems) = saveNote(FaultRunPeople(next))
    let all = Array(cut.calls.prefix(first)) + recorder.calls
    let lost = PowerCut(before: try FaultRunStage.shared.image, path: path, calls: all, failing: [first + index])
    // The next save may add to the schema again the parts that an import removed.
    let isUndone = failure == nil && kind.isDocument && kind.isStepwise
    let expected = isUndone ? .either : Self.expected(after: failure)
    // The last choice retains the data of the failed sync and loses the effects that withdrew it.
    var keeps = [Keep.nothing, .everything, .first(lost.pendingCount(at: all.count, elder: first + index))]
    for subset in 0..<scale.subsetsOfLost { keeps.append(.seeded(seed(index, subset))) }
    for keep in keeps {
      report.lostSyncs += 1
      try lost.image(at: all.count, keeping: keep).onCopy { path in
        var verdict = lookBeside(at: path, boot: "another boot", expected, isSaved)
        verdict.problems += problems
        try report.add(
          verdict,
          "failed and lost: call \(index), \(text(calls[index])): \(failure.map { "\($0.code)" } ?? "success"); "
            + "\(isSame ? "it" : "another one") goes on, power cut, \(keep); "
            + Self.few(lost.losses(at: all.count, keeping: keep)))
      }
    }
  }

  /// Makes a call fail while the next process recovers the cloud. That process must report an error or the truth, and
  /// the process after it must find everything.
  func errorsInRecovery(
    from left: FolderImage, _ outcome: FaultRunVerdict.Outcome?, _ text: String, _ sampler: inout Sampler,
    _ report: inout FaultRunReport
  ) throws {
    let calls = try left.onCopy { path in
      try CrashHarness().trace(allCalls: true) { try recover(at: path, $0) }.map { self.text($0, at: path) }
    }
    let truth = outcome == .after ? after : outcome == .before ? before : nil
    for (index, call) in calls.enumerated() where sampler.takes() {
      report.secondErrors += 1
      let code = Self.codes[index % Self.codes.count]
      try left.onCopy { path in
        let failing = fileSystem(.fail(code), at: index, scope: .allCalls)
        let scenario = try? FaultRunScenario(FaultRunPeople(Self.open(path, kind, failing, ids: "recovery")))
        var verdict = look(at: path, .exactly(outcome))
        if let scenario, let truth { verdict.problems += scenario.falsehoods(about: truth) }
        try report.add(verdict, "\(text); error \(code) in the recovery, call \(index), \(call)")
      }
    }
  }
}

extension FileSystemCall {
  var isSync: Bool {
    switch self {
    case .syncFile, .syncDirectory, .syncFileSystem: true
    default: false
    }
  }
}
