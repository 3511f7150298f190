import Foundation
import LocalCloudPredicateFormat
import Testing

@Suite("Letters with diacritics")
struct DiacriticsTests {
  private func matches(_ format: String, _ one: String, _ other: String) throws -> Bool {
    let tree = try PredicateTree(format: format, arguments: [.string(one), .string(other)])
    var evaluator = PredicateEvaluator(tree)
    return try evaluator.matches(.null)
  }

  /// Foundation's decomposition is the reference.
  @Test("[d] ignores marks of Latin, Greek and Cyrillic letters, and of no others")
  func ignoresMarksOfLatinGreekAndCyrillic() throws {
    for value in 0xA0..<0x3100 as Range<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let decomposed = Array(String(Character(scalar)).decomposedStringWithCanonicalMapping.unicodeScalars)
      let isMarked =
        decomposed.count > 1 && decomposed[0].value < 0x510
        && decomposed.dropFirst().allSatisfy { $0.properties.generalCategory == .nonspacingMark }
      let bare = isMarked ? String(Character(decomposed[0])) : String(Character(scalar))
      #expect(try matches("%@ ==[d] %@", "x" + String(Character(scalar)), "x" + bare), "\(scalar)")
      // With [d] the marked letter equals the bare one; without [d] it does not.
      if isMarked {
        #expect(try matches("%@ ==[d] %@", String(Character(scalar)).decomposedStringWithCanonicalMapping, bare))
        #expect(try !matches("%@ == %@", String(Character(scalar)), bare), "\(scalar)")
      }
    }
  }
}
