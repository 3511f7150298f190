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
    do {
      // Compiled alone first, because a parenthesis in the pattern could end the group around it.
      _ = try NSRegularExpression(pattern: pattern)
      expression = try NSRegularExpression(
        pattern: "\\A(?:\(pattern))\\z", options: ignoresCase ? .caseInsensitive : [])
    } catch {
      let excerpt = pattern.count > 100 ? pattern.prefix(100) + "…" : pattern[...]
      throw PredicateEvaluationError(.pattern, "Can't do regex matching: \(excerpt) is no regular expression")
    }
  }

  /// Whether the whole text matches.
  ///
  /// - Throws: ``PredicateEvaluationError`` of the kind `limit` if the search takes too many steps.
  package func matches(_ text: String) throws(PredicateEvaluationError) -> Bool {
    var (isFound, reports) = (false, 0)
    let range = NSRange(location: 0, length: text.utf16.count)
    expression.enumerateMatches(in: text, options: .reportProgress, range: range) { match, _, stop in
      if match != nil { isFound = true } else { reports += 1 }
      if isFound || reports > Self.maximumReports { stop.pointee = true }
    }
    guard isFound || reports <= Self.maximumReports else {
      throw PredicateEvaluationError(
        .limit, "Matching a regular expression takes more than \(Self.maximumReports * 10_000) steps")
    }
    return isFound
  }

  private static let known = Mutex<[String: TextPattern]>([:])

  /// The engine for predicates. It keeps up to 100 compiled expressions.
  package static let matching: PredicateEvaluator.Matching = { text, pattern, ignoresCase in
    let key = (ignoresCase ? "c" : "-") + pattern
    if let expression = known.withLock({ $0[key] }) { return try expression.matches(text) }
    let expression = try TextPattern(pattern, ignoresCase: ignoresCase)
    known.withLock { known in
      if known.count >= 100 { known = [:] }
      known[key] = expression
    }
    return try expression.matches(text)
  }
}
