/// An element of an XML file. Offsets are in bytes of the file, so that a problem found later has a line.
struct XMLElement {
  struct Attribute {
    var name: String
    var value: String
    var offset: Int
  }

  var name: String
  var attributes: [Attribute] = []
  var children: [XMLElement] = []
  /// The text directly in the element, without that of its children.
  var text = ""
  var offset: Int

  subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}

/// The error of an XML file, and its offset.
struct XMLFault: Error, Equatable {
  var message: String
  var offset: Int
}

/// A position in a file, for people to find with an editor.
package struct ModelPosition: Sendable, Hashable, Comparable {
  /// From 1.
  package var line: Int
  /// From 1, in Unicode scalars.
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The position of a byte.
  init(offset: Int, in bytes: [UInt8]) {
    var (line, start) = (1, 0)
    let end = min(offset, bytes.count)
    for index in 0..<end where bytes[index] == UInt8(ascii: "\n") {
      line += 1
      start = index + 1
    }
    self.line = line
    column = bytes[start..<end].count { $0 & 0xC0 != 0x80 } + 1
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
