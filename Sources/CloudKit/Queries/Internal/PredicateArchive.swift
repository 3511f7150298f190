import Foundation

/// Predicates in archives: as their format, since Linux's `NSPredicate` cannot be archived.
///
/// NOTE: knows only the two constant predicates until the predicate format language is a target of its own.
enum PredicateArchive {
  /// Nil for a predicate without a format, such as one made from a block.
  static func format(of predicate: NSPredicate) -> String? {
    if predicate.isEqual(NSPredicate(value: true)) { return "TRUEPREDICATE" }
    if predicate.isEqual(NSPredicate(value: false)) { return "FALSEPREDICATE" }
    return nil
  }

  /// Nil if the format cannot be read.
  static func predicate(format: String) -> NSPredicate? {
    switch format {
    case "TRUEPREDICATE": NSPredicate(value: true)
    case "FALSEPREDICATE": NSPredicate(value: false)
    default: nil
    }
  }
}
