import Foundation
import LocalCloudCloudKitImport
import LocalCloudEmulator
import LocalCloudObjectStore

/// A record to save.
struct ExportSave {
  enum Subject {
    case object(RowID)
    /// The pair with that number as its first row.
    case link(Int64)
  }

  var subject: Subject
  /// The object, or one object of a pair. The export finds the record again by it.
  var object: RowID
  var record: CKRecord
  /// The bytes that the record adds to a request.
  var weight: Int
  /// Whether the record is sent again after a reset of the encryption keys.
  var isResent = false
  /// The record's former address, and the fields there that the model does not know.
  var foreign: (location: RecordLocation, keys: [String])?
}

/// A record to delete.
struct ExportDeletion {
  enum Subject {
    /// The object was deleted.
    case object(RowID)
    /// The object's record has moved to another address.
    case formerLocation(of: RowID)
    case link(Int64)
    case formerLinkLocation(of: Int64)
  }

  var subject: Subject
  /// The object, or one object of a pair. The export finds the deletion again by it.
  var object: RowID
  var location: RecordLocation

  /// Whether the record has moved to another address.
  var isOfFormerLocation: Bool {
    switch subject {
    case .formerLocation, .formerLinkLocation: true
    case .object, .link: false
    }
  }
}

/// The result of an export.
struct ExportOutcome {
  /// The error that shows that the cloud has changes to import before the rest can be sent.
  var outdated: (any Error)?
  /// Records that could not be sent, with their errors.
  var errors: [CKRecord.ID: any Error] = [:]
  var temporary: (any Error)?
  /// The first error of the objects that can't be sent because of their related objects.
  var graphError: (any Error)?

  var isOutOfQuota: Bool { (temporary as? CKError)?.code == .quotaExceeded }

  /// Whether everything was sent, or the rest has to wait for a later export.
  var isDone: Bool { outdated == nil && temporary == nil }
}

/// The files of long values, for the duration of the upload.
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
