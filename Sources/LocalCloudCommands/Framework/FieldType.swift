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

  func field(_ value: JSONValue, isList: Bool = false, isEncrypted: Bool = false) -> JSONValue {
    var result: JSONObject = ["type": .string(isList ? rawValue + "_LIST" : rawValue), "value": value]
    if isEncrypted { result["isEncrypted"] = true }
    return .object(result)
  }
}

/// What is wrong with one field, before it is known where the field came from.
struct FieldProblem: Error, Equatable {
  var reason: String
  var hint: String?

  init(_ reason: String, hint: String? = nil) {
    self.reason = reason
    self.hint = hint
  }

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
