/// A small fault in one place of a source file. It is planted beside what stands there: the code does what it did, unless
/// the process is told the fault's number (``MutantSwitch``). So all faults of a run are built at once.
package struct Mutant: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case negatedCondition = "negated condition"
    case movedBoundary = "moved boundary"
    case leftOutGuard = "left-out guard"
    case leftOutStatement = "left-out statement"
    case changedConstant = "changed constant"
  }

  package var kind: Kind
  /// Relative to the package.
  package var file: String
  package var line: Int
  /// The line as it stands, without the white space around it.
  package var code: String
  /// What the fault does to it, for people.
  package var change: String
  /// In bytes of the source; on one line or several, which stay as many.
  package var range: Range<Int>
  /// What takes its place, with ``number`` and ``symbol`` in it.
  package var replacement: String
  /// What the replacement needs, once a module and fault.
  package var declaration: String?

  /// Stands for the fault's number in ``replacement`` and ``declaration``.
  static let number = "\u{A7}"
  /// Stands for an operator character of its own.
  static let symbol = "\u{2021}"
  /// So many operator characters there are for ``symbol``.
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

  /// The target whose source it is: `Sources/<target>/…`.
  package var target: String { file.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
}
