import Foundation

extension CKRecord {
  /// The record with all that an archive of it has, as JSON: for stores that keep many records.
  package var text: String? {
    (try? Payload.data(state.archive(systemFieldsOnly: false))).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The record, or the share, that a text holds; nil if it holds none.
  package static func record(text: String) -> CKRecord? {
    (try? Payload.value(RecordState.Archive.self, from: Data(text.utf8))).flatMap { RecordState(archive: $0) }
      .map { make(state: $0) }
  }
}
