import Platform

/// Record files of a large commit in the making, written to the staging folder beside its planning.
///
/// Its maker's thread uses it, and ends it with ``finish()`` or ``discard()`` before the zone's lock is let go.
final class StagingAhead {
  struct Content {
    /// The effect that will put it in place, which also names the staged file.
    var place: Int
    var bytes: [UInt8]
    var digest: String
  }

  /// A hand-over costs as much as a record.
  private static let chunk = 16

  private let folder: Directory
  private let line = JobLine()
  private var waiting: [Content] = []
  private(set) var contents: [ExactName: Content] = [:]

  init(in folder: Directory) {
    self.folder = folder
  }

  /// A record's new version; `place` counts if it is the first.
  func put(_ record: StoredRecord, place: Int) {
    let bytes = record.bytes
    let content = Content(
      place: contents[record.name]?.place ?? place, bytes: bytes, digest: Digest.hex64(bytes))
    contents[record.name] = content
    waiting.append(content)
    if waiting.count == Self.chunk { handOver() }
  }

  private func handOver() {
    guard !waiting.isEmpty else { return }
    line.add { [folder, waiting] in
      for content in waiting { try folder.writeStaged(String(content.place), content.bytes) }
    }
    waiting = []
  }

  /// Returns once every file is written.
  func finish() throws {
    handOver()
    try line.finish()
  }

  /// Nothing comes of it.
  func discard() {
    waiting = []
    try? line.finish()
    for content in contents.values { _ = try? folder.remove(String(content.place)) }
  }
}
