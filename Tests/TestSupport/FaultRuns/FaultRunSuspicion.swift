import LocalCloudPlatform

/// Texts of the failure that must detect a planted fault. The run ends at that failure.
struct FaultRunSuspicion: Sendable {
  struct Confirmed: Error {}

  /// All of these must occur in one failure.
  let texts: [String]

  func look(at failure: String) throws {
    if texts.allSatisfy(failure.contains) { throw Confirmed() }
  }
}

extension FaultRun {
  package enum Form: Sendable { case kills, cuts, errors }

  /// Whether a run against a program with a planted fault reports a failure that contains all these texts.
  package static func finds(
    _ texts: String..., by form: Form, of kind: String, mutant: @escaping FileSystem.Observer
  ) throws -> Bool {
    guard let kind = FaultRunKind.named(kind) else { throw FaultRunError(text: "no kind is called \(kind)") }
    var scale = FaultRunScale.short(seed: 1)
    scale.cutsAfterKills = 1
    let faultRun = try FaultRun(kind, scale, mutant: mutant, suspicion: FaultRunSuspicion(texts: texts))
    do {
      switch form {
      case .kills: _ = try faultRun.kills()
      case .cuts: _ = try faultRun.cuts()
      case .errors: _ = try faultRun.errors()
      }
      return false
    } catch is FaultRunSuspicion.Confirmed {
      return true
    }
  }
}
