import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// The fields of a record that the model does not know, because a later version of the program created them. They stay
/// in a changed record, and move with a record to another zone ([mirror-29]).
struct ForeignFields {
  /// The keys of a record, also of encrypted values, that are not part of the content.
  static func keys(of record: CKRecord, beside content: RecordContent) -> [String] {
    record.allKeys().filter { !content.knows($0) }
  }

  let mirrored: MirroredStore

  /// Copies the fields from the former address to records that are saved in another zone for the first time. Returns
  /// the saves that can be sent, and the error of those that have to wait.
  func copy(to saves: [ExportSave]) throws -> (saves: [ExportSave], failure: (any Error)?) {
    let former = saves.compactMap(\.foreign)
    if former.isEmpty { return (saves, nil) }
    let found = try mirrored.records(former.map(\.location.recordID))
    var failure: (any Error)?
    let ready = saves.filter { save in
      guard let foreign = save.foreign else { return true }
      switch found[foreign.location.recordID] {
      case .success(let record)?:
        for key in foreign.keys {
          if let value = record.object(forKey: key) {
            save.record.setObject(value, forKey: key)
          } else if let value = record.encryptedValues.object(forKey: key) {
            save.record.encryptedValues.setObject(value, forKey: key)
          }
        }
        return true
      case .failure(let error)? where (error as? CKError)?.code != .unknownItem:
        failure = error
        return false
      // The former record was deleted: there are no fields to copy.
      case .failure, nil: return true
      }
    }
    return (ready, failure)
  }
}
