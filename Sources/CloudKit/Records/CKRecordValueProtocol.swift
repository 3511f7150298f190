/// A value that a record can store, as Swift code passes it.
///
/// `String`, `Date`, `Data`, `Bool`, integers of every width, `Float`, `Double`, arrays of these, and the classes of
/// ``CKRecordValue``. Do not adopt it in your own types: setting a value of these types stops the process.
public protocol CKRecordValueProtocol {}

/// A value that a record can store and returns: `NSString`, `NSNumber`, `NSDate`, `NSData`, `NSArray`, `CLLocation`,
/// `CKRecord.Reference` and `CKAsset`.
///
/// Do not adopt it in your own types: setting a value of these types stops the process.
///
/// - Difference: not bound to classes here. The Swift value types conform too, because Linux has no bridging with `as`;
///   so `name as CKRecordValue` and `record["name"] as? String` compile as they do on Apple's platforms. Values that
///   are read from a record are always objects.
public protocol __CKRecordObjCValue: CustomStringConvertible {}

/// A value that a record can store and returns.
public typealias CKRecordValue = __CKRecordObjCValue
