import Foundation
import LocalCloudPredicateFormat
import Synchronization

/// A regular expression for whole texts, in the syntax of `NSRegularExpression`: of `MATCHES` in predicates, and of the
/// patterns in models.
package struct TextPattern: Sendable {
  private let expression: NSRegularExpression
  /// The engine reports after about 10,000 steps each. A search without an end is an error after some seconds.
  private static let maximumReports = 500

  /// - Throws: ``PredicateEvaluationError`` of the kind `pattern` if this is not a regular expression.
  package init(_ pattern: String, ignoresCase: Bool = false) throws(PredicateEvaluationError) {
    // Compiled alone first, because a parenthesis in the pattern could end the group around it.
    let isValid = (try? NSRegularExpression(pattern: pattern)) != nil
    // The group stays open if the pattern ends in a comment of `(?x)` or in a quotation: a new line ends the comment,
    // and \E the quotation.
    for end in ["", "\n", "\\E"] where isValid {
      let whole = "\\A(?:\(pattern)\(end))\\z"
      if let found = try? NSRegularExpression(pattern: whole, options: ignoresCase ? .caseInsensitive : []) {
        expression = found
        return
      }
    }
    let excerpt = pattern.count > 100 ? pattern.prefix(100) + "…" : pattern[...]
    throw PredicateEvaluationError(.pattern, "Can't do regex matching: \(excerpt) is no regular expression")
  }

  /// Whether the whole text matches.
  ///
  /// - Throws: ``PredicateEvaluationError`` of the kind `limit` if the search takes too many steps or too much memory.
  package func matches(_ text: String) throws(PredicateEvaluationError) -> Bool { try search(text).isMatch }

  private func search(_ text: String) throws(PredicateEvaluationError) -> (isMatch: Bool, steps: Int) {
    var (isFound, isOverflow, reports) = (false, false, 0)
    let range = NSRange(location: 0, length: text.utf16.count)
    expression.enumerateMatches(in: text, options: [.reportProgress, .reportCompletion], range: range) {
      match, flags, stop in
      if match != nil { isFound = true }
      if flags.contains(.progress) { reports += 1 }
      // The engine's memory for alternatives is full.
      if flags.contains(.internalError) { isOverflow = true }
      if isFound || reports > Self.maximumReports { stop.pointee = true }
    }
    if isOverflow {
      throw PredicateEvaluationError(.limit, "Matching a regular expression takes more memory than the engine has")
    }
    guard isFound || reports <= Self.maximumReports else {
      throw PredicateEvaluationError(
        .limit, "Matching a regular expression takes more than \(Self.maximumReports * 10_000) steps")
    }
    return (isFound, reports * 10_000)
  }

  private static let known = Mutex<[String: TextPattern]>([:])

  /// The engine for predicates. It keeps up to 100 compiled expressions.
  package static let matching: PredicateEvaluator.Matching = { text, pattern, ignoresCase in
    let key = (ignoresCase ? "c" : "-") + pattern
    if let expression = known.withLock({ $0[key] }) { return try expression.search(text) }
    let expression = try TextPattern(pattern, ignoresCase: ignoresCase)
    known.withLock { known in
      if known.count >= 100 { known = [:] }
      known[key] = expression
    }
    return try expression.search(text)
  }
}
