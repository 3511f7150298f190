import FaultInjection
import TestSupport
import Testing

@testable import LocalCloudCoreDataModel

@Suite("The XML reader for models")
struct XMLReaderTests {
  private func read(_ text: String) throws(XMLFault) -> XMLElement { try XMLReader.read(Array(text.utf8)) }

  /// The error with its line and column.
  private func fault(_ bytes: [UInt8]) -> String {
    do throws(XMLFault) {
      return "none: \(try XMLReader.read(bytes).name)"
    } catch {
      let position = ModelPosition(offset: error.offset, in: bytes)
      return "\(position.line):\(position.column) \(error.message)"
    }
  }

  private func fault(_ text: String) -> String { fault(Array(text.utf8)) }

  @Test("elements, attributes, texts, references, comments, instructions and CDATA are read")
  func wellFormed() throws {
    let root = try read(
      """
      \u{FEFF}<?xml version='1.0' encoding="utf-8"?>
      <!-- before --><?go on?>
      <!DOCTYPE a PUBLIC "-//A//>" "http://a/[b]">
      <a one = "1 &lt; 2 &amp;&amp; &quot;3&quot; &#62; &#x1F600;"  two='"'>
        <b:c-d.e/>x&apos;y<!-- within --><![CDATA[<&]]]]><![CDATA[>]]><?more?>
        <é é="ü"></é>
      </a>
      <!-- after -->

      """)
    #expect(root.name == "a")
    #expect(root["one"] == "1 < 2 && \"3\" > 😀")
    #expect(root["two"] == "\"")
    #expect(root.children.map(\.name) == ["b:c-d.e", "é"])
    #expect(root.children[1]["é"] == "ü")
    #expect(root.text.split(whereSeparator: \.isWhitespace) == ["x'y<&]]>"])
  }

  @Test("a line end is read as one line feed, and as one space in an attribute's value")
  func lineEndIsReadAsOneLine() throws {
    let root = try read("<a b='1\r\n2\r3\n\t4&#13;5'>1\r\n2\r3\n4\r</a>")
    #expect(root["b"] == "1 2 3  4\r5")
    #expect(root.text == "1\n2\n3\n4\n")
    #expect(root.text.utf8.count == 8)
  }

  @Test(
    "malformed XML is reported with its line and column",
    arguments: [
      ("", "1:1 expected an element"),
      ("text", "1:1 expected an element"),
      ("<a>", "1:1 <a> is not closed"),
      ("<a", "1:1 <a is not closed by >"),
      ("<a><b></a>", "1:7 </a> stands where <b> of line 1 must be closed"),
      ("<a>\n  </b>\n</a>", "2:3 </b> stands where <a> of line 1 must be closed"),
      ("</a>", "1:1 </a> closes nothing"),
      ("<a/><b/>", "1:5 nothing may stand after the end of <a>"),
      ("<a/>x", "1:5 nothing may stand after the end of <a>"),
      ("< a/>", "1:2 expected the name of an element"),
      ("<a><![CDATA[x</a>", "1:13 this CDATA section is not closed by ]]>"),
      ("<![CDATA[x]]>", "1:2 expected the name of an element"),
      ("<a>]]></a>", "1:4 ]]> may not stand in a text"),
      ("<!-- a", "1:5 this comment is not closed by -->"),
      ("<!-- a -- b --><a/>", "1:8 -- may not stand in a comment"),
      ("<?a", "1:3 this instruction is not closed by ?>"),
      ("<a b='1'c='2'/>", "1:9 expected white space, > or /> in <a"),
      ("<a b=1/>", "1:6 expected the value of b in quotes"),
      ("<a b/>", "1:5 expected = after b"),
      ("<a b='1/>", "1:6 the value of b is not closed"),
      ("<a b='<'/>", "1:7 < may not stand in a value; write &lt;"),
      ("<a b='1' b='2'/>", "1:10 <a> has the attribute b twice"),
      ("<a>\n\n é &nbsp;</a>", "3:4 no character is named '&nbsp;'"),
      ("<a>&</a>", "1:4 & begins no reference; write &amp;"),
      ("<a>&#0;</a>", "1:4 no character is named '&#0;'"),
      ("<a>&#xD800;</a>", "1:4 no character is named '&#xD800;'"),
      ("<a>&#+62;</a>", "1:4 no character is named '&#+62;'"),
      ("<a>&#99999999;</a>", "1:4 no character is named '&#99999999;'"),
      ("<a>\u{1}</a>", "1:4 this is not UTF-8"),
      (
        "<?xml version='1.0' encoding='ISO-8859-1'?><a/>",
        "1:1 the file says that it is in 'ISO-8859-1'; it must be in UTF-8"
      ),
    ])
  func malformedXMLIsReportedWithItsLine(_ text: String, _ expected: String) {
    #expect(fault(text) == expected)
  }

  // [model-check-6]
  @Test("external files are not read, and entity declarations are refused")
  func externalFilesAreNotReadAndEntity() {
    let laughs = "<!DOCTYPE a [<!ENTITY b \"ha\"><!ENTITY c \"&b;&b;&b;\">]>\n<a>&c;</a>"
    #expect(fault(laughs) == "1:13 declarations in the document type are not supported")
    let file = "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>"
    #expect(fault(file) == "1:13 declarations in the document type are not supported")
    #expect(fault("<!DOCTYPE a SYSTEM 'http://example.org/'><a/>") == "none: a")
    #expect(fault("<!DOCTYPE a><!DOCTYPE a><a/>") == "1:14 expected the name of an element")
    #expect(fault("<!DOCTYPE a '>") == "1:1 this document type is not closed by >")
  }

  // [model-check-6]
  @Test("depth and length are limited, and encodings other than UTF-8 are refused")
  func depthAndLengthAreLimitedAndEncodings() {
    let depth = XMLReader.maximumDepth
    let deep = { (count: Int) in String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count) }
    #expect(fault(deep(depth)) == "none: a")
    #expect(fault(deep(depth + 1)) == "1:\(3 * depth + 1) elements are nested more than \(depth) deep")
    #expect(
      fault(String(repeating: "<a>", count: 1_000_000))
        == "1:\(3 * depth + 1) elements are nested more than \(depth) deep")
    #expect(fault([UInt8](repeating: 0x20, count: XMLReader.maximumLength + 1)) == "1:1 the file is too large")
    #expect(fault([0xFF, 0xFE, 0x3C, 0]) == "1:1 the file is in UTF-16; it must be in UTF-8")
    #expect(fault(Array("<a>\n".utf8) + [0xC3, 0x28]) == "2:1 this is not UTF-8")
    #expect(fault(Array("<a>".utf8) + [0xED, 0xA0, 0x80]) == "1:4 this is not UTF-8")
  }

  // [model-check-6]
  @Test(
    "reading time of 300 kB of a repeated text grows linearly with the length",
    arguments: [
      "<a>", "</a>", "<a b='", "<a b='' ", "&lt;", "]]", "<!--", "<!-- -->", "<![CDATA[", "<a/>", "<", "\r\n", "é",
    ])
  func readingTimeOf300KB(_ piece: String) {
    for start in ["", "<a>", "<a b='"] {
      let text = start + String(repeating: piece, count: 300_000 / piece.utf8.count)
      let time = processorTime { _ = fault(text) }
      #expect(time < .seconds(20), "\(start)\(piece)")
    }
  }
}
