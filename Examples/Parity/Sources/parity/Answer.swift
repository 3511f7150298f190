import CloudKit

/// CloudKit's objects as JSON. Values that differ from run to run are marked.
enum Answer {
  static func name(_ id: CKRecord.ID) -> String { "\(name(id.zoneID))/\(id.recordName)" }

  /// A zone of the current user has no owner in its name.
  static func name(_ id: CKRecordZone.ID) -> String {
    id.ownerName == CKCurrentUserDefaultName ? id.zoneName : "\(id.ownerName):\(id.zoneName)"
  }

  static func zone(_ zone: CKRecordZone) -> JSON {
    .of([
      "capabilities": .integer(Int(zone.capabilities.rawValue)), "share": zone.share.map { .text(name($0.recordID)) },
    ])
  }

  static func record(_ record: CKRecord) -> JSON {
    var fields: [String: JSON] = [:]
    for key in record.allKeys() { fields[key] = value(record.object(forKey: key)) }
    var answer: [String: JSON?] = [
      "type": .text(record.recordType), "fields": .object(fields), "id": .text(name(record.recordID)),
      "tag": record.recordChangeTag.map { .marked(.tag, "\(name(record.recordID)) \($0)") },
      "created": record.creationDate.map(date), "createdBy": record.creatorUserRecordID.map { .text($0.recordName) },
      "modified": record.modificationDate.map(date),
      "modifiedBy": record.lastModifiedUserRecordID.map { .text($0.recordName) },
      "parent": record.parent.map { .text(name($0.recordID)) }, "share": record.share.map { .text(name($0.recordID)) },
      "changedKeys": record.changedKeys().isEmpty ? nil : .list(record.changedKeys().sorted().map(JSON.text)),
    ]
    if let share = record as? CKShare {
      answer["permission"] = .integer(share.publicPermission.rawValue)
      answer["participants"] = .list(share.participants.map(participant))
      answer["currentUser"] = share.currentUserParticipant.map(participant)
      answer["url"] = share.url.map { .text($0.absoluteString) }
    }
    return .of(answer)
  }

  private static func participant(_ participant: CKShare.Participant) -> JSON {
    .of([
      "role": .integer(participant.role.rawValue), "permission": .integer(participant.permission.rawValue),
      "acceptance": .integer(participant.acceptanceStatus.rawValue),
    ])
  }

  /// The date in milliseconds, as the service has it.
  private static func date(_ date: Date) -> JSON {
    .marked(.date, "\((date.timeIntervalSinceReferenceDate * 1000).rounded())")
  }

  private static func value(_ value: Any?) -> JSON {
    switch value {
    case let text as String: .text(text)
    case let number as NSNumber:
      ["d", "f"].contains(String(cString: number.objCType)) ? .number(number.doubleValue) : .integer(number.intValue)
    case let date as Date: .of(["date": .number(date.timeIntervalSinceReferenceDate)])
    case let data as Data: .of(["bytes": .text(String(decoding: data, as: UTF8.self))])
    case let reference as CKRecord.Reference:
      .of([
        "reference": .text(name(reference.recordID)),
        "action": reference.action == .deleteSelf ? .text("deleteSelf") : nil,
      ])
    case let asset as CKAsset:
      .of(["asset": contents(of: asset)])
    case let list as [Any]: .list(list.map(Self.value))
    default: .text("<\(type(of: value))>")
    }
  }

  /// The contents of the asset's file; null without a file.
  private static func contents(of asset: CKAsset) -> JSON {
    guard let file = asset.fileURL, let data = try? Data(contentsOf: file) else { return .null }
    return .text(String(decoding: data, as: UTF8.self))
  }

  static func token(_ token: CKServerChangeToken) -> JSON {
    let data = try? NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    return .marked(.token, data?.base64EncodedString() ?? "")
  }

  static func subscription(_ subscription: CKSubscription) -> JSON {
    .of([
      "kind": .integer(subscription.subscriptionType.rawValue),
      "zone": (subscription as? CKRecordZoneSubscription).map { .text(name($0.zoneID)) },
      "type": (subscription as? CKQuerySubscription)?.recordType.map { .text($0) },
    ])
  }

  static func metadata(_ metadata: CKShare.Metadata) -> JSON {
    .of([
      "share": record(metadata.share), "root": metadata.hierarchicalRootRecordID.map { .text(name($0)) },
      "rootRecord": metadata.rootRecord.map(record), "role": .integer(metadata.participantRole.rawValue),
      "acceptance": .integer(metadata.participantStatus.rawValue),
      "permission": .integer(metadata.participantPermission.rawValue),
    ])
  }
}
