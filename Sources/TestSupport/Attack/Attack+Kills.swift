import CloudService
import Platform

extension Attack {
  /// The process ends before and after each call that changes the tree and inside each write; then the next process
  /// ends in the same way at each call of the recovery.
  package func kills() throws -> AttackReport {
    var report = AttackReport(suspicion)
    report.calls = calls.count
    try onCopy(of: image) { path in
      try run(at: path, in: FileSystem(observer: mutant))
      try report.add(look(at: path, .exactly(.after)), "nothing happened")
    }
    var sampler = Sampler(oneIn: scale.secondKills, seed: scale.seed)
    for point in CrashHarness().points(calls, allInsides: scale.allInsides) {
      report.kills += 1
      try onCopy(of: image) { path in
        let acknowledged = (try? run(at: path, in: fileSystem(point.verdict, at: point.call))) != nil
        let left = try FolderImage(of: path)
        let verdict = look(at: path, acknowledged ? .exactly(.after) : .either)
        try report.add(verdict, "killed: \(point.verdict), call \(point.call), \(text(calls[point.call]))")
        if verdict.isRepeated { return }
        try killsInRecovery(
          from: left, verdict.outcome, "killed: \(point.verdict), call \(point.call), \(text(calls[point.call]))",
          &sampler, &report)
      }
    }
    return report
  }

  private func killsInRecovery(
    from left: FolderImage, _ outcome: AttackVerdict.Outcome?, _ text: String, _ sampler: inout Sampler,
    _ report: inout AttackReport
  ) throws {
    let recorder = CallRecorder(mutant)
    do { try onCopy(of: left) { path in try recover(at: path, recorder.fileSystem()) } } catch {
      report.failures.append("\(text); the recovery: \(error)")
    }
    for point in CrashHarness().points(recorder.calls, allInsides: scale.allInsides) where sampler.takes() {
      report.secondKills += 1
      try onCopy(of: left) { path in
        try? recover(at: path, fileSystem(point.verdict, at: point.call))
        try report.add(
          look(at: path, .exactly(outcome)), "\(text); killed in the recovery: \(point.verdict), call \(point.call)")
      }
    }
  }

  /// What brings a cloud up to its journals: opening it and looking at everything.
  func recover(at path: String, _ fileSystem: FileSystem) throws {
    _ = try AttackStory(AttackPeople(try Self.open(path, kind, fileSystem, ids: "recovery")))
  }
}
