/// A small fault at one place of a source file. The planted code behaves as before, unless the process is given the
/// fault's number (``MutantSwitch``). So all faults of a run are built at once.
package struct Mutant: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case negatedCondition = "negated condition"
    case movedBoundary = "moved boundary"
    case leftOutGuard = "left-out guard"
    case leftOutStatement = "left-out statement"
    case changedConstant = "changed constant"
  }

  package var kind: Kind
  /// The path relative to the package.
  package var file: String
  package var line: Int
  /// The unchanged line, without surrounding white space.
  package var code: String
  /// Describes the change for people.
  package var change: String
  /// The byte range to replace. It may span lines; their number stays the same.
  package var range: Range<Int>
  /// The replacement, with placeholders ``number`` and ``symbol``.
  package var replacement: String
  /// A declaration that the replacement needs, once for each fault in its module.
  package var declaration: String?

  /// The placeholder of the fault's number in ``replacement`` and ``declaration``.
  static let number = "\u{A7}"
  /// The placeholder of a distinct operator character.
  static let symbol = "\u{2021}"
  /// The number of operator characters for ``symbol``.
  package static let most = 0x275

  package static func filled(_ text: String, number: Int) -> String {
    let symbol = Unicode.Scalar(0x2500 + UInt32(number)).map { String(Character($0)) } ?? ""
    return String(
      text.flatMap { character in
        switch String(character) {
        case Self.number: "\(number)"
        case Self.symbol: symbol
        default: String(character)
        }
      })
  }

  /// The target of the source file: `Sources/<target>/…`.
  package var target: String { file.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
}
