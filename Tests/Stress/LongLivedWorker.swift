import CloudKit
import LocalCloudPlatform
import TestSupport

/// One process of ``LongLivedRun``. It begins a long-lived operation and exits, or finishes operations of other
/// processes.
struct LongLivedWorker {
  let arguments: [String]

  func run() async throws {
    switch (arguments.first, arguments.count) {
    case ("begin", 3): try await begin(arguments[1], dyingAfter: UInt64(arguments[2]) ?? 0)
    case ("resume", 1): try await resume()
    default: HostProcess.exitNow(64)
    }
  }

  private func begin(_ round: String, dyingAfter microseconds: UInt64) async throws {
    let container = CKContainer.default()
    let saves = LongLivedRun.names(round).map { name in
      let record = CKRecord(recordType: "Note", recordID: id(name))
      record["round"] = round
      record.encryptedValues["secret"] = LongLivedRun.secret
      return record
    }
    let operation = CKModifyRecordsOperation(
      recordsToSave: saves, recordIDsToDelete: [id(LongLivedRun.doomed(round))])
    operation.configuration.isLongLived = true
    operation.longLivedOperationWasPersistedBlock = { printLine("persisted") }
    operation.modifyRecordsResultBlock = { _ in printLine("result") }
    // Opens everything before the countdown begins.
    _ = try await container.userRecordID()
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      operation.completionBlock = {
        printLine("completed")
        done.resume()
      }
      startThread {
        pause(microseconds: microseconds)
        HostProcess.exitNow(9)
      }
      container.privateCloudDatabase.add(operation)
    }
    // Waits until the process exits.
    while true { try await Task.sleep(nanoseconds: 1_000_000_000) }
  }

  private func resume() async throws {
    let container = CKContainer.default()
    for operationID in try await container.allLongLivedOperationIDs() {
      printLine("found")
      guard let operation = try await container.longLivedOperation(for: operationID) as? CKModifyRecordsOperation else {
        printLine("problem: another class")
        continue
      }
      operation.perRecordSaveBlock = { recordID, result in
        let secret: String? = try? result.get().encryptedValues["secret"]
        printLine("\(recordID.recordName) \(Self.word(result))")
        if secret != LongLivedRun.secret { printLine("problem: \(recordID.recordName) without its secret") }
      }
      operation.perRecordDeleteBlock = { recordID, result in printLine("\(recordID.recordName) \(Self.word(result))") }
      operation.modifyRecordsResultBlock = { result in printLine("whole \(Self.word(result))") }
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        operation.completionBlock = { done.resume() }
        container.privateCloudDatabase.add(operation)
      }
    }
    while !(try await container.allLongLivedOperationIDs().isEmpty) { await Task.yield() }
    printLine("nothing left")
  }

  private static func word<Value>(_ result: Result<Value, any Error>) -> String {
    switch result {
    case .success: "ok"
    case .failure(let error): "failed: \(error)"
    }
  }

  private func id(_ name: String) -> CKRecord.ID {
    CKRecord.ID(recordName: name, zoneID: CKRecordZone.ID(zoneName: LongLivedRun.zone))
  }
}

private func printLine(_ line: String) { StandardStream.output.write(line + "\n") }
