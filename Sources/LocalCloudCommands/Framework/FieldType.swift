import LocalCloudModel
import LocalCloudStorage

typealias FieldType = FieldValue.ElementType

extension FieldType {
  /// The types that a user can give a field. The unknown type only occurs in an empty list.
  static let written = allCases.filter { $0 != .unknown }

  /// The type's name on the command line.
  var word: String { self == .asset ? "asset" : rawValue.lowercased() }

  init?(word: String) {
    guard let type = Self.written.first(where: { $0.word == word }) else { return nil }
    self = type
  }

  var canBeEncrypted: Bool { self != .reference && self != .asset }
}

extension FieldProblem {
  func failure(_ subject: String) -> CommandFailure { .usage("\(subject): \(reason)", hint: hint) }
}

/// The files of an asset field.
package struct FieldAssets: Equatable, Sendable {
  package enum Source: Equatable, Sendable {
    /// Paths of files that the user named.
    case paths([String])
    /// Keys of `--asset-files KEY=path`.
    case keys([String])
  }

  package var source: Source
  package var isList: Bool

  package init(source: Source, isList: Bool) {
    self.source = source
    self.isList = isList
  }
}
