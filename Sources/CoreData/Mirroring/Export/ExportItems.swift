import Foundation
import LocalCloudEmulator
import LocalCloudObjectStore

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// A record to save.
struct ExportSave {
  enum Subject {
    /// The object with that number.
    case object(Int64)
    /// The pair whose first row that is.
    case link(Int64)
  }

  var subject: Subject
  /// The number of the object, of a pair one of them, at which the export finds the record again.
  var object: Int64
  var record: CKRecord
  /// The bytes that the record adds to a request.
  var weight: Int
  /// Whether the record is sent anew after a reset of the encryption keys.
  var isResent = false
  /// Where the record was before, and the fields there that the model does not know.
  var foreign: (home: RecordHome, keys: [String])?
}

/// A record to delete.
struct ExportDeletion {
  enum Subject {
    /// The object with that number is gone.
    case object(Int64)
    /// The object has its record elsewhere by now.
    case oldHome(of: Int64)
    case link(Int64)
    case oldLinkHome(of: Int64)
  }

  var subject: Subject
  /// The number of the object, of a pair one of them, at which the export finds the deletion again.
  var object: Int64
  var home: RecordHome

  /// Whether the record is elsewhere by now.
  var isOfOldHome: Bool {
    switch subject {
    case .oldHome, .oldLinkHome: true
    case .object, .link: false
    }
  }
}

/// What an export came to.
struct ExportOutcome {
  /// The error that shows that the cloud has changes which have to be imported before the rest can be sent.
  var outdated: (any Error)?
  /// What could not be sent, and why.
  var errors: [CKRecord.ID: any Error] = [:]
  var temporary: (any Error)?
  /// Why some objects could not be sent for what they are related to: the first one's error.
  var graphError: (any Error)?

  var isOutOfQuota: Bool { (temporary as? CKError)?.code == .quotaExceeded }

  /// Whether everything was sent, or will not be sent without another occasion.
  var isDone: Bool { outdated == nil && temporary == nil }
}

/// The files of long values, for as long as they are being sent.
final class ExportAssets {
  private var paths: [String] = []

  func asset(_ bytes: [UInt8]) throws -> CKAsset {
    let path = try AssetStaging.file(of: bytes)
    paths.append(path)
    return CKAsset(fileURL: URL(fileURLWithPath: path))
  }

  deinit {
    for path in paths { AssetStaging.remove(path) }
  }
}
