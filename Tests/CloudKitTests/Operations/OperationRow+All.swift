import CloudKit
import Foundation

@available(*, deprecated, message: "it sets deprecated blocks")
extension OperationRow {
  static let all: [OperationRow] =
    [modifyRecords, fetchRecords, fetchCurrentUserRecord, query]
    + [fetchZones, fetchAllZones, modifyZones, databaseChanges, zoneChanges, recordChanges]
    + [acceptShares, shareMetadata, shareParticipants, requestAccess]

  // MARK: Records

  static let modifyRecords = OperationRow(
    CKModifyRecordsOperation.self, "CKModifyRecordsOperation",
    plan: { course in
      let saved = Item("a", progress: true, old: .always)
      let deleted = Item("n1")
      return switch course {
      case .good: Plan(items: [saved, Item("b", progress: true, old: .always), deleted])
      case .oneBad: Plan(items: [saved, Item("n2", .serverRecordChanged, old: .always), deleted])
      case .whole: Plan(failure: .notAuthenticated)
      case .empty: Plan()
      case .tooMany: Plan(failure: .limitExceeded)
      }
    },
    make: { _, course in
      let operation = CKModifyRecordsOperation()
      operation.isAtomic = false
      operation.recordIDsToDelete = [note("n1").recordID]
      switch course {
      case .good, .whole: operation.recordsToSave = [note("a"), note("b")]
      case .oneBad: operation.recordsToSave = [note("a"), note("n2", "new")]
      case .empty: operation.recordIDsToDelete = nil
      case .tooMany: operation.recordsToSave = OperationStage.tooMany.map { note($0) }
      }
      return operation
    },
    current: { operation, journal in
      operation.perRecordProgressBlock = { record, _ in journal.write("progress \(record.recordID.recordName)") }
      operation.perRecordSaveBlock = { journal.item($0.recordName, $1) }
      operation.perRecordDeleteBlock = { journal.item($0.recordName, $1) }
      operation.modifyRecordsResultBlock = { journal.result($0) }
    },
    deprecated: { operation, journal in
      operation.perRecordProgressBlock = { record, _ in journal.write("progress \(record.recordID.recordName)") }
      operation.perRecordCompletionBlock = { journal.old($0.recordID.recordName, $1) }
      operation.modifyRecordsCompletionBlock = { journal.oldResult($2) }
    })

  static let fetchRecords = OperationRow(
    CKFetchRecordsOperation.self, "CKFetchRecordsOperation",
    plan: { course in
      let good = ["n2", "n3"].map { Item($0, progress: true, old: .always) }
      return switch course {
      case .good: Plan(items: good)
      case .oneBad: Plan(items: [good[0], Item("absent", .unknownItem, old: .always), good[1]])
      case .whole: Plan(failure: .notAuthenticated)
      case .empty: Plan()
      case .tooMany: Plan(failure: .limitExceeded)
      }
    },
    make: { _, course in
      let names =
        switch course {
        case .good, .whole: ["n2", "n3", "n2"]
        case .oneBad: ["n2", "absent", "n3"]
        case .empty: [String]()
        case .tooMany: OperationStage.tooMany
        }
      return CKFetchRecordsOperation(recordIDs: names.map { note($0).recordID })
    },
    current: { operation, journal in
      operation.perRecordProgressBlock = { recordID, _ in journal.write("progress \(recordID.recordName)") }
      operation.perRecordResultBlock = { journal.item($0.recordName, $1) }
      operation.fetchRecordsResultBlock = { journal.result($0) }
    },
    deprecated: { operation, journal in
      operation.perRecordProgressBlock = { recordID, _ in journal.write("progress \(recordID.recordName)") }
      operation.perRecordCompletionBlock = { journal.old($1?.recordName ?? "", $2) }
      operation.fetchRecordsCompletionBlock = { journal.oldResult($1) }
    })

  static let fetchCurrentUserRecord = OperationRow(
    CKFetchRecordsOperation.self, "CKFetchRecordsOperation for the current user",
    plan: { course in
      switch course {
      case .good: Plan(items: [Item("Users", progress: true, old: .always)])
      case .whole: Plan(failure: .notAuthenticated)
      default: nil
      }
    },
    make: { _, _ in CKFetchRecordsOperation.fetchCurrentUserRecordOperation() },
    current: { operation, journal in
      operation.perRecordProgressBlock = { _, _ in journal.write("progress Users") }
      operation.perRecordResultBlock = { journal.item($1.value?.recordType ?? "", $1) }
      operation.fetchRecordsResultBlock = { journal.result($0) }
    },
    deprecated: { operation, journal in
      operation.perRecordProgressBlock = { _, _ in journal.write("progress Users") }
      operation.perRecordCompletionBlock = { journal.old($0?.recordType ?? "", $2) }
      operation.fetchRecordsCompletionBlock = { journal.oldResult($1) }
    })

  static let query = OperationRow(
    CKQueryOperation.self, "CKQueryOperation", wraps: false,
    plan: { course in
      switch course {
      case .good: Plan(items: (1...3).map { Item("n\($0)", old: .ifGood) })
      case .oneBad, .tooMany: nil
      case .whole: Plan(failure: .notAuthenticated)
      case .empty: Plan()
      }
    },
    make: { _, course in
      let type = course == .empty ? "Nothing" : "Note"
      let operation = CKQueryOperation(query: CKQuery(recordType: type, predicate: NSPredicate(value: true)))
      operation.zoneID = testZoneID
      return operation
    },
    current: { operation, journal in
      operation.recordMatchedBlock = { journal.item($0.recordName, $1) }
      operation.queryResultBlock = { journal.result($0) }
    },
    deprecated: { operation, journal in
      operation.recordFetchedBlock = { journal.old($0.recordID.recordName, nil) }
      operation.queryCompletionBlock = { journal.oldResult($1) }
    })

  // MARK: Zones

  static let fetchZones = OperationRow(
    CKFetchRecordZonesOperation.self, "CKFetchRecordZonesOperation",
    plan: { course in
      switch course {
      case .good: Plan(items: [Item("Home"), Item("Spare")])
      case .oneBad: Plan(items: [Item("Home"), Item("Absent", .zoneNotFound), Item("Spare")])
      case .whole: Plan(failure: .notAuthenticated)
      case .empty: Plan()
      case .tooMany: Plan(failure: .limitExceeded)
      }
    },
    make: { stage, course in
      let absent = CKRecordZone.ID(zoneName: "Absent")
      let zoneIDs: [CKRecordZone.ID] =
        switch course {
        case .good, .whole: [testZoneID, stage.spare]
        case .oneBad: [testZoneID, absent, stage.spare]
        case .empty: []
        case .tooMany: OperationStage.tooMany.map { CKRecordZone.ID(zoneName: $0) }
        }
      return CKFetchRecordZonesOperation(recordZoneIDs: zoneIDs)
    },
    current: { operation, journal in
      operation.perRecordZoneResultBlock = { journal.item($0.zoneName, $1) }
      operation.fetchRecordZonesResultBlock = { journal.result($0) }
    },
    deprecated: { operation, journal in
      operation.fetchRecordZonesCompletionBlock = { journal.oldResult($1) }
    })

  static let fetchAllZones = OperationRow(
    CKFetchRecordZonesOperation.self, "CKFetchRecordZonesOperation for all",
    plan: { course in
      switch course {
      case .good: Plan(items: ["_defaultZone", "Home", "Spare"].map { Item($0) })
      case .whole: Plan(failure: .notAuthenticated)
      default: nil
      }
    },
    make: { _, _ in CKFetchRecordZonesOperation.fetchAllRecordZonesOperation() },
    current: { operation, journal in
      operation.perRecordZoneResultBlock = { journal.item($0.zoneName, $1) }
      operation.fetchRecordZonesResultBlock = { journal.result($0) }
    },
    deprecated: { operation, journal in
      operation.fetchRecordZonesCompletionBlock = { journal.oldResult($1) }
    })

  static let modifyZones = OperationRow(
    CKModifyRecordZonesOperation.self, "CKModifyRecordZonesOperation",
    plan: { course in
      switch course {
      case .good: Plan(items: [Item("New"), Item("Home")])
      case .oneBad: Plan(items: [Item("New"), Item("Absent", .zoneNotFound)])
      case .whole: Plan(failure: .notAuthenticated)
      case .empty: Plan()
      case .tooMany: Plan(failure: .limitExceeded)
      }
    },
    make: { stage, course in
      let new = [CKRecordZone(zoneName: "New")]
      return switch course {
      case .good, .whole: CKModifyRecordZonesOperation(recordZonesToSave: new, recordZoneIDsToDelete: [testZoneID])
      case .oneBad:
        CKModifyRecordZonesOperation(
          recordZonesToSave: new, recordZoneIDsToDelete: [CKRecordZone.ID(zoneName: "Absent")])
      case .empty: CKModifyRecordZonesOperation()
      case .tooMany:
        CKModifyRecordZonesOperation(
          recordZonesToSave: OperationStage.tooMany.map { CKRecordZone(zoneName: $0) })
      }
    },
    current: { operation, journal in
      operation.perRecordZoneSaveBlock = { journal.item($0.zoneName, $1) }
      operation.perRecordZoneDeleteBlock = { journal.item($0.zoneName, $1) }
      operation.modifyRecordZonesResultBlock = { journal.result($0) }
    },
    deprecated: { operation, journal in
      operation.modifyRecordZonesCompletionBlock = { journal.oldResult($2) }
    })

  // MARK: Changes

  static let databaseChanges = OperationRow(
    CKFetchDatabaseChangesOperation.self, "CKFetchDatabaseChangesOperation", wraps: false,
    plan: { course in
      switch course {
      case .good: Plan(items: ["Home", "Spare", "token"].map { Item($0) })
      case .whole: Plan(failure: .notAuthenticated)
      default: nil
      }
    },
    make: { _, _ in CKFetchDatabaseChangesOperation() },
    current: { operation, journal in
      operation.recordZoneWithIDChangedBlock = { journal.write("item \($0.zoneName) ok") }
      operation.changeTokenUpdatedBlock = { _ in journal.write("item token ok") }
      operation.fetchDatabaseChangesResultBlock = { journal.result($0) }
    },
    deprecated: { operation, journal in
      operation.fetchDatabaseChangesCompletionBlock = { journal.oldResult($2) }
    })

  static let zoneChanges = OperationRow(
    CKFetchRecordZoneChangesOperation.self, "CKFetchRecordZoneChangesOperation",
    plan: { course in
      let notes = (1...3).map { Item("n\($0)", old: .ifGood) }
      return switch course {
      case .good: Plan(items: notes + [Item("Home", old: .always)])
      case .oneBad: Plan(items: [Item("Absent", .zoneNotFound, old: .always)] + notes + [Item("Home", old: .always)])
      case .whole: Plan(failure: .notAuthenticated)
      case .empty: Plan(failure: .invalidArguments)
      case .tooMany: nil
      }
    },
    make: { _, course in
      let zoneIDs: [CKRecordZone.ID] =
        switch course {
        case .oneBad: [CKRecordZone.ID(zoneName: "Absent"), testZoneID]
        case .empty: []
        default: [testZoneID]
        }
      return CKFetchRecordZoneChangesOperation(recordZoneIDs: zoneIDs, configurationsByRecordZoneID: nil)
    },
    current: { operation, journal in
      operation.recordWasChangedBlock = { journal.item($0.recordName, $1) }
      operation.recordZoneFetchResultBlock = { journal.item($0.zoneName, $1) }
      operation.fetchRecordZoneChangesResultBlock = { journal.result($0) }
    },
    deprecated: { operation, journal in
      operation.recordChangedBlock = { journal.old($0.recordID.recordName, nil) }
      operation.recordZoneFetchCompletionBlock = { journal.old($0.zoneName, $4) }
      operation.fetchRecordZoneChangesCompletionBlock = { journal.oldResult($0) }
    })

  static let recordChanges = OperationRow(
    CKFetchRecordChangesOperation.self, "CKFetchRecordChangesOperation", wraps: false,
    plan: { course in
      switch course {
      case .good: Plan(items: (1...3).map { Item("n\($0)", current: false, old: .ifGood) })
      case .oneBad: Plan(failure: .zoneNotFound)
      case .whole: Plan(failure: .notAuthenticated)
      case .empty: Plan(failure: .invalidArguments)
      case .tooMany: nil
      }
    },
    make: { _, course in
      let operation = CKFetchRecordChangesOperation()
      switch course {
      case .empty: break
      case .oneBad: operation.recordZoneID = CKRecordZone.ID(zoneName: "Absent")
      default: operation.recordZoneID = testZoneID
      }
      return operation
    },
    current: nil,
    deprecated: { operation, journal in
      operation.recordChangedBlock = { journal.old($0.recordID.recordName, nil) }
      operation.fetchRecordChangesCompletionBlock = { journal.oldResult($2) }
    })
}
