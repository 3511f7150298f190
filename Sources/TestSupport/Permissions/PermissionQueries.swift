/// The queries of a cell, by predicates and orders that all notes pass: they have to come out alike.
package enum PermissionQueries {
  /// What all came out as; else a text that is in no cell.
  package static func outcome(_ outcomes: [String]) -> String {
    Set(outcomes).count == 1 ? outcomes[0] : "as many things as \(outcomes)"
  }
}
