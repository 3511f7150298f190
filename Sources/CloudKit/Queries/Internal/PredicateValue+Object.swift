import CoreLocation
import Foundation
import PredicateFormat

extension PredicateValue {
  /// What an app's object is to a predicate: a value of the language, or an object that is asked for its keys.
  ///
  /// Stops the process for collections in one another beyond what a predicate may hold.
  init(object: Any?) { self.init(object: object, depth: PredicateTree.maximumDepth) }

  private init(object: Any?, depth: Int) {
    guard depth > 0 else { raise("Collections more than \(PredicateTree.maximumDepth) levels deep in a predicate") }
    guard let object = object.flatMap(Self.unwrapped), !(object is NSNull) else {
      self = .null
      return
    }
    if let value = PredicateValue(simple: object) {
      self = value
    } else if let object = PredicateObject(record: object) {
      self = .object(object)
    } else if let values = Self.members(of: object) {
      self = .list(values.map { PredicateValue(object: $0, depth: depth - 1) })
    } else if let values = object as? [AnyHashable: Any] {
      let pairs = values.map { (String(describing: $0.key.base), PredicateValue(object: $0.value, depth: depth - 1)) }
      self = .dictionary(Dictionary(pairs) { first, _ in first })
    } else {
      self = .object(PredicateObject(reflecting: object))
    }
  }

  private init?(simple object: Any) {
    switch object {
    case let text as String: self = .string(text)
    case let text as Substring: self = .string(String(text))
    case let text as NSString: self = .string(text as String)
    case let character as Character: self = .string(String(character))
    case let number as NSNumber: self.init(number)
    case let number as any BinaryInteger:
      self = Int64(exactly: number).map(PredicateValue.integer) ?? .double(Double(number))
    case let number as any BinaryFloatingPoint: self = .double(Double(number))
    case let number as Decimal: self.init(NSDecimalNumber(decimal: number))
    case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
    case let date as NSDate: self = .date(date.timeIntervalSinceReferenceDate)
    case let data as Data: self = .data(Array(data))
    case let data as NSData: self = .data(Array(data as Data))
    case let location as CLLocation:
      self = .location(latitude: location.coordinate.latitude, longitude: location.coordinate.longitude)
    case let id as UUID: self = .object(PredicateObject(type: "NSUUID", parts: ["UUIDString": .string(id.uuidString)]))
    case let id as NSUUID:
      self = .object(PredicateObject(type: "NSUUID", parts: ["UUIDString": .string(id.uuidString)]))
    case let url as URL:
      self = .object(PredicateObject(type: "NSURL", parts: ["absoluteString": .string(url.absoluteString)]))
    case let url as NSURL:
      self = .object(PredicateObject(type: "NSURL", parts: ["absoluteString": .string((url as URL).absoluteString)]))
    default: return nil
    }
  }

  private init(_ number: NSNumber) {
    let isInteger = number.doubleValue == number.doubleValue.rounded() && number.doubleValue.magnitude < 0x1p63
    switch UnicodeScalar(UInt8(bitPattern: number.objCType.pointee)) {
    // An NSDecimalNumber is a double here, and an integer where it is whole.
    case "d", "f":
      self = number is NSDecimalNumber && isInteger ? .integer(number.int64Value) : .double(number.doubleValue)
    case "Q": self = Int64(exactly: number.uint64Value).map(PredicateValue.integer) ?? .double(number.doubleValue)
    default: self = .integer(number.int64Value)
    }
  }

  private static func members(of object: Any) -> [Any]? {
    switch object {
    case let set as NSSet: set.allObjects
    case let set as NSOrderedSet: set.array
    case let array as NSArray: array.map { $0 }
    case let array as [Any]: array
    case let set as Set<AnyHashable>: set.map(\.base)
    default: nil
    }
  }

  /// Nil for an optional without value, however deeply it was wrapped.
  static func unwrapped(_ object: Any) -> Any? {
    let mirror = Mirror(reflecting: object)
    guard mirror.displayStyle == .optional else { return object }
    return mirror.children.first.flatMap { unwrapped($0.value) }
  }
}

extension [String: Any] {
  var predicateValues: [String: PredicateValue] { mapValues { PredicateValue(object: $0) } }
}

extension PredicateObject {
  // Sendable: it is looked at only while the app that owns it evaluates a predicate, on the app's own thread.
  private struct Subject: @unchecked Sendable {
    var object: Any
  }

  /// Records and what names them. References are the same whatever their action is.
  fileprivate init?(record object: Any) {
    switch object {
    case let id as CKRecordID: self.init(type: "CKRecordID", parts: Self.parts(id))
    case let reference as CKReference:
      self.init(type: "CKReference", parts: Self.parts(reference.recordID)) { key in
        key == "recordID" ? PredicateValue(object: reference.recordID) : nil
      }
    case let record as CKRecord:
      self.init(type: "CKRecord", parts: Self.parts(record.recordID)) { Self.value(of: record, forKey: $0) }
    case let id as CKRecordZoneID:
      self.init(type: "CKRecordZoneID", parts: ["zoneName": .string(id.zoneName), "ownerName": .string(id.ownerName)])
    default: return nil
    }
  }

  private static func parts(_ id: CKRecordID) -> [String: PredicateValue] {
    [
      "recordName": .string(id.recordName), "zoneName": .string(id.zoneID.zoneName),
      "ownerName": .string(id.zoneID.ownerName),
    ]
  }

  private static func value(of record: CKRecord, forKey key: String) -> PredicateValue {
    switch key {
    case "recordID": PredicateValue(object: record.recordID)
    case "recordType": .string(record.recordType)
    case "creationDate": PredicateValue(object: record.creationDate)
    case "modificationDate": PredicateValue(object: record.modificationDate)
    case "creatorUserRecordID": PredicateValue(object: record.creatorUserRecordID)
    case "lastModifiedUserRecordID": PredicateValue(object: record.lastModifiedUserRecordID)
    case "recordChangeTag": PredicateValue(object: record.recordChangeTag)
    case "parent": PredicateValue(object: record.parent)
    case "share": PredicateValue(object: record.share)
    default: PredicateValue(object: record[key] as Any?)
    }
  }

  /// Any other object: equal to itself, or for values to what prints alike; its keys are its stored properties.
  fileprivate init(reflecting object: Any) {
    let subject = Subject(object: object)
    let mirror = Mirror(reflecting: object)
    let name =
      mirror.displayStyle == .class || mirror.displayStyle == nil
      ? "\(UInt(bitPattern: ObjectIdentifier(object as AnyObject).hashValue))" : String(reflecting: object)
    self.init(type: String(describing: Swift.type(of: object)), parts: ["self": .string(name)]) { key in
      var mirror: Mirror? = Mirror(reflecting: subject.object)
      while let present = mirror {
        if let child = present.children.first(where: { $0.label == key }) { return PredicateValue(object: child.value) }
        mirror = present.superclassMirror
      }
      return nil
    }
  }
}
