import Foundation
import LocalCloudPredicateFormat
import Testing

@Suite("Letters and marks")
struct DiacriticsTests {
  private func matches(_ format: String, _ one: String, _ other: String) throws -> Bool {
    let tree = try PredicateTree(format: format, arguments: [.string(one), .string(other)])
    var evaluator = PredicateEvaluator(tree)
    return try evaluator.matches(.null)
  }

  /// Foundation's decomposition is the oracle.
  @Test("[d] takes marks from Latin, Greek and Cyrillic letters, and from no others")
  func marks() throws {
    for value in 0xA0..<0x3100 as Range<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let decomposed = Array(String(Character(scalar)).decomposedStringWithCanonicalMapping.unicodeScalars)
      let isMarked =
        decomposed.count > 1 && decomposed[0].value < 0x510
        && decomposed.dropFirst().allSatisfy { $0.properties.generalCategory == .nonspacingMark }
      let bare = isMarked ? String(Character(decomposed[0])) : String(Character(scalar))
      #expect(try matches("%@ ==[d] %@", "x" + String(Character(scalar)), "x" + bare), "\(scalar)")
      // Apart from its mark it is the same letter.
      if isMarked {
        #expect(try matches("%@ ==[d] %@", String(Character(scalar)).decomposedStringWithCanonicalMapping, bare))
        #expect(try !matches("%@ == %@", String(Character(scalar)), bare), "\(scalar)")
      }
    }
  }
}
