import FaultInjection
import LocalCloudPlatform

extension FaultRun {
  /// Kills the process before and after each call that changes the tree and inside each write. Then kills the next
  /// process in the same way at each call of the recovery.
  package func kills() throws -> FaultRunReport {
    var report = FaultRunReport(suspicion)
    report.calls = calls.count
    try image.onCopy { path in
      try run(at: path, in: FileSystem(observer: mutant))
      try report.add(look(at: path, .exactly(.after)), "nothing happened")
    }
    var samplers = (
      kills: Sampler(oneIn: scale.secondKills, seed: scale.seed),
      writers: Sampler(oneIn: scale.writers, seed: scale.seed),
      recoveries: Sampler(oneIn: scale.failingRecoveries, seed: scale.seed),
      errors: Sampler(oneIn: scale.failuresInRecovery, seed: scale.seed)
    )
    for point in CrashHarness().points(calls, thoroughly: scale.thoroughly) {
      report.kills += 1
      try image.onCopy { path in
        let acknowledged = (try? run(at: path, in: fileSystem(point.verdict, at: point.call))) != nil
        let left = try FolderImage(of: path)
        let verdict = look(at: path, holding: left, acknowledged ? .exactly(.after) : .either)
        let text = "killed: \(point.verdict), call \(point.call), \(text(calls[point.call]))"
        try report.add(verdict, text)
        if verdict.isRepeated { return }
        if samplers.writers.takes() { try writer(comesTo: left, verdict.outcome, text, &report) }
        let recovery = try recovery(from: left, text, &report)
        try killsIn(recovery, from: left, verdict.outcome, text, &samplers.kills, &report)
        if samplers.recoveries.takes() {
          try errorsInRecovery(from: left, verdict.outcome, text, &samplers.errors, &report)
        }
      }
    }
    return report
  }

  /// The calls of an undisturbed recovery.
  func recovery(
    from left: FolderImage, boot: String = HostProcess.bootIdentifier, _ text: String, _ report: inout FaultRunReport
  ) throws -> PowerCut {
    let recorder = CallRecorder(mutant)
    return try left.onCopy { path in
      do { try recover(at: path, recorder.fileSystem(boot: boot)) } catch {
        report.failures.append("\(text); the recovery: \(error)")
      }
      return PowerCut(before: left, path: path, calls: recorder.calls)
    }
  }

  /// Checks kills in the recovery. The state after each kill is computed from the recovery's calls. Some kills are
  /// carried out, to verify the computation.
  func killsIn(
    _ recovery: PowerCut, from left: FolderImage, boot: String = HostProcess.bootIdentifier,
    _ outcome: FaultRunVerdict.Outcome?, _ text: String, _ sampler: inout Sampler, _ report: inout FaultRunReport
  ) throws {
    var done = Sampler(oneIn: scale.doneSecondKills, seed: UInt64(report.secondKills))
    for point in CrashHarness().points(recovery.calls, thoroughly: scale.thoroughly) where sampler.takes() {
      report.secondKills += 1
      let text = "\(text); killed in the recovery: \(point.verdict), call \(point.call)"
      let image = recovery.image(endedAt: point)
      try report.add(try look(at: image, boot: boot, .exactly(outcome)), text)
      // With a mutant, the calls are numbered differently.
      guard mutant == nil, done.takes() else { continue }
      try left.onCopy { path in
        try? recover(at: path, fileSystem(point.verdict, at: point.call, boot: boot))
        let found = try FolderImage(of: path)
        if !found.isSameButForTimes(as: image) {
          report.failures.append("\(text), leaves: \(found.differences(from: image).joined(separator: ", "))")
        }
      }
    }
  }

  /// The next process starts with a save instead of reading.
  private func writer(
    comesTo left: FolderImage, _ outcome: FaultRunVerdict.Outcome?, _ text: String, _ report: inout FaultRunReport
  ) throws {
    report.writers += 1
    try left.onCopy { path in
      let (isSaved, problems) = saveNote(FaultRunPeople(try Self.open(path, kind, ids: "writer")))
      var verdict = lookBeside(at: path, .exactly(outcome), isSaved)
      verdict.problems += problems
      try report.add(verdict, "\(text); a writer comes first")
    }
  }

  /// Recovers the cloud: opens it and reads everything, so that its journals are applied.
  func recover(at path: String, _ fileSystem: FileSystem) throws {
    _ = try FaultRunScenario(FaultRunPeople(try Self.open(path, kind, fileSystem, ids: "recovery")))
  }
}
