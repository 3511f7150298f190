extension PermissionTable.Kind {
  package var shareName: String { self == .hierarchical ? "share" : "cloudkit.zoneshare" }
}

extension PermissionTable.Who {
  /// The caller's account; nil if no account is signed in.
  package var account: String? {
    switch self {
    case .owner: "alice"
    case .signedOut: nil
    default: "bob"
    }
  }

  package var comesByLink: Bool { self == .linkReader || self == .linkWriter }
}

extension PermissionTable.Cell {
  /// The meaning of a cell's word.
  package enum Expectation: Sendable, Equatable {
    case refused(Int)
    case nothing
    case seen(String)
    case done
    case leaves
  }

  package var expectation: Expectation {
    if let code = Int(expected) { return .refused(code) }
    return switch expected {
    case "ok": .done
    case "leaves": .leaves
    case "nothing": .nothing
    default: .seen(expected)
    }
  }

  /// The outcome that a runner must return.
  package var expectedOutcome: String {
    switch expectation {
    case .refused(let code): "\(code)"
    case .seen(let letters): letters
    case .nothing, .done, .leaves: "ok"
    }
  }

  package var changesNothing: Bool {
    switch expectation {
    case .refused, .nothing, .seen: true
    case .done: action == "fetch" || action == "decrypt"
    case .leaves: false
    }
  }

  /// The name of the record that the action is about.
  package var recordName: String { target == "share" ? kind.shareName : target }

  /// The same person and kind with another action and record.
  package func with(_ action: String, _ target: String) -> Self {
    var copy = self
    (copy.action, copy.target) = (action, target)
    return copy
  }
}
