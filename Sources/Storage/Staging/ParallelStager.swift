import Platform

/// Documents of a large commit, encoded beside its planning, and their files, made beside what comes after it.
///
/// A commit of hundreds of documents spends its time in turns on planning, on encoding, on making files and on waiting for
/// the journal's sync. So a second thread encodes while the first one plans (``put(place:isNew:_:)``); once all is planned,
/// two threads make the files (``StagedFileWriter``) while the journal is encoded, written and synced; and the files take
/// their places on two threads while lines and keys are written. ``DocumentPrefetcher`` has the documents' present versions read
/// meanwhile. What was foreseen and comes otherwise is put again, for the same effect; the last one counts.
///
/// What dies: files that nobody put in place are staged ones, over which the next commit writes, or have no name yet.
///
/// It is worth its threads: without it batches of 400 documents take one and a half times as long.
///
/// Its maker's thread uses it, and ends it with ``end()`` before the folder's lock is let go.
package final class ParallelStager {
  /// A document as its file will hold it.
  package struct Content: Sendable {
    package var bytes: [UInt8]
    package var digest: String
    fileprivate var isNew: Bool
  }

  private struct Job: Sendable {
    var place: Int
    var encode: @Sendable () -> [UInt8]
    var isNew: Bool
  }

  /// A hand-over costs as much as a document.
  private static let chunk = 16

  private let folder: Directory
  private let encoding = SerialWorker()
  /// By the number of the effect that will put the file in place.
  private let encoded = Condition([Int: Content]())
  private var waiting: [Job] = []
  /// The effects that something was put for.
  package private(set) var places: Set<Int> = []
  /// Once it is known what is in them.
  private(set) var files: StagedFileWriter?

  package init(in folder: JournaledFolder) {
    self.folder = folder.staged
  }

  /// A document's version, and the effect that will put it in place; the last one for an effect counts.
  package func put(place: Int, isNew: Bool, _ encode: @escaping @Sendable () -> [UInt8]) {
    places.insert(place)
    waiting.append(Job(place: place, encode: encode, isNew: isNew))
    if waiting.count == Self.chunk { handOver() }
  }

  private func handOver() {
    guard !waiting.isEmpty else { return }
    encoding.add { [encoded, waiting] in
      let contents = waiting.map { job in
        let bytes = job.encode()
        return (job.place, Content(bytes: bytes, digest: Digest.hex64(bytes), isNew: job.isNew))
      }
      encoded.change { encoded in for (place, content) in contents { encoded[place] = content } }
    }
    waiting = []
  }

  /// What each file will hold, by effect, of which there are `count`: what was put for later ones is none of theirs. The
  /// files are being made from then on; where the disk may be too full for them, they are made by then.
  package func contents(of count: Int) throws -> [Int: Content] {
    handOver()
    try encoding.finish()
    places = places.filter { $0 < count }
    let contents = encoded.change { $0.filter { places.contains($0.key) } }
    let jobs = contents.sorted { $0.key < $1.key }
      .map { StagedFileWriter.Job(place: $0.key, bytes: $0.value.bytes, isNew: $0.value.isNew) }
    let files = StagedFileWriter(jobs, in: folder)
    self.files = files
    if !folder.hasRoom(for: jobs.map { $0.bytes.count }) { try files.finish() }
    return contents
  }

  /// What was made and nobody took goes.
  package func end() {
    waiting = []
    try? encoding.finish()
    files?.end()
  }
}
