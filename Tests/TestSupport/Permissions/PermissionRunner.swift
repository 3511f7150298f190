import FaultInjection

/// A way to perform the action of a cell: the service itself, Apple's API, or the command-line tool.
package protocol PermissionRunner {
  /// Performs the action. Returns the code of the error, the visible records, or `ok`. If an error is not reported as
  /// required, or another problem occurs, returns a text that is in no cell.
  func outcome(of cell: PermissionTable.Cell) async -> String

  /// The data that the owner sees; nil without the zone.
  func ownersView() async throws -> PermissionView?
}

/// The queries of a cell, with predicates and sort orders that match all notes. Their results must be equal.
package enum PermissionQueries {
  /// The common result of all queries; if they differ, a text that is in no cell.
  package static func outcome(_ outcomes: [String]) -> String {
    Set(outcomes).count == 1 ? outcomes[0] : "as many things as \(outcomes)"
  }
}

/// A copy of a stage in a temporary folder. It is removed on deinit.
final class PermissionStageCopy {
  let path = ScratchFolder.newPath("permission")

  init(_ stage: PermissionStage) throws { try stage.image.write(to: path) }

  deinit { try? ScratchFolder.remove(path) }
}
