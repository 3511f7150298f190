import CloudKit
import CoreData
import Foundation

/// A problem to print on standard error.
struct Wrong: Error, CustomStringConvertible {
  var description: String
}

func require(_ condition: Bool, _ text: String) throws {
  if !condition { throw Wrong(description: text) }
}

/// Saves two records, and counts the calls of the operation's blocks.
func saveTwoRecords() async throws {
  let records = ["milk", "bread"].map { CKRecord(recordType: "Item", recordID: CKRecord.ID(recordName: $0)) }
  records[0]["text"] = "Milk"
  try require(records[0].value(forKeyPath: "text") as? String == "Milk", "a record's field by a key path")
  try require(records[0].value(forKeyPath: "recordID.recordName") as? String == "milk", "a record's own key path")
  let operation = CKModifyRecordsOperation(recordsToSave: records, recordIDsToDelete: nil)
  operation.savePolicy = .allKeys
  var saved = 0
  operation.perRecordSaveBlock = { _, result in if case .success = result { saved += 1 } }
  let count = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int, any Error>) in
    operation.modifyRecordsResultBlock = { result in continuation.resume(with: result.map { saved }) }
    CKContainer.default().privateCloudDatabase.add(operation)
  }
  try require(count == 2, "a block counts the records that were saved: \(count)")
}

@main
struct Captures {
  static func main() async {
    do {
      try require(blocksChangeVariables(), "the blocks of all operations")
      try await saveTwoRecords()
      try useKeys()
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }
}
