import CloudKit

/// The value of a field, or an argument of a predicate. A number without a fraction is an integer.
enum FieldValue: Codable, Sendable {
  case null
  case integer(Int)
  case double(Double)
  case text(String)
  case list([FieldValue])
  case object(Object)

  /// A value that JSON has no form for. Exactly one property is set; the action belongs to the reference.
  struct Object: Codable, Sendable {
    /// Seconds since 2001.
    var date: Double?
    var bytes: String?
    /// The contents of the asset's file.
    var asset: String?
    /// The name of a record in the same zone.
    var reference: String?
    var action: Action?

    enum Action: String, Codable, Sendable { case none, deleteSelf }
  }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let integer = try? value.decode(Int.self) {
      self = .integer(integer)
    } else if let double = try? value.decode(Double.self) {
      self = .double(double)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([FieldValue].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode(Object.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .integer(let integer): try value.encode(integer)
    case .double(let double): try value.encode(double)
    case .text(let text): try value.encode(text)
    case .list(let list): try value.encode(list)
    case .object(let object): try value.encode(object)
    }
  }

  /// The object for CloudKit; nil for `null`.
  ///
  /// - Parameters:
  ///   - zone: the zone of the records that references name.
  ///   - file: writes the contents of an asset into a file.
  func value(
    in zone: CKRecordZone.ID, file: (String) throws -> URL
  ) throws -> (any CKRecordValue)? {
    switch self {
    case .null: return nil
    case .integer(let integer): return NSNumber(value: integer)
    case .double(let double): return NSNumber(value: double)
    case .text(let text): return NSString(string: text)
    case .list(let list):
      let values = try list.map { element -> any CKRecordValue in
        guard let value = try element.value(in: zone, file: file) else { throw ParityError("a list holds null") }
        return value
      }
      return NSArray(array: values)
    case .object(let object):
      if let date = object.date { return NSDate(timeIntervalSinceReferenceDate: date) }
      if let bytes = object.bytes { return NSData(data: Data(bytes.utf8)) }
      if let asset = object.asset { return CKAsset(fileURL: try file(asset)) }
      if let name = object.reference {
        let id = CKRecord.ID(recordName: name, zoneID: zone)
        return CKRecord.Reference(recordID: id, action: object.action == .deleteSelf ? .deleteSelf : .none)
      }
      throw ParityError("an object of a field has none of date, bytes, asset and reference")
    }
  }
}
