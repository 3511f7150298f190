/// The matching brackets of a source. They are found in one pass, so that a scanner can skip the contents of a bracket
/// in one step, at any depth.
struct Brackets {
  /// The maximum number of brackets, interpolations and conditions around a token. The compiler refuses more, too
  /// (tried with Swift 6.3).
  static let maximumDepth = 256

  /// For each token the index at which a scanner continues after skipping it: after the closing bracket of an opening
  /// one, at the end if there is none, and after any other token. A `<` without its `>` is an operator.
  private var ends: [Int]
  /// For each token the index of the next brace or semicolon, starting with the token itself; otherwise the end.
  private var stops: [Int]
  /// The index of the first token that is nested deeper than ``maximumDepth``.
  private(set) var tooDeep: Int?

  init(_ code: [CodeToken]) {
    ends = Array(1..<(code.count + 1))
    stops = Array(repeating: code.count, count: code.count)
    match(code)
    var stop = code.count
    for index in code.indices.reversed() {
      if let sign = code[index].sign, sign == "{" || sign == "}" || sign == ";" { stop = index }
      stops[index] = stop
    }
  }

  func end(_ index: Int) -> Int { ends.indices.contains(index) ? ends[index] : index + 1 }

  func stop(from index: Int) -> Int { stops.indices.contains(index) ? stops[index] : stops.count }

  private mutating func match(_ code: [CodeToken]) {
    var open: [(index: Int, isAngle: Bool)] = []
    // The number of conditions and interpolations around the token.
    var others = 0
    var angles = 0
    for (index, token) in code.enumerated() {
      others = max(0, others + token.nesting)
      switch token.sign {
      case "<":
        open.append((index, true))
        angles += 1
      case ">":
        guard let angle = open.last, angle.isAngle else { break }
        ends[angle.index] = index + 1
        open.removeLast()
        angles -= 1
      case "(", "[":
        open.append((index, false))
        ends[index] = code.count
      case "{", ")", "]", "}", ";":
        // An argument of a type can't contain these tokens, so the open `<` was an operator.
        while open.last?.isAngle == true {
          open.removeLast()
          angles -= 1
        }
        if token.sign == "{" {
          open.append((index, false))
          ends[index] = code.count
        } else if token.sign != ";", let bracket = open.popLast() {
          ends[bracket.index] = index + 1
        }
      default: break
      }
      if tooDeep == nil, open.count - angles + others > Self.maximumDepth { tooDeep = index }
    }
  }
}

extension CodeToken {
  /// Punctuation of one character.
  fileprivate var sign: Unicode.Scalar? {
    kind == .punctuation && range.count == 1 ? text.utf8.first.map { Unicode.Scalar($0) } : nil
  }

  /// How many more conditions and interpolations are around the tokens after this one.
  fileprivate var nesting: Int {
    switch kind {
    case .pound: text == "#if" ? 1 : text == "#endif" ? -1 : 0
    // A part of a string opens an interpolation, closes one, or both.
    case .string: (text.utf8.last == UInt8(ascii: "(") ? 1 : 0) - (text.utf8.first == UInt8(ascii: ")") ? 1 : 0)
    default: 0
    }
  }
}

/// Counts the bytes and tokens that searches read. Tests check that the number grows linearly with the length of a
/// source, and not quadratically.
package final class StepCounter {
  package var steps = 0

  package init() {}
}
