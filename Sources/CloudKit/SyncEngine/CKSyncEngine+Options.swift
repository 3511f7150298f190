import Foundation

extension CKSyncEngine {
  /// The reason for a fetch or a send.
  public enum SyncReason: Hashable, Sendable {
    /// The engine scheduled it, for example after a push, after a change of the state, or as a retry.
    case scheduled

    /// The app called ``CKSyncEngine/fetchChanges(_:)`` or ``CKSyncEngine/sendChanges(_:)``.
    case manual
  }

  /// The options of a fetch.
  public struct FetchChangesOptions: Sendable {
    /// The zones to fetch.
    public enum Scope: Equatable, Sendable {
      /// All zones; the default.
      case all

      /// All zones except these.
      case allExcluding([CKRecordZone.ID])

      /// These zones only.
      case zoneIDs([CKRecordZone.ID])

      /// Whether the scope includes the zone.
      public func contains(_ zoneID: CKRecordZone.ID) -> Bool {
        switch self {
        case .all: true
        case .allExcluding(let zoneIDs): !zoneIDs.contains(zoneID)
        case .zoneIDs(let zoneIDs): zoneIDs.contains(zoneID)
        }
      }
    }

    /// The zones to fetch. The changes of other zones stay unfetched.
    ///
    /// - Assumption: the scope does not limit the database's feed. The zones that it leaves out stay in
    ///   ``CKSyncEngine/State/zoneIDsWithUnfetchedServerChanges``.
    public var scope: CKSyncEngine.FetchChangesOptions.Scope

    /// The group of the fetch's operations.
    public var operationGroup: CKOperationGroup

    /// The zones to fetch first, in this order. A zone without changes is ignored. The default is no zone.
    ///
    /// - Assumption: the other zones follow in the order of the database's feed.
    public var prioritizedZoneIDs: [CKRecordZone.ID] = []

    /// Makes options without prioritized zones. Without a group, a new one is made.
    public init(scope: CKSyncEngine.FetchChangesOptions.Scope = .all, operationGroup: CKOperationGroup? = nil) {
      self.scope = scope
      self.operationGroup = operationGroup ?? CKOperationGroup()
    }
  }

  /// The reason and the options of a fetch.
  public struct FetchChangesContext: Sendable {
    /// The reason.
    public let reason: CKSyncEngine.SyncReason

    /// The present options. The delegate can change them between requests.
    public let options: CKSyncEngine.FetchChangesOptions
  }

  /// The options of a send.
  public struct SendChangesOptions: Sendable {
    /// The records to send. The delegate applies the scope when it makes a batch.
    public enum Scope: Equatable, Sendable {
      /// The records of all zones; the default.
      case all

      /// The records of all zones except these.
      case allExcluding([CKRecordZone.ID])

      /// The records of these zones only.
      case zoneIDs([CKRecordZone.ID])

      /// These records only.
      case recordIDs([CKRecord.ID])

      /// Whether the scope includes the record.
      public func contains(_ recordID: CKRecord.ID) -> Bool {
        switch self {
        case .all: true
        case .allExcluding(let zoneIDs): !zoneIDs.contains(recordID.zoneID)
        case .zoneIDs(let zoneIDs): zoneIDs.contains(recordID.zoneID)
        case .recordIDs(let recordIDs): recordIDs.contains(recordID)
        }
      }

      /// Whether the scope includes the record of the change.
      public func contains(_ pendingChange: CKSyncEngine.PendingRecordZoneChange) -> Bool {
        contains(pendingChange.itemID)
      }
    }

    /// The records to send.
    ///
    /// - Assumption: the scope does not limit database changes.
    public var scope: CKSyncEngine.SendChangesOptions.Scope

    /// The group of the send's operations.
    public var operationGroup: CKOperationGroup

    /// Makes options. Without a group, a new one is made.
    public init(scope: CKSyncEngine.SendChangesOptions.Scope = .all, operationGroup: CKOperationGroup? = nil) {
      self.scope = scope
      self.operationGroup = operationGroup ?? CKOperationGroup()
    }
  }

  /// The reason and the options of a send.
  public struct SendChangesContext: Sendable {
    /// The reason.
    public let reason: CKSyncEngine.SyncReason

    /// The options.
    public let options: CKSyncEngine.SendChangesOptions
  }
}

// MARK: Descriptions

extension CKSyncEngine.SyncReason: CustomStringConvertible {
  /// The name of the case.
  public var description: String { self == .manual ? "manual" : "scheduled" }
}

extension CKSyncEngine.FetchChangesOptions.Scope: CustomStringConvertible {
  /// The case and its zones.
  public var description: String {
    switch self {
    case .all: "all"
    case .allExcluding(let zoneIDs): "allExcluding(\(zoneIDs.map(\.text)))"
    case .zoneIDs(let zoneIDs): "zoneIDs(\(zoneIDs.map(\.text)))"
    }
  }
}

extension CKSyncEngine.FetchChangesOptions: CustomStringConvertible {
  /// The scope, the group and the prioritized zones.
  public var description: String {
    "<CKSyncEngine.FetchChangesOptions: scope=\(scope), operationGroup=\(operationGroup.operationGroupID), "
      + "prioritizedZoneIDs=\(prioritizedZoneIDs.map(\.text))>"
  }
}

extension CKSyncEngine.FetchChangesContext: CustomStringConvertible {
  /// The reason and the options.
  public var description: String { "<CKSyncEngine.FetchChangesContext: reason=\(reason), options=\(options)>" }
}

extension CKSyncEngine.SendChangesOptions.Scope: CustomStringConvertible {
  /// The case and its zones or records.
  public var description: String {
    switch self {
    case .all: "all"
    case .allExcluding(let zoneIDs): "allExcluding(\(zoneIDs.map(\.text)))"
    case .zoneIDs(let zoneIDs): "zoneIDs(\(zoneIDs.map(\.text)))"
    case .recordIDs(let recordIDs): "recordIDs(\(recordIDs.map(\.text)))"
    }
  }
}

extension CKSyncEngine.SendChangesOptions: CustomStringConvertible {
  /// The scope and the group.
  public var description: String {
    "<CKSyncEngine.SendChangesOptions: scope=\(scope), operationGroup=\(operationGroup.operationGroupID)>"
  }
}

extension CKSyncEngine.SendChangesContext: CustomStringConvertible {
  /// The reason and the options.
  public var description: String { "<CKSyncEngine.SendChangesContext: reason=\(reason), options=\(options)>" }
}
