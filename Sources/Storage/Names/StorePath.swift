/// The path of a file that a commit changes: encoded file names below a base that the folder's observer knows, such as
/// the folder itself. Exactly one folder's commits write each file, so that replaying that folder's journal can never
/// undo another folder's work.
package struct StorePath: Hashable, Sendable {
  package struct Base: Hashable, Sendable {
    package let name: String

    package init(_ name: String) { self.name = name }
  }

  package var base: Base
  /// Encoded file names.
  package var components: [String]

  package init(_ base: Base, _ components: [String]) {
    self.base = base
    self.components = components
  }

  package var name: String { components.last ?? "" }

  /// The form in a journal: `folder/notes/a.json`.
  package var text: String {
    var text = base.name
    text.reserveCapacity(components.reduce(text.utf8.count) { $0 + 1 + $1.utf8.count })
    for component in components {
      text += "/"
      text += component
    }
    return text
  }

  /// Nil if the base is not among `bases`, or the path could lead out of it.
  package init?(text: String, bases: [Base]) {
    var parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)[...]
    guard parts.count >= 2, case let name = String(Substring(parts.removeFirst())),
      let base = bases.first(where: { $0.name.hasSameBytes(as: name) }),
      parts.allSatisfy({ !$0.isEmpty && !$0.contains(0) })
    else { return nil }
    let components = parts.map { String(Substring($0)) }
    guard components.allSatisfy({ $0 != "." && $0 != ".." }) else { return nil }
    self.init(base, components)
  }
}
