import FaultInjection
import TestSupport
import Testing

@testable import LocalCloudStorage

@Suite struct FileNameTests {
  private static func isSafe(_ component: String) -> Bool {
    !component.isEmpty && component.utf8.count <= 200 && component.utf8.first != UInt8(ascii: ".")
      && component.unicodeScalars.allSatisfy {
        ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory) && $0 != "/"
      }
  }

  private static func sameBytes(_ left: String?, _ right: String) -> Bool {
    left.map { $0.utf8.elementsEqual(right.utf8) } ?? false
  }

  @Test(arguments: [
    ("", "%"), ("note", "note"), ("A", "A"), ("a", "a"), ("%", "%25"), (".", "%2E"), ("..", "%2E%2E"),
    ("...", "%2E.%2E"), ("../../x", "%2E.%2F..%2Fx"), ("a/b", "a%2Fb"), ("/", "%2F"), (".lock", "%2Elock"),
    ("a.json", "a.json"), ("a.", "a%2E"), ("a ", "a%20"), (" a", " a"), (" ", "%20"), ("a  ", "a %20"),
    ("a..", "a.%2E"), ("\0", "%00"), ("a\0b", "a%00b"), ("\u{1F}\u{7F}\u{80}\u{9F}", "%1F%7F%C2%80%C2%9F"),
    ("~", "%7E"), ("a,b", "a%2Cb"), ("100%", "100%25"), ("%2F", "%252F"), ("日本語", "日本語"), ("😀", "😀"),
    ("👩\u{200D}💻", "👩%E2%80%8D💻"), ("\u{202E}gnp.exe", "%E2%80%AEgnp.exe"), ("\u{FEFF}a", "%EF%BB%BFa"),
    ("\u{2028}\u{2029}", "%E2%80%A8%E2%80%A9"), ("\u{E0041}", "%F3%A0%81%81"), ("C:\\x", "C:\\x"), ("-rf", "-rf"),
    ("\u{301}", "\u{301}"), ("a\u{A0}", "a\u{A0}"), ("\u{10FFFF}", "\u{10FFFF}"),
  ])
  func component(name: String, component: String) {
    let encoded = FileName.encode(name)
    #expect(Self.sameBytes(encoded, component))
    #expect(Self.sameBytes(FileName.decode(encoded), name))
    #expect(Self.isSafe(encoded))
    #expect(!FileName.isDigested(encoded))
  }

  @Test func alikeNamesStayApart() {
    let names = [
      "A", "a", "\u{E9}", "e\u{301}", "\u{212B}", "\u{C5}", "A\u{30A}", "ﬁ", "fi", "", "%", "%25", " ", "  ",
    ]
    #expect(Set(names.map { ExactName(FileName.encode($0)) }).count == names.count)
    #expect(FileName.encode("\u{E9}").utf8.count == 2)
    #expect(FileName.encode("e\u{301}").utf8.count == 3)
  }

  @Test(arguments: [
    "", ".", "..", ".lock", "a.", "a ", "a/b", "/", "~", "a~b", "a,b", "%2f", "%2", "%", "a%", "a%2", "%%", "%G0",
    "%61", "%41bc", "%E9", "%C3", "%C3%A9", "%ED%A0%80", "%C0%AF", "%00%", "a\0b", "a\nb", "\u{7F}", "\u{200D}",
    "\u{85}", "a%20b", "%2E%2E%2F%2E%2E", "%2e", "%FF", "%F4%90%80%80", "% 2", "%+2", "a\u{202E}b", "%E2%80\u{202E}",
  ])
  func refusesWhatEncodeDoesNotProduce(component: String) {
    let decoded = FileName.decode(component)
    #expect(decoded == (component == "%" ? "" : nil))
  }

  @Test func lengthLimit() {
    let full = String(repeating: "n", count: 200)
    #expect(FileName.encode(full) == full)
    #expect(FileName.decode(full) == full)
    #expect(FileName.decode(full + "n") == nil)

    let long = FileName.encode(full + "n")
    #expect(long == String(repeating: "n", count: 167) + "~" + Digest.hex128(Array((full + "n").utf8)))
    #expect(long.utf8.count == 200)
    #expect(FileName.isDigested(long))
    #expect(FileName.decode(long) == nil)

    // 66 escapes are 198 bytes, 67 are 201.
    let slashes = FileName.encode(String(repeating: "/", count: 66))
    #expect(FileName.decode(slashes) == String(repeating: "/", count: 66))
    let escapes = FileName.encode(String(repeating: "/", count: 67))
    #expect(FileName.isDigested(escapes))
    #expect(escapes.hasPrefix(String(repeating: "%2F", count: 55) + "~"))
  }

  @Test func longNamesThatDifferLast() {
    for filler in ["x", "/", "日", "\u{202E}", "😀"] {
      let common = String(repeating: filler, count: 254)
      let components = ["a", "b", "A", "\u{E9}", "e\u{301}", ""].map { FileName.encode(common + $0) }
      #expect(Set(components.map { ExactName($0) }).count == components.count)
      for component in components {
        #expect(Self.isSafe(component))
        #expect(FileName.isDigested(component))
        #expect(FileName.decode(component) == nil)
      }
    }
  }

  /// Tests every alignment of long characters to the cut.
  @Test func cutsBetweenCharacters() {
    for filler in ["\u{E9}", "日", "😀", "/", "\u{85}", "\u{200D}", "\u{E0041}"] {
      for lead in 0..<13 {
        let name = String(repeating: "x", count: lead) + String(repeating: filler, count: 255)
        let component = FileName.encode(name)
        #expect(component.utf8.count <= 200)
        #expect(FileName.isDigested(component))
        let prefix = String(component.prefix { $0 != "~" })
        let unit = FileName.encode(filler).utf8.count
        #expect((prefix.utf8.count - lead) % unit == 0)
        #expect(prefix.utf8.count > 167 - unit)
        let start = FileName.decode(prefix)
        #expect(start.map { name.utf8.starts(with: $0.utf8) } ?? false)
      }
    }
  }

  @Test func digestForm() {
    let digest = String(repeating: "0", count: 32)
    func form(_ count: Int, _ tail: String) -> String { String(repeating: "x", count: count) + tail }
    #expect(FileName.isDigested(form(156, "~" + digest)))
    #expect(FileName.isDigested(form(167, "~" + digest)))
    for component in [
      "", "~", "~" + digest, "x~" + digest, form(155, "~" + digest), form(168, "~" + digest), form(166, "~~" + digest),
      form(167, "~" + digest.dropLast() + "A"), form(167, "~" + digest.dropLast() + "g"), form(200, ""),
    ] {
      #expect(!FileName.isDigested(component))
    }
  }

  @Test func enormousName() {
    #expect(Self.isSafe(FileName.encode(String(repeating: "/", count: 1_000_000))))
  }

  /// Compares the fixed table with the library's categories, for the Unicode versions that the table covers.
  @Test func escapesEveryInvisibleScalar() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let category = scalar.properties.generalCategory
      let isInvisible = [.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
      if isInvisible, let age = scalar.properties.age, age <= (17, 0), !FileNameEscapes.contains(scalar) {
        Issue.record("U+\(String(value, radix: 16)) is not escaped")
      }
      if FileNameEscapes.contains(scalar), !isInvisible, category != .unassigned,
        !"/%~,".unicodeScalars.contains(scalar)
      {
        Issue.record("U+\(String(value, radix: 16)) is escaped")
      }
    }
  }

  @Test(arguments: TestSeed.values(1...4))
  func randomNames(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for length in [3, 20, 60, 255] {
      for _ in 0..<500 {
        let name = random.string(upTo: length)
        let component = FileName.encode(name)
        #expect(Self.isSafe(component), "seed \(seed)")
        if FileName.isDigested(component) {
          #expect(FileName.decode(component) == nil, "seed \(seed)")
        } else {
          #expect(Self.sameBytes(FileName.decode(component), name), "seed \(seed)")
        }
        // Every component that can be decoded is the encoding of its name.
        if let other = FileName.decode(name) {
          #expect(Self.sameBytes(FileName.encode(other), name), "seed \(seed)")
        }
      }
    }
  }
}
