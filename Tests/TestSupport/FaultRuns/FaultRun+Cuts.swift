import FaultInjection
import LocalCloudPlatform

extension FaultRun {
  /// Cuts the power after every number of calls, and retains none, all or some of the effects that were not synced.
  /// Then cuts it again while the cloud recovers on another boot.
  package func cuts() throws -> FaultRunReport {
    var report = FaultRunReport(suspicion)
    report.calls = calls.count
    var sampler = Sampler(oneIn: scale.secondCuts, seed: scale.seed)
    var secondKills = Sampler(oneIn: scale.secondKills, seed: scale.seed)
    for count in first...cut.calls.count {
      var keeps: [Keep] = [.nothing]
      // If all effects are retained, the state is that after a kill. A short run tries it only at every other call.
      if scale.subsets > 1 || count % 2 == 0 { keeps.append(.everything) }
      for subset in 0..<scale.subsets { keeps.append(.seeded(seed(count, subset))) }
      for keep in keeps {
        report.cuts += 1
        let left = cut.image(at: count, keeping: keep)
        let text = "power cut after \(count - first) calls, \(keep)"
        // At the last point the commit is acknowledged.
        let verdict = try look(at: left, boot: "another boot", count == cut.calls.count ? .exactly(.after) : .either)
        try report.add(verdict, "\(text); \(Self.few(cut.losses(at: count, keeping: keep)))")
        if !verdict.isRepeated, sampler.takes() {
          let recovery = try recovery(from: left, boot: "another boot", text, &report)
          try cutsIn(recovery, verdict.outcome, text, &report)
          try killsIn(recovery, from: left, boot: "another boot", verdict.outcome, text, &secondKills, &report)
        }
      }
    }
    var kills = Sampler(oneIn: scale.cutsAfterKills, seed: scale.seed)
    for call in 0...calls.count where kills.takes() {
      do { try cutsAfterKill(at: call, &report) } catch let error where !(error is FaultRunSuspicion.Confirmed) {
        report.failures.append("killed before call \(call), the recovery: \(error)")
      }
    }
    for index in calls.indices where calls[index].isSync { try lostSync(index, &report) }
    return report
  }

  func seed(_ count: Int, _ subset: Int) -> UInt64 {
    scale.seed &+ UInt64(count) << 20 &+ UInt64(bitPattern: Int64(subset))
  }

  private func cutsIn(
    _ recovery: PowerCut, _ outcome: FaultRunVerdict.Outcome?, _ text: String, _ report: inout FaultRunReport
  ) throws {
    var sampler = Sampler(oneIn: scale.secondCutPoints, seed: scale.seed)
    for count in 0...recovery.calls.count where sampler.takes() {
      for keep in [Keep.nothing, .everything, .seeded(seed(count, 0))] {
        report.secondCuts += 1
        let image = recovery.image(at: count, keeping: keep)
        let verdict = try look(at: image, boot: "a third boot", .exactly(outcome))
        try report.add(
          verdict,
          "\(text); cut in the recovery after \(count) calls, \(keep); "
            + Self.few(recovery.losses(at: count, keeping: keep))
        )
      }
    }
  }

  /// Kills the process, recovers the cloud in another process, examines it, and then cuts the power. The data visible
  /// after the recovery must not change.
  private func cutsAfterKill(at call: Int, _ report: inout FaultRunReport) throws {
    let (outcome, calls) = try afterKill(at: call)
    let cut = PowerCut(before: try FaultRunStage.shared.image, path: path, calls: calls)
    for keep in [Keep.nothing, .seeded(seed(call, -1))] {
      report.secondCuts += 1
      let left = cut.image(at: calls.count, keeping: keep)
      let verdict = try look(at: left, boot: "another boot", kind.isDocument ? .either : .exactly(outcome))
      try report.add(
        verdict,
        "killed before call \(call), recovered, cut, \(keep); "
          + Self.few(cut.losses(at: calls.count, keeping: keep)))
    }
  }

  /// The visible data after the recovery, and all calls up to its end.
  private func afterKill(at call: Int) throws -> (FaultRunVerdict.Outcome?, [FileSystemCall]) {
    // The calls name this path, so the folder must be there.
    try image.write(to: path)
    defer { try? ScratchFolder.remove(path) }
    try? run(at: path, in: fileSystem(.stopBefore, at: call))
    let recorder = CallRecorder(mutant)
    try recover(at: path, recorder.fileSystem())
    let scenario = try FaultRunScenario(FaultRunPeople(try Self.open(path, kind)))
    return (outcome(scenario), cut.calls.prefix(first + call) + recorder.calls)
  }
}
