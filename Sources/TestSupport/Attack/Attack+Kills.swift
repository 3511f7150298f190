import CloudService
import Platform

extension Attack {
  /// The process ends before and after each call that changes the tree and inside each write; then the next process
  /// ends in the same way at each call of the recovery.
  package func kills() throws -> AttackReport {
    var report = AttackReport()
    report.calls = calls.count
    try onCopy(of: image) { path in
      try run(at: path, in: FileSystem(observer: mutant))
      report.add(look(at: path, .exactly(.after)), "nothing happened")
    }
    var (seen, seenSecond): (Set<Int>, Set<Int>) = ([], [])
    var sampler = Sampler(oneIn: scale.secondKills, seed: scale.seed)
    for point in CrashHarness().points(calls, allInsides: scale.allInsides) {
      report.kills += 1
      try onCopy(of: image) { path in
        let acknowledged = (try? run(at: path, in: fileSystem(point.verdict, at: point.call))) != nil
        let left = try FolderImage(of: path)
        if !acknowledged, !seen.insert(left.fingerprint).inserted {
          report.repeated += 1
          return
        }
        let verdict = look(at: path, acknowledged ? .exactly(.after) : .either)
        report.add(verdict, "killed: \(point.verdict), call \(point.call), \(text(calls[point.call]))")
        try killsInRecovery(
          from: left, verdict.outcome, "killed: \(point.verdict), call \(point.call), \(text(calls[point.call]))",
          &sampler, &seenSecond, &report)
      }
    }
    return report
  }

  private func killsInRecovery(
    from left: FolderImage, _ outcome: AttackVerdict.Outcome?, _ text: String, _ sampler: inout Sampler,
    _ seen: inout Set<Int>, _ report: inout AttackReport
  ) throws {
    let recorder = CallRecorder(mutant)
    do { try onCopy(of: left) { path in try recover(at: path, recorder.fileSystem()) } } catch {
      report.failures.append("\(text); the recovery: \(error)")
    }
    for point in CrashHarness().points(recorder.calls, allInsides: scale.allInsides) where sampler.takes() {
      report.secondKills += 1
      try onCopy(of: left) { path in
        try? recover(at: path, fileSystem(point.verdict, at: point.call))
        guard seen.insert(try FolderImage(of: path).fingerprint).inserted else {
          report.repeated += 1
          return
        }
        report.add(
          look(at: path, .exactly(outcome)), "\(text); killed in the recovery: \(point.verdict), call \(point.call)")
      }
    }
  }

  /// What brings a cloud up to its journals: opening it and looking at everything.
  func recover(at path: String, _ fileSystem: FileSystem) throws {
    _ = try AttackStory(AttackPeople(try Self.open(path, kind, fileSystem, ids: "recovery")))
  }
}
