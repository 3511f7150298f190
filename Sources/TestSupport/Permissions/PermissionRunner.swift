import FaultInjection

/// A way to ask a cloud for what a cell says: the service itself, Apple's API, the command-line tool.
package protocol PermissionRunner {
  /// Tries it: the code of the error, what there is to see, or `ok`. Where the error is not told where it belongs, or
  /// something else is wrong, a text that is in no cell.
  func outcome(of cell: PermissionTable.Cell) async -> String

  /// What the owner sees; nil without the zone.
  func ownersView() async throws -> PermissionView?
}

/// The queries of a cell, by predicates and orders that all notes pass: they have to come out alike.
package enum PermissionQueries {
  /// What all came out as; else a text that is in no cell.
  package static func outcome(_ outcomes: [String]) -> String {
    Set(outcomes).count == 1 ? outcomes[0] : "as many things as \(outcomes)"
  }
}

/// A stage in a folder, to be played on; removed with the last reference.
final class PermissionStageCopy {
  let path = ScratchFolder.newPath("permission")

  init(_ stage: PermissionStage) throws { try stage.image.write(to: path) }

  deinit { try? ScratchFolder.remove(path) }
}
