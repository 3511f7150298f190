import LocalCloudCoreDataModel

/// The contents of a model, one part a line, for comparison with its file. False, empty and zero values are omitted, so
/// that each line shows only values that differ from the default.
enum ModelListing {
  static func lines(_ model: ManagedModel) -> [String] { lines(of: model, kind: "model", "  ") }

  private static func lines(of value: Any, kind: String, _ indentation: String) -> [String] {
    var (line, below) = (indentation + kind, [String]())
    for (label, value) in Mirror(reflecting: value).children {
      guard let label else { continue }
      let list = Mirror(reflecting: value)
      if list.displayStyle == .collection, !(value is [String]), !(value is [[String]]) {
        let kind = label == "entities" ? "entity" : String(label.hasSuffix("Indexes") ? "index" : label.dropLast())
        for part in list.children {
          below += lines(of: part.value, kind: kind == "fetchedPropertie" ? "fetched" : kind, indentation + "  ")
        }
      } else if let text = text(value) {
        line += text.isEmpty ? " \(label)" : " \(label)=\(text)"
      }
    }
    return [line] + below
  }

  /// The printed text of a value: nil if the value is omitted, and empty for true.
  private static func text(_ value: Any) -> String? {
    switch value {
    case let flag as Bool: return flag ? "" : nil
    case let number as Int: return number == 0 ? nil : "\(number)"
    case let text as String: return text.debugDescription
    case let texts as [String]: return texts.isEmpty ? nil : "\(texts)"
    case let lists as [[String]]: return lists.isEmpty ? nil : "\(lists)"
    case let pairs as [String: String]:
      return pairs.isEmpty ? nil : "\(pairs.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })"
    default: break
    }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else {
      return mirror.displayStyle == .struct
        ? "(" + lines(of: value, kind: "", "").joined().dropFirst() + ")" : "\(value)"
    }
    guard let content = mirror.children.first else { return nil }
    return text(content.value)
  }
}
