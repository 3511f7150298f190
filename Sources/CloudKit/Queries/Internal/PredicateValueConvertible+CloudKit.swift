import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat

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
    .object(
      PredicateObject(type: "CKRecord", parts: recordID.predicateParts) {
        PredicateValue(object: self.value(forKey: $0))
      })
  }
}

extension CLLocation: PredicateValueConvertible {
  package var predicateValue: PredicateValue {
    .location(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }
}

// The same objects by key paths that are no predicates.

extension CKRecord: KeyValueCoded {
  package func codedValue(forKey key: String) -> Any?? { .some(value(forKey: key)) }
}

extension CKReference: KeyValueCoded {
  package func codedValue(forKey key: String) -> Any?? { key == "recordID" ? .some(recordID) : .none }
}

extension CKRecordID: KeyValueCoded {
  package func codedValue(forKey key: String) -> Any?? {
    switch key {
    case "recordName": .some(recordName)
    case "zoneID": .some(zoneID)
    default: .none
    }
  }
}

extension CKRecordZoneID: KeyValueCoded {
  package func codedValue(forKey key: String) -> Any?? {
    switch key {
    case "zoneName": .some(zoneName)
    case "ownerName": .some(ownerName)
    default: .none
    }
  }
}
