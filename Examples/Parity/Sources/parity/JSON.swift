import Foundation

/// A JSON value: an answer, and a part of a recording.
enum JSON: Codable, Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  /// The kinds of values that differ from run to run. A marked value is an object with the one key `$kind`; the
  /// ``Normalizer`` replaces it with a placeholder.
  enum Mark: String {
    case date, duration, tag, token
  }

  static func marked(_ kind: Mark, _ value: String) -> JSON { .object(["$" + kind.rawValue: .text(value)]) }

  /// An object without the entries that are nil.
  static func of(_ entries: [String: JSON?]) -> JSON { .object(entries.compactMapValues { $0 }) }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSON].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .integer(let integer): try value.encode(integer)
    case .number(let number): try value.encode(number)
    case .text(let text): try value.encode(text)
    case .list(let list): try value.encode(list)
    case .object(let object): try value.encode(object)
    }
  }

  /// The value on one line, for messages.
  var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The value at each path, for example `items[0].error.code`. An empty list or object counts as a value.
  func leaves(at path: String = "") -> [String: JSON] {
    var leaves: [String: JSON] = [:]
    switch self {
    case .list(let list) where !list.isEmpty:
      for (index, value) in list.enumerated() { leaves.merge(value.leaves(at: "\(path)[\(index)]")) { $1 } }
    case .object(let object) where !object.isEmpty:
      for (key, value) in object { leaves.merge(value.leaves(at: path.isEmpty ? key : "\(path).\(key)")) { $1 } }
    default:
      leaves[path] = self
    }
    return leaves
  }
}
