// swift-format-ignore-file
// Apple's sample code from "What's new in CloudKit", as it was shown. The lines of the samples are unchanged, and are
// compiled in Swift 5 and Swift 6 mode. The added declarations around them are indented.

import CloudKit

extension PeopleWithHandlers {

  // 3:34 - CloudKit: Existing convenience API

// Sample code using existing Convenience API

/// Delete the last person record.
/// - Parameter completionHandler: An optional handler to process completion `success` or `failure`.
func deleteLastPerson(completionHandler: ((Result<Void, Error>) -> Void)? = nil) {
    database.delete(withRecordID: lastPersonRecordId) { recordId, error in
        if let recordId = recordId {
            os_log("Record with ID \(recordId.recordName) was deleted.")
        }

        if let error = error {
            self.reportError(error)
            // If there is a completion handler, pass along the error here.
            completionHandler?(.failure(error))
        } else {
            // If there is a completion handler, like during tests, call it back now.
            completionHandler?(.success(()))
        }
    }
}

}

extension PeopleWithFunctions {

  // 4:04 - CloudKit: Async convenience API

// Sample code updated to CloudKit Async API

/// Delete the last person record.
func deleteLastPerson() async throws {
    do {
        let recordId = try await database.deleteRecord(with: lastPersonRecordId)
        os_log("Record with ID \(recordId.recordName) was deleted.")
    } catch {
        self.reportError(error)
        throw error
    }
}

  // 5:39 - CloudKit: Existing completion blocks
  func reportErrorsInCompletionBlocks(of fetchRecordsOp: CKFetchRecordsOperation) {

fetchRecordsOp.perRecordCompletionBlock = { record, recordID, error in
    // error is CKError.unknownItem.
}

fetchRecordsOp.fetchRecordsCompletionBlock = { recordsByRecordID, operationError in
    // operationError is CKError.partialFailure.
    // operationError.partialErrorsByItemID[missingRecordID] is CKError.unknownItem.
}

  }

  // 6:35 - CloudKit: Result type completion blocks
  func reportErrorsInResultBlocks(of fetchRecordsOp: CKFetchRecordsOperation) {

fetchRecordsOp.perRecordResultBlock = { recordID, result in
    // result is .failure(CKError.unknownItem) or .success(record).
}

fetchRecordsOp.fetchRecordsResultBlock = { result in
    // result is .success.
}

  }

  // 9:37 - CloudKit: Delete batch

// Batched modifications

func deleteLastPeople() async throws {
    do {
        let recordIds = [lastPersonRecordId, penultimatePersonRecordId]
        let (_, deleteResults) = try await database.modifyRecords(deleting: recordIds)
        for (recordId, deleteResult) in deleteResults {
            switch deleteResult {
            case .failure(let error):
                self.reportError(error, itemId: recordId)
            case .success:
                os_log("Record with ID \(recordId.recordName) was deleted.")
            }
        }
    } catch let operationError {
        self.reportError(operationError)
        throw operationError
    }
}

  // 14:29 - CloudKit: Using encrypted values
  func useEncryptedValues(of myRecord: CKRecord) -> String? {

// Device 1: Encrypt data before calling CKModifyRecordsOperation.
myRecord.encryptedValues["encryptedStringField"] = "Sensitive value"

// Device 2: Decrypt data after calling CKFetchRecordsOperation.
let decryptedString = myRecord.encryptedValues["encryptedStringField"] as? String

    return decryptedString
  }

  // 21:10 - CloudKit: Setup a record hierarchy
  func setUpHierarchy() -> (zone: CKRecordZone, records: [CKRecord], folder: CKRecord) {

// Share a record hierarchy

let zone = CKRecordZone(zoneName: "MyZone")

// Save zone...

let fileRecordA = CKRecord(recordType: "File", recordID: CKRecord.ID(zoneID: zone.zoneID))
let fileRecordB = CKRecord(recordType: "File", recordID: CKRecord.ID(zoneID: zone.zoneID))
let folderRecord = CKRecord(recordType: "Folder", recordID: CKRecord.ID(zoneID: zone.zoneID))

fileRecordA.setParent(folderRecord)
fileRecordB.setParent(folderRecord)

// Save records...

    return (zone, [fileRecordA, fileRecordB, folderRecord], folderRecord)
  }

  // 21:41 - CloudKit: Record Hierarchy, Share
  func shareHierarchy(of folderRecord: CKRecord) async -> CKShare {

// Share a record hierarchy

let share = CKShare(rootRecord: folderRecord)

do {
    let (saveResults, _) = try await database.modifyRecords(saving: [folderRecord, share])
    for (recordID, saveResult) in saveResults {
        // Handle per-record result.
    }
} catch let operationError {
    // Handle operation error.
}

    return share
  }

  // 22:51 - CloudKit: Share a Record Zone
  func shareZone() async -> CKShare {

// Share a record zone

let zone = CKRecordZone(zoneName: "MyZone")

// Save zone...

let share = CKShare(recordZoneID: zone.zoneID)

do {
    let (saveResults, _) = try await database.modifyRecords(saving: [share])
    for (recordID, saveResult) in saveResults {
        // Handle per-record result.
    }
} catch let operationError {
    // Handle operation error.
}

    return share
  }

}

extension PeopleWithSingleFunctions {

  // 9:14 - CloudKit: Delete single item

// Single item delete

func deleteLastPerson() async throws {
    do {
        let recordId = try await database.deleteRecord(with: lastPersonRecordId)
        os_log("Record with ID \(recordId.recordName) was deleted.")
    } catch {
        self.reportError(error)
        throw error
    }
}

}
