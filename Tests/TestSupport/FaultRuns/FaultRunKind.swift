import LocalCloudStorage
import LocalCloudStore

/// A kind of commit to attack, on the cloud of ``FaultRunStage``.
package struct FaultRunKind: Sendable, CustomStringConvertible {
  package let name: String
  let limits: StorageLimits
  /// Whether people see the change. Maintenance must be invisible.
  let isVisible: Bool
  /// Whether the commit writes a document without a journal. A reader after a kill can't know whether the document is
  /// durable.
  let isDocument: Bool
  /// Whether the operation takes several commits. If interrupted, it reports an error and is partly done; a second try
  /// completes it.
  let isStepwise: Bool
  package let run: @Sendable (FaultRunPeople) throws -> Void

  package var description: String { name }

  package init(
    _ name: String, limits: StorageLimits = StorageLimits(), isVisible: Bool = true, isDocument: Bool = false,
    isStepwise: Bool = false, run: @escaping @Sendable (FaultRunPeople) throws -> Void
  ) {
    self.name = name
    self.limits = limits
    self.isVisible = isVisible
    self.isDocument = isDocument
    self.isStepwise = isStepwise
    self.run = run
  }

  package static func named(_ name: String) -> FaultRunKind? { all.first { $0.name == name } }

  package static let all =
    records + assets + sharing + keys + schemas + zones + pushes + tidying + joinedCommits + queries + documents
}
