extension XMLReader {
  /// Reads an element with everything in it. Open elements are a list and no recursion, however deep.
  mutating func tree() throws(XMLFault) -> XMLElement {
    var open: [XMLElement] = []
    while true {
      if isNext("</") {
        let element = try closing(open.last)
        open.removeLast()
        guard !open.isEmpty else { return element }
        open[open.count - 1].children.append(element)
      } else if isNext("<!--") {
        try skipComment()
      } else if !open.isEmpty, isNext("<![CDATA[") {
        offset += 9
        let range = try pass("]]>", "this CDATA section")
        open[open.count - 1].text += Self.text(bytes[range])
      } else if isNext("<?") {
        try skipInstruction()
      } else if byte == UInt8(ascii: "<") {
        let (element, isClosed) = try opening()
        guard open.count < Self.maximumDepth else {
          throw fault("elements are nested more than \(Self.maximumDepth) deep", at: element.offset)
        }
        guard isClosed else {
          open.append(element)
          continue
        }
        guard !open.isEmpty else { return element }
        open[open.count - 1].children.append(element)
      } else if let last = open.last, byte == nil {
        throw fault("<\(last.name)> is not closed", at: last.offset)
      } else {
        open[open.count - 1].text += try characters()
      }
    }
  }

  /// The innermost open element, at its end.
  private mutating func closing(_ element: XMLElement?) throws(XMLFault) -> XMLElement {
    let start = offset
    offset += 2
    let name = try name("the name of an element")
    skipSpace()
    try expect(">", "after </\(name)")
    guard let element else { throw fault("</\(name)> closes nothing", at: start) }
    guard element.name == name else {
      let line = ModelPosition(offset: element.offset, in: bytes).line
      throw fault("</\(name)> stands where <\(element.name)> of line \(line) must be closed", at: start)
    }
    return element
  }

  /// The start of an element, and whether it ends at once.
  private mutating func opening() throws(XMLFault) -> (XMLElement, isClosed: Bool) {
    let start = offset
    offset += 1
    var element = XMLElement(name: try name("the name of an element"), offset: start)
    var names: Set<String> = []
    while true {
      let hadSpace = skipSpace()
      if isNext("/>") {
        offset += 2
        return (element, true)
      }
      if byte == UInt8(ascii: ">") {
        offset += 1
        return (element, false)
      }
      guard byte != nil else { throw fault("<\(element.name) is not closed by >", at: start) }
      guard hadSpace else { throw fault("expected white space, > or /> in <\(element.name)") }
      let attribute = try attribute()
      guard names.insert(attribute.name).inserted else {
        throw fault("<\(element.name)> has the attribute \(attribute.name) twice", at: attribute.offset)
      }
      element.attributes.append(attribute)
    }
  }

  mutating func attribute() throws(XMLFault) -> XMLElement.Attribute {
    let start = offset
    let name = try name("the name of an attribute")
    skipSpace()
    try expect("=", "after \(name)")
    skipSpace()
    guard let quote = byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw fault("expected the value of \(name) in quotes")
    }
    let open = offset
    offset += 1
    var value: [UInt8] = []
    while byte != quote {
      guard let byte else { throw fault("the value of \(name) is not closed", at: open) }
      guard byte != UInt8(ascii: "<") else { throw fault("< may not stand in a value; write &lt;") }
      if byte == UInt8(ascii: "&") {
        value += try reference()
      } else {
        offset += 1
        // A line's end counts as one space, however many bytes it has.
        if byte == 0x0D, self.byte == 0x0A { offset += 1 }
        value.append(Self.isSpace(byte) ? 0x20 : byte)
      }
    }
    offset += 1
    return XMLElement.Attribute(name: name, value: String(decoding: value, as: UTF8.self), offset: start)
  }

  /// The text up to the next mark-up.
  private mutating func characters() throws(XMLFault) -> String {
    var text: [UInt8] = []
    while let byte, byte != UInt8(ascii: "<") {
      if byte == UInt8(ascii: "&") {
        text += try reference()
      } else if isNext("]]>") {
        throw fault("]]> may not stand in a text")
      } else {
        let start = offset
        offset += 1
        while let next = self.byte, ![UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "]")].contains(next) {
          offset += 1
        }
        text += Self.text(bytes[start..<offset]).utf8
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The text with one line feed for every end of a line.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(0x0D) else { return String(decoding: bytes, as: UTF8.self) }
    var result: [UInt8] = []
    for (index, byte) in zip(bytes.indices, bytes) {
      if byte != 0x0D {
        result.append(byte)
      } else if index + 1 >= bytes.endIndex || bytes[index + 1] != 0x0A {
        result.append(0x0A)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  // MARK: Names and references

  private static func isName(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: ":"), 0x80...0xFF:
      true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): !isFirst
    default: false
    }
  }

  private mutating func name(_ what: String) throws(XMLFault) -> String {
    let start = offset
    while let byte, Self.isName(byte, isFirst: offset == start) { offset += 1 }
    guard offset > start else { throw fault("expected \(what)") }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// The character of a reference like `&gt;` or `&#62;`.
  private mutating func reference() throws(XMLFault) -> [UInt8] {
    let start = offset
    offset += 1
    while let byte, byte != UInt8(ascii: ";"), offset - start < 12 { offset += 1 }
    guard byte == UInt8(ascii: ";") else { throw fault("& begins no reference; write &amp;", at: start) }
    let name = String(decoding: bytes[(start + 1)..<offset], as: UTF8.self)
    offset += 1
    switch name {
    case "lt": return [UInt8(ascii: "<")]
    case "gt": return [UInt8(ascii: ">")]
    case "amp": return [UInt8(ascii: "&")]
    case "quot": return [UInt8(ascii: "\"")]
    case "apos": return [UInt8(ascii: "'")]
    default:
      let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
      guard name.hasPrefix("#"), !name.contains("+"), let number, let scalar = Unicode.Scalar(number),
        Self.isAllowed(scalar)
      else { throw fault("no character is named \(Self.quoted("&\(name);"))", at: start) }
      return Array(String(scalar).utf8)
    }
  }

  /// A text of the file in a message: on one line, and of limited length.
  static func quoted(_ text: String) -> String {
    let safe = String(String.UnicodeScalarView(text.unicodeScalars.prefix(80).map { $0.value < 0x20 ? " " : $0 }))
    return "'\(safe)\(text.unicodeScalars.count > 80 ? "…" : "")'"
  }
}
