import LocalCloudPlatform

/// Encodes the documents of a large commit during its planning, and makes their files during the steps after it.
///
/// A commit of hundreds of documents spends its time alternately on planning, encoding, making files and waiting for
/// the journal's sync. So a second thread encodes while the first one plans (``put(index:isNew:_:)``). After the
/// planning, two threads make the files (``StagedFileWriter``) while the journal is encoded, written and synced. Then
/// two threads move the files to their paths while lines and keys are written. ``DocumentPrefetcher`` reads the
/// documents' present versions during the planning. If the final version of a document differs from the staged one, it
/// is put again for the same effect; the last one counts.
///
/// Failures: files that were not moved to their paths have no name, or a staging name that the next commit overwrites.
///
/// The gain justifies the threads: without it, batches of 400 documents take one and a half times as long.
///
/// Threads: only one thread makes and uses it. It calls ``end()`` before the folder's lock is released.
package final class ParallelStager {
  /// The final contents of a document's file.
  package struct Content: Sendable {
    package var bytes: [UInt8]
    package var digest: String
    fileprivate var isNew: Bool
  }

  private struct Job: Sendable {
    var index: Int
    var encode: @Sendable () -> [UInt8]
    var isNew: Bool
  }

  /// The number of documents per hand-over to the other thread. A hand-over costs as much as encoding a document.
  private static let chunk = 16

  private let folder: Directory
  private let encoding = SerialWorker()
  /// The encoded documents, by the number of the effect that writes the file.
  private let encoded = ThreadCondition([Int: Content]())
  private var waiting: [Job] = []
  /// The effects with a document.
  package private(set) var indexes: Set<Int> = []
  /// The files; nil until their contents are known.
  private(set) var files: StagedFileWriter?

  package init(in folder: JournaledFolder) {
    self.folder = folder.staged
  }

  /// Puts a document's version for the effect number `index`. The last one for an effect counts. `encode` runs on
  /// another thread.
  package func put(index: Int, isNew: Bool, _ encode: @escaping @Sendable () -> [UInt8]) {
    indexes.insert(index)
    waiting.append(Job(index: index, encode: encode, isNew: isNew))
    if waiting.count == Self.chunk { handOver() }
  }

  private func handOver() {
    guard !waiting.isEmpty else { return }
    encoding.add { [encoded, waiting] in
      let contents = waiting.map { job in
        let bytes = job.encode()
        return (job.index, Content(bytes: bytes, digest: Digest.hex64(bytes), isNew: job.isNew))
      }
      encoded.change { encoded in for (index, content) in contents { encoded[index] = content } }
    }
    waiting = []
  }

  /// The contents of each file, by effect. The commit has `count` effects; documents put for later ones are dropped.
  /// Starts to make the files and, if the disk may be too full for them, waits until they are made.
  package func contents(of count: Int) throws -> [Int: Content] {
    handOver()
    try encoding.finish()
    indexes = indexes.filter { $0 < count }
    let contents = encoded.change { $0.filter { indexes.contains($0.key) } }
    let jobs = contents.sorted { $0.key < $1.key }
      .map { StagedFileWriter.Job(index: $0.key, bytes: $0.value.bytes, isNew: $0.value.isNew) }
    let files = StagedFileWriter(jobs, in: folder)
    self.files = files
    if !folder.hasRoom(for: jobs.map { $0.bytes.count }) { try files.finish() }
    return contents
  }

  /// Ends the work and removes the files that were not taken.
  package func end() {
    waiting = []
    try? encoding.finish()
    files?.end()
  }
}
