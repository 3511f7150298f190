import CoreLocation
import FoundationPredicates
import PredicateFormat

// Records, IDs, references and locations as values of predicates. The action of a reference does not count.

extension CKRecordID: PredicateValueConvertible {
  package var predicateValue: PredicateValue {
    .object(PredicateObject(type: "CKRecordID", parts: predicateParts))
  }

  fileprivate var predicateParts: [String: PredicateValue] {
    ["recordName": .string(recordName), "zoneName": .string(zoneID.zoneName), "ownerName": .string(zoneID.ownerName)]
  }
}

extension CKReference: PredicateValueConvertible {
  package var predicateValue: PredicateValue {
    .object(
      PredicateObject(type: "CKReference", parts: recordID.predicateParts) { key in
        key == "recordID" ? self.recordID.predicateValue : nil
      })
  }
}

extension CKRecordZoneID: PredicateValueConvertible {
  package var predicateValue: PredicateValue {
    .object(
      PredicateObject(type: "CKRecordZoneID", parts: ["zoneName": .string(zoneName), "ownerName": .string(ownerName)]))
  }
}

extension CKRecord: PredicateValueConvertible {
  package var predicateValue: PredicateValue {
    .object(PredicateObject(type: "CKRecord", parts: recordID.predicateParts) { self.predicateValue(forKey: $0) })
  }

  private func predicateValue(forKey key: String) -> PredicateValue {
    switch key {
    case "recordID": recordID.predicateValue
    case "recordType": .string(recordType)
    case "creationDate": PredicateValue(object: creationDate)
    case "modificationDate": PredicateValue(object: modificationDate)
    case "creatorUserRecordID": PredicateValue(object: creatorUserRecordID)
    case "lastModifiedUserRecordID": PredicateValue(object: lastModifiedUserRecordID)
    case "recordChangeTag": PredicateValue(object: recordChangeTag)
    case "parent": PredicateValue(object: parent)
    case "share": PredicateValue(object: share)
    default: PredicateValue(object: self[key] as Any?)
    }
  }
}

extension CLLocation: PredicateValueConvertible {
  package var predicateValue: PredicateValue {
    .location(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }
}
