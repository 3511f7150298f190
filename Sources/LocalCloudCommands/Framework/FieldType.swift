import CloudModel
import Storage

typealias FieldType = FieldValue.ElementType

extension FieldType {
  /// Those that somebody can give a field; the unknown one is only ever found in an empty list.
  static let written = allCases.filter { $0 != .unknown }

  /// As the command line writes it.
  var word: String { self == .asset ? "asset" : rawValue.lowercased() }

  init?(word: String) {
    guard let type = Self.written.first(where: { $0.word == word }) else { return nil }
    self = type
  }

  var canBeEncrypted: Bool { self != .reference && self != .asset }
}

extension FieldProblem {
  func failure(_ place: String) -> CommandFailure { .usage("\(place): \(reason)", hint: hint) }
}

/// The files that an asset field is to hold.
package struct FieldAssets: Equatable, Sendable {
  package enum Source: Equatable, Sendable {
    /// Files the user named.
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
