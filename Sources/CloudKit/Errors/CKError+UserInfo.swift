// Names of Apple's API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

// These accessors only read `userInfo`, whatever the code is.
extension CKError {
  /// The error of each item that failed, by its ID, name or URL.
  public var partialErrorsByItemID: [AnyHashable: any Error]? {
    _nsError.userInfo[CKPartialErrorsByItemIDKey] as? [AnyHashable: any Error]
  }

  /// The record before the local changes, for a conflict.
  public var ancestorRecord: CKRecord? {
    _nsError.userInfo[CKRecordChangedErrorAncestorRecordKey] as? CKRecord
  }

  /// The record as stored on the server, for a conflict. Its assets are not downloaded.
  public var serverRecord: CKRecord? {
    _nsError.userInfo[CKRecordChangedErrorServerRecordKey] as? CKRecord
  }

  /// The record that the app tried to save, for a conflict.
  public var clientRecord: CKRecord? {
    _nsError.userInfo[CKRecordChangedErrorClientRecordKey] as? CKRecord
  }

  /// The number of seconds to wait before a retry; nil if a retry does not help or no time is known.
  public var retryAfterSeconds: Double? {
    (_nsError.userInfo[CKErrorRetryAfterKey] as? NSNumber)?.doubleValue
  }
}

/// The key of the dictionary of item errors.
public let CKPartialErrorsByItemIDKey: String = "CKPartialErrors"

/// The key of the number of seconds to wait before a retry.
public let CKErrorRetryAfterKey: String = "CKRetryAfter"

/// The key of the record before the local changes.
///
/// - Assumption: the text of the key is `AncestorRecord`; Apple documents only the constant.
public let CKRecordChangedErrorAncestorRecordKey: String = "AncestorRecord"

/// The key of the record as stored on the server.
///
/// - Assumption: the text of the key is `ServerRecord`; Apple documents only the constant.
public let CKRecordChangedErrorServerRecordKey: String = "ServerRecord"

/// The key of the record that the app tried to save.
///
/// - Assumption: the text of the key is `ClientRecord`; Apple documents only the constant.
public let CKRecordChangedErrorClientRecordKey: String = "ClientRecord"

/// The key of a `zoneNotFound` error that is true if the user reset the encryption keys.
///
/// - Assumption: the text of the key is that of the constant; Apple documents only the constant.
public let CKErrorUserDidResetEncryptedDataKey: String = "CKErrorUserDidResetEncryptedDataKey"
