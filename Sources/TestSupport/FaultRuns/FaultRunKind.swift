import CloudStore
import Storage

/// A kind of commit that is attacked, on the cloud of ``FaultRunStage``.
package struct FaultRunKind: Sendable, CustomStringConvertible {
  package let name: String
  let limits: StorageLimits
  /// Whether people see it; tidying up they must not see.
  let isVisible: Bool
  /// A document has no journal: who reads it after its writer was killed can't know whether it is durable.
  let isDocument: Bool
  /// Done in several commits; cut short, it says so and is done in part, and a second try does the rest.
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
    records + assets + sharing + keys + schemas + zones + pushes + tidying + crowds + queries + documents
}
