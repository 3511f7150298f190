import CloudKit
import Foundation
import LocalCloudStorage
import Testing

/// A class of operations for ``EveryOperationTests``. A new class needs one more row.
struct OperationRow: Sendable, CustomTestStringConvertible {
  /// An item, and the lines that its blocks write: `progress n1`, `item n1 ok`, `old n1 unknownItem`.
  struct Item: Sendable {
    enum Old: Sendable { case none, always, ifGood }

    var name: String
    var error: CKError.Code?
    var hasProgress = false
    /// Whether the class has a block for the item, and a deprecated one that is called only if the other is not set.
    var hasCurrent = true
    var old = Old.none

    init(
      _ name: String, _ error: CKError.Code? = nil, progress: Bool = false, current: Bool = true, old: Old = .none
    ) {
      self.name = name
      self.error = error
      hasProgress = progress
      hasCurrent = current
      self.old = old
    }
  }

  /// The expected items in order, and the expected failure of the whole operation.
  struct Plan: Sendable {
    var items: [Item] = []
    var failure: CKError.Code?
  }

  let name: String
  /// Nil for a course that does not exist for the class.
  let plan: @Sendable (OperationCourse) -> Plan?
  /// Whether the deprecated completion block combines the items' errors in a partialFailure.
  let wraps: Bool
  /// Whether the class has blocks that are not deprecated.
  let hasCurrent: Bool
  let hasDeprecated: Bool
  let make: @Sendable (OperationStage, OperationCourse, OperationBlocks, Journal) -> CKOperation
  /// Sets the blocks of an operation of this class that was created elsewhere.
  let setBlocks: @Sendable (CKOperation, OperationBlocks, Journal) -> Void

  var testDescription: String { name }

  init<Operation: CKOperation>(
    _ type: Operation.Type, _ name: String, wraps: Bool = true, plan: @escaping @Sendable (OperationCourse) -> Plan?,
    make: @escaping @Sendable (OperationStage, OperationCourse) -> Operation,
    current: (@Sendable (Operation, Journal) -> Void)?, deprecated: (@Sendable (Operation, Journal) -> Void)?
  ) {
    self.name = name
    self.plan = plan
    self.wraps = wraps
    hasCurrent = current != nil
    hasDeprecated = deprecated != nil
    let setBlocks: @Sendable (Operation, OperationBlocks, Journal) -> Void = { operation, blocks, journal in
      if blocks.hasCurrent { current?(operation, journal) }
      if blocks.hasDeprecated { deprecated?(operation, journal) }
    }
    self.setBlocks = { operation, blocks, journal in
      if let operation = operation as? Operation { setBlocks(operation, blocks, journal) }
    }
    self.make = { stage, course, blocks, journal in
      let operation = make(stage, course)
      setBlocks(operation, blocks, journal)
      return operation
    }
  }

  var blockChoices: [OperationBlocks] {
    switch (hasCurrent, hasDeprecated) {
    case (true, true): OperationBlocks.allCases
    case (true, false): [.current]
    default: [.deprecated]
    }
  }

  // MARK: Expected lines of the blocks

  func lines(_ plan: Plan, _ blocks: OperationBlocks) -> [String] {
    let items = plan.failure == nil ? plan.items : []
    let bad = items.count { $0.error != nil }
    let old = plan.failure.map { "\($0)" } ?? (wraps && bad > 0 ? "partialFailure of \(bad)" : "ok")
    return items.flatMap { lines($0, blocks) } + ends(new: plan.failure.map { "\($0)" } ?? "ok", old: old, blocks)
  }

  /// The lines if the operation is cancelled in its first block.
  func linesCancelledInFirst(_ plan: Plan, _ blocks: OperationBlocks) -> [String] {
    let first = plan.items.lazy.map { lines($0, blocks) }.first { !$0.isEmpty } ?? []
    return first + ends(new: "operationCancelled", old: "operationCancelled", blocks)
  }

  func linesCancelled(_ blocks: OperationBlocks) -> [String] {
    ends(new: "operationCancelled", old: "operationCancelled", blocks)
  }

  private func lines(_ item: Item, _ blocks: OperationBlocks) -> [String] {
    let word = item.error.map { "\($0)" } ?? "ok"
    var lines: [String] = []
    if item.hasProgress, item.error == nil { lines.append("progress \(item.name)") }
    if item.hasCurrent, blocks.hasCurrent {
      lines.append("item \(item.name) \(word)")
    } else if blocks.hasDeprecated, item.old == .always || item.old == .ifGood && item.error == nil {
      lines.append("old \(item.name) \(word)")
    }
    return lines
  }

  private func ends(new: String, old: String, _ blocks: OperationBlocks) -> [String] {
    (hasCurrent && blocks.hasCurrent ? ["result \(new)"] : [])
      + (hasDeprecated && blocks.hasDeprecated ? ["old result \(old)"] : []) + ["completion"]
  }
}

extension Journal {
  func item<Value>(_ name: String, _ result: Result<Value, any Error>) { write("item \(name) \(word(result))") }

  func old(_ name: String, _ error: (any Error)?) { write("old \(name) \(word(error))") }

  func result<Value>(_ result: Result<Value, any Error>) { write("result \(word(result))") }

  func oldResult(_ error: (any Error)?) { write("old result \(word(error))") }

  private func word<Value>(_ result: Result<Value, any Error>) -> String {
    if case .failure(let error) = result { word(error) } else { "ok" }
  }

  private func word(_ error: (any Error)?) -> String {
    guard let error else { return "ok" }
    guard let error = error as? CKError else { return "another error" }
    let items = error.partialErrorsByItemID.map { " of \($0.count)" } ?? ""
    return "\(error.code)\(items)"
  }
}
