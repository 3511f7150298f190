extension CKSyncEngine.Event: CustomStringConvertible {
  /// The description of the event's value.
  public var description: String {
    switch self {
    case .stateUpdate(let event): event.description
    case .accountChange(let event): event.description
    case .fetchedDatabaseChanges(let event): event.description
    case .fetchedRecordZoneChanges(let event): event.description
    case .sentDatabaseChanges(let event): event.description
    case .sentRecordZoneChanges(let event): event.description
    case .willFetchChanges(let event): event.description
    case .willFetchRecordZoneChanges(let event): event.description
    case .didFetchRecordZoneChanges(let event): event.description
    case .didFetchChanges(let event): event.description
    case .willSendChanges(let event): event.description
    case .didSendChanges(let event): event.description
    }
  }
}

extension CKSyncEngine.Event.StateUpdate: CustomStringConvertible {
  /// The name of the event.
  public var description: String { "<CKSyncEngine.Event.StateUpdate>" }
}

extension CKSyncEngine.Event.AccountChange: CustomStringConvertible {
  /// The kind of the change and the users.
  public var description: String {
    let change =
      switch changeType {
      case .signIn(let user): "signIn, currentUser=\(user.recordName)"
      case .signOut(let user): "signOut, previousUser=\(user.recordName)"
      case .switchAccounts(let previous, let current):
        "switchAccounts, previousUser=\(previous.recordName), currentUser=\(current.recordName)"
      }
    return "<CKSyncEngine.Event.AccountChange: changeType=\(change)>"
  }
}

extension CKSyncEngine.Event.FetchedDatabaseChanges: CustomStringConvertible {
  /// The IDs of the zones.
  public var description: String {
    "<CKSyncEngine.Event.FetchedDatabaseChanges: modifications=\(modifications.map(\.zoneID.text)), "
      + "deletions=\(deletions.map(\.zoneID.text))>"
  }
}

extension CKSyncEngine.Event.FetchedRecordZoneChanges: CustomStringConvertible {
  /// The IDs of the records.
  public var description: String {
    "<CKSyncEngine.Event.FetchedRecordZoneChanges: modifications=\(modifications.map(\.record.recordID.text)), "
      + "deletions=\(deletions.map(\.recordID.text))>"
  }
}

extension CKSyncEngine.Event.SentDatabaseChanges: CustomStringConvertible {
  /// The IDs of the zones.
  public var description: String {
    "<CKSyncEngine.Event.SentDatabaseChanges: savedZones=\(savedZones.map(\.zoneID.text)), "
      + "failedZoneSaves=\(failedZoneSaves), deletedZoneIDs=\(deletedZoneIDs.map(\.text)), "
      + "failedZoneDeletes=\(failedZoneDeletes.keys.map(\.text).sorted())>"
  }
}

extension CKSyncEngine.Event.SentDatabaseChanges.FailedZoneSave: CustomStringConvertible {
  /// The ID of the zone and the code of the error.
  public var description: String { "\(zone.zoneID.text): \(error.code.rawValue)" }
}

extension CKSyncEngine.Event.SentRecordZoneChanges: CustomStringConvertible {
  /// The IDs of the records.
  public var description: String {
    "<CKSyncEngine.Event.SentRecordZoneChanges: savedRecords=\(savedRecords.map(\.recordID.text)), "
      + "failedRecordSaves=\(failedRecordSaves), deletedRecordIDs=\(deletedRecordIDs.map(\.text)), "
      + "failedRecordDeletes=\(failedRecordDeletes.keys.map(\.text).sorted())>"
  }
}

extension CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave: CustomStringConvertible {
  /// The ID of the record and the code of the error.
  public var description: String { "\(record.recordID.text): \(error.code.rawValue)" }
}

extension CKSyncEngine.Event.WillFetchChanges: CustomStringConvertible {
  /// The context.
  public var description: String { "<CKSyncEngine.Event.WillFetchChanges: context=\(context)>" }
}

extension CKSyncEngine.Event.WillFetchRecordZoneChanges: CustomStringConvertible {
  /// The ID of the zone.
  public var description: String { "<CKSyncEngine.Event.WillFetchRecordZoneChanges: zoneID=\(zoneID.text)>" }
}

extension CKSyncEngine.Event.DidFetchRecordZoneChanges: CustomStringConvertible {
  /// The ID of the zone, and the code of the error.
  public var description: String {
    let code = error.map { "\($0.code.rawValue)" } ?? "nil"
    return "<CKSyncEngine.Event.DidFetchRecordZoneChanges: zoneID=\(zoneID.text), error=\(code)>"
  }
}

extension CKSyncEngine.Event.DidFetchChanges: CustomStringConvertible {
  /// The context.
  public var description: String { "<CKSyncEngine.Event.DidFetchChanges: context=\(context)>" }
}

extension CKSyncEngine.Event.WillSendChanges: CustomStringConvertible {
  /// The context.
  public var description: String { "<CKSyncEngine.Event.WillSendChanges: context=\(context)>" }
}

extension CKSyncEngine.Event.DidSendChanges: CustomStringConvertible {
  /// The context.
  public var description: String { "<CKSyncEngine.Event.DidSendChanges: context=\(context)>" }
}
