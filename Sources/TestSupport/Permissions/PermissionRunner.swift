/// A way to ask a cloud for what a cell says: the service itself, Apple's API, the command-line tool.
package protocol PermissionRunner {
  /// Tries it: the code of the error, what there is to see, or `ok`. Where the error is not told where it belongs, or
  /// something else is wrong, a text that is in no cell.
  func outcome(of cell: PermissionTable.Cell) async -> String

  /// What the owner sees; nil without the zone.
  func ownersView() async throws -> PermissionView?
}
