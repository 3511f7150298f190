import Platform

/// What a planted fault should be found out by; the attack ends there.
struct AttackSuspicion: Sendable {
  struct Confirmed: Error {}

  /// All of them in one failure.
  let texts: [String]

  func look(at failure: String) throws {
    if texts.allSatisfy(failure.contains) { throw Confirmed() }
  }
}

extension Attack {
  package enum Form: Sendable { case kills, cuts, errors }

  /// Whether an attack on a program with a planted fault comes to a failure that has all these texts in it.
  package static func finds(
    _ texts: String..., by form: Form, of kind: String, mutant: @escaping FileSystem.Observer
  ) throws -> Bool {
    guard let kind = AttackKind.named(kind) else { throw AttackError(text: "no kind is called \(kind)") }
    var scale = AttackScale.short(seed: 1)
    scale.cutsAfterKills = 1
    let attack = try Attack(kind, scale, mutant: mutant, suspicion: AttackSuspicion(texts: texts))
    do {
      switch form {
      case .kills: _ = try attack.kills()
      case .cuts: _ = try attack.cuts()
      case .errors: _ = try attack.errors()
      }
      return false
    } catch is AttackSuspicion.Confirmed {
      return true
    }
  }
}
