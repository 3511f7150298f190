import CloudModel
import CloudStore

/// Who may write what in the public database ([record-public-1] and following).
extension ZoneBatch {
  /// - Assumption: a parent is `invalidArguments` there: hierarchies are for sharing.
  func checkPublic(_ request: RecordSave, _ stored: StoredRecord?) throws {
    if request.type == Record.shareType {
      throw ServiceError.shareInPublicDatabase
    }
    let permission: SchemaRecordType.Permission = stored == nil ? .create : .write
    let type = stored?.type ?? request.type
    guard schema.schema.allows(permission, type: type, to: account, on: stored) else {
      throw ServiceError.notPermitted(permission.rawValue)
    }
    if case .set = request.parent {
      throw ServiceError.invalid("Record '\(request.id.name)' can't have a parent in the public database")
    }
  }

  /// Deleting is writing.
  func mayDeletePublic(_ stored: StoredRecord) -> Bool {
    schema.schema.allows(.write, type: stored.type, to: account, on: stored)
  }
}
