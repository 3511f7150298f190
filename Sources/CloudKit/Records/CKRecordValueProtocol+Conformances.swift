import Foundation

// The types of values that a record can store. Each line is one row of Apple's list of supported types.

extension Bool: CKRecordValueProtocol, __CKRecordObjCValue {}
extension Int: CKRecordValueProtocol, __CKRecordObjCValue {}
extension Int8: CKRecordValueProtocol, __CKRecordObjCValue {}
extension Int16: CKRecordValueProtocol, __CKRecordObjCValue {}
extension Int32: CKRecordValueProtocol, __CKRecordObjCValue {}
extension Int64: CKRecordValueProtocol, __CKRecordObjCValue {}
extension UInt: CKRecordValueProtocol, __CKRecordObjCValue {}
extension UInt8: CKRecordValueProtocol, __CKRecordObjCValue {}
extension UInt16: CKRecordValueProtocol, __CKRecordObjCValue {}
extension UInt32: CKRecordValueProtocol, __CKRecordObjCValue {}
extension UInt64: CKRecordValueProtocol, __CKRecordObjCValue {}
extension Float: CKRecordValueProtocol, __CKRecordObjCValue {}
extension Double: CKRecordValueProtocol, __CKRecordObjCValue {}
extension String: CKRecordValueProtocol, __CKRecordObjCValue {}
extension Date: CKRecordValueProtocol, __CKRecordObjCValue {}
extension Data: CKRecordValueProtocol, __CKRecordObjCValue {}
extension NSString: CKRecordValueProtocol, __CKRecordObjCValue {}
extension NSNumber: CKRecordValueProtocol, __CKRecordObjCValue {}
extension NSDate: CKRecordValueProtocol, __CKRecordObjCValue {}
extension NSData: CKRecordValueProtocol, __CKRecordObjCValue {}
extension NSArray: CKRecordValueProtocol, __CKRecordObjCValue {}
extension CLLocation: CKRecordValueProtocol, __CKRecordObjCValue {}
extension CKReference: CKRecordValueProtocol, __CKRecordObjCValue {}
extension CKAsset: CKRecordValueProtocol, __CKRecordObjCValue {}
extension Array: CKRecordValueProtocol where Element: CKRecordValueProtocol {}
extension Array: __CKRecordObjCValue where Element: CKRecordValueProtocol {}
