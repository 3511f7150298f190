import LocalCloudStorage

/// The text of a JSON document with a long list, made piece by piece: the same bytes as those of the whole document.
struct JSONListText {
  private let name: String
  private var isEmpty = true

  /// `name`: the list's key in the document.
  init(_ name: String) { self.name = name }

  /// The next items.
  ///
  /// - Parameter head: the document's members with keys before the list's.
  mutating func items(_ items: [JSONValue], head: JSONObject = [:]) -> [UInt8] {
    var bytes: [UInt8] = []
    for item in items {
      // The list is the last member here; these are the bytes after its bracket: `]`, a newline, `}` and a newline.
      bytes += isEmpty ? document(head).dropLast(4) : [UInt8(ascii: ",")][...]
      bytes += Array("\n    ".utf8) + item.pretty(depth: 2)
      isEmpty = false
    }
    return bytes
  }

  /// The end of the document, or the whole of it if there were no items.
  ///
  /// - Parameter members: all members of the document but the list.
  func end(_ members: JSONObject) -> [UInt8] {
    if isEmpty { return document(members) }
    let tail = members.members(after: name)
    // The list is the first member here; these are the bytes up to its bracket.
    return Array("\n  ".utf8) + document(tail).dropFirst("{\n  \"\(name)\": [".utf8.count)
  }

  private func document(_ members: JSONObject) -> [UInt8] {
    var document = members
    document[name] = []
    return JSONValue.object(document).pretty()
  }
}

extension JSONObject {
  /// The members with keys before this one.
  func members(before key: String) -> JSONObject { filtered { ExactName($0) < ExactName(key) } }

  /// The members with keys after this one.
  func members(after key: String) -> JSONObject { filtered { ExactName(key) < ExactName($0) } }

  private func filtered(_ isIncluded: (String) -> Bool) -> JSONObject {
    JSONObject(map { ($0.key, $0.value) }.filter { isIncluded($0.0) })
  }
}
