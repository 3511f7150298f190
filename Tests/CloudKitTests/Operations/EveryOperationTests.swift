import CloudKit
import FaultInjection
import Foundation
import LocalCloud
import LocalCloudStorage
import Synchronization
import TestSupport
import Testing

/// The lines that an operation's blocks write. Checks that the blocks run one at a time and not in the caller's call.
private final class Run: Sendable {
  let journal = Journal()
  private let state = Mutex((inside: 0, problems: [String]()))
  private let adding = Mutex<pthread_t?>(nil)

  /// Called in each block.
  func enter() {
    let isNested = state.withLock { state in
      state.inside += 1
      return state.inside > 1
    }
    if isNested { note("two blocks at once") }
    if adding.withLock({ $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }) {
      note("a block on the caller's stack")
    }
    state.withLock { $0.inside -= 1 }
  }

  func add(_ body: () -> Void) {
    adding.withLock { $0 = pthread_self() }
    body()
    adding.withLock { $0 = nil }
  }

  private func note(_ problem: String) { state.withLock { $0.problems.append(problem) } }

  var problems: [String] { state.withLock { $0.problems } }
}

@Suite("All operation classes")
struct EveryOperationTests {
  /// Adds an operation to the private database, or to the container if it is not a database operation.
  private func add(_ operation: CKOperation, to container: CKContainer) {
    if let operation = operation as? CKDatabaseOperation {
      container.privateCloudDatabase.add(operation)
    } else {
      container.add(operation)
    }
  }

  /// Runs the operation, and calls `atLine` for each line that a block writes, with all lines so far.
  private func lines(
    of row: OperationRow, _ course: OperationCourse, _ blocks: OperationBlocks, _ stage: OperationStage,
    prepare: @Sendable (CKOperation) -> Void = { _ in },
    atLine: (@Sendable (CKOperation, [String]) -> Void)? = nil
  ) async -> [String] {
    let run = Run()
    let journal = run.journal
    let operation = row.make(stage, course, blocks, journal)
    journal.onWrite { [weak operation] lines in
      run.enter()
      if let operation { atLine?(operation, lines) }
    }
    prepare(operation)
    // The owner can't join a share, so Bob does.
    let isJoining = operation is CKAcceptSharesOperation || operation is CKShareRequestAccessOperation
    let container = course == .whole ? stage.nobody : isJoining ? stage.bob : stage.alice
    await withCheckedContinuation { done in
      operation.completionBlock = {
        journal.write("completion")
        done.resume()
      }
      run.add { add(operation, to: container) }
    }
    // Waits for blocks that would be called after the completion block.
    try? await Task.sleep(for: .milliseconds(3))
    #expect(run.problems == [], "\(row.name)")
    #expect(operation.isFinished)
    #expect(!operation.isExecuting)
    return journal.lines
  }

  @available(*, deprecated)
  @Test(
    "the per-item and result blocks are called as often and in the order that the table states",
    arguments: OperationRow.all)
  func perItemAndResultBlocksAreCalled(row: OperationRow) async throws {
    for course in OperationCourse.allCases {
      guard let plan = row.plan(course) else { continue }
      for blocks in row.blockChoices {
        let lines = await lines(of: row, course, blocks, try await OperationStage())
        #expect(lines == row.lines(plan, blocks), "\(row.name), \(course), \(blocks) blocks")
      }
    }
  }

  @available(*, deprecated)
  @Test("an operation that is cancelled before its start has no effect", arguments: OperationRow.all)
  func cancelledBefore(row: OperationRow) async throws {
    let stage = try await OperationStage()
    let before = try await stage.alice.privateCloudDatabase.databaseChanges(since: nil).changeToken
    for blocks in row.blockChoices {
      let lines = await lines(of: row, .good, blocks, stage, prepare: { $0.cancel() })
      #expect(lines == row.linesCancelled(blocks), "\(row.name), \(blocks) blocks")
    }
    let changes = try await stage.alice.privateCloudDatabase.databaseChanges(since: before)
    #expect(changes.modifications.isEmpty, "\(row.name)")
    #expect(changes.deletions.isEmpty, "\(row.name)")
  }

  @available(*, deprecated)
  @Test(
    "an operation that is cancelled within its first block calls no blocks for the remaining items",
    arguments: OperationRow.all)
  func cancelledInTheMiddle(row: OperationRow) async throws {
    guard let plan = row.plan(.good) else { return }
    for blocks in row.blockChoices {
      guard plan.items.contains(where: { $0.hasCurrent && blocks.hasCurrent || $0.old != .none }) else { continue }
      let lines = await lines(
        of: row, .good, blocks, try await OperationStage(),
        atLine: { operation, lines in
          if lines.count == 1 { operation.cancel() }
        })
      #expect(lines == row.linesCancelledInFirst(plan, blocks), "\(row.name), \(blocks) blocks")
    }
  }

  @available(*, deprecated)
  @Test("an operation that is cancelled at a random time finishes once, with all results or with operationCancelled")
  func cancelledAtAnyMoment() async throws {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    let stage = try await OperationStage()
    for _ in 0..<150 {
      let rows: [OperationRow] = [.fetchRecords, .zoneChanges, .query, .fetchZones, .databaseChanges]
      let row = try #require(rows.randomElement(using: &random))
      let microseconds = Int.random(in: 0..<4000, using: &random)
      let lines = await lines(
        of: row, .good, .both, stage,
        prepare: { operation in
          Task.detached {
            try? await Task.sleep(for: .microseconds(microseconds))
            operation.cancel()
          }
        })
      let text = "seed \(seed): \(row.name) after \(microseconds) µs: \(lines)"
      #expect(lines.count { $0 == "completion" } == 1, "\(text)")
      #expect(lines.last == "completion", "\(text)")
      #expect(lines.count { $0.hasPrefix("result") } == 1, "\(text)")
      #expect(lines.count { $0.hasPrefix("old result") } == 1, "\(text)")
      if lines.contains("result operationCancelled") {
        #expect(lines.contains("old result operationCancelled"), "\(text)")
      } else {
        #expect(lines == row.lines(row.plan(.good) ?? OperationRow.Plan(), .both), "\(text)")
      }
    }
  }
}
