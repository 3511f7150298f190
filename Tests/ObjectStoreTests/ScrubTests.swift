import FaultInjection
import Foundation
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Testing

@Suite("Scrubbing deleted data from a store")
struct ScrubTests {
  private typealias Sample = SampleStore

  private static let secret = "SECRET-4711"

  /// The files that hold the secret.
  private func traces(_ path: String) throws -> [String] {
    let root = URL(fileURLWithPath: path)
    let names = try FileManager.default.subpathsOfDirectory(atPath: path)
    return try names.filter { name in
      var isFolder: ObjCBool = false
      let url = root.appendingPathComponent(name)
      _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      return try !isFolder.boolValue && Data(contentsOf: url).range(of: Data(Self.secret.utf8)) != nil
    }.sorted()
  }

  /// A note, a post with a binary, and a row of the mirroring that contain the secret; and a person without it.
  private func fill(_ store: ObjectStore) throws -> [RowID] {
    try store.write { transaction in
      let ids = [Sample.note, Sample.post, Sample.person].map { transaction.newID(of: $0) }
      transaction.insert(Sample.row(ids[0], ["title": .string(Self.secret)]))
      let body = try transaction.external(Array((Self.secret + " in a file").utf8))
      transaction.insert(Sample.row(ids[1], ["title": .string("kept"), "body": .external(body)]))
      transaction.insert(Sample.row(ids[2], ["name": .string("Ann")]))
      transaction.put(
        MirrorRow(id: ids[0].number, key: "zone/\(Self.secret)", values: ["record": .string(Self.secret)]), in: .records
      )
      return ids
    }.result
  }

  private func lose(_ ids: [RowID], _ store: ObjectStore) throws {
    _ = try store.write { transaction in
      transaction.isRestoring = false
      try transaction.delete(ids[0])
      transaction.remove(ids[0].number, from: .records)
      var post = try #require(try transaction.row(ids[1]))
      post.attributes[Sample.attributeIndex("body", of: Sample.post)] = .null
      try transaction.update(post, changed: ["body"])
    }
    // Purging the history removes the values that the app preserves for deleted objects.
    try store.purgeHistory(through: .max)
  }

  @Test(
    "[store-23] scrubbing removes deleted bytes from segments, journal, index and binaries, and changes no other data")
  func scrubbingRemovesDeletedBytesFromSegments() throws {
    try Sample.withPath("scrub") { path in
      let store = try Sample.open(path)
      let ids = try fill(store)
      #expect(try traces(path).count >= 3)
      try lose(ids, store)
      #expect(try !traces(path).isEmpty)
      let before = try StoreScenario(store)
      #expect(try store.scrub())
      #expect(try traces(path) == [])
      #expect(try StoreScenario(store) == before && StoreScenario(Sample.open(path)) == before)
      #expect(try store.check() == [])
      // Later commits work on the scrubbed files.
      let more = try fill(store)
      try lose(more, store)
      #expect(try store.scrub())
      #expect(try traces(path) == [])
      #expect(try store.check() == [])
    }
  }

  @Test("[store-23] scrubbing leaves a pinned generation readable and finishes after its release")
  func scrubbingLeavesAPinnedGenerationReadable() throws {
    try Sample.withPath("scrub-pinned") { path in
      let store = try Sample.open(path)
      let ids = try fill(store)
      var generation: StoreGeneration? = try store.generation()
      try lose(ids, store)
      #expect(try !store.scrub())
      let title = try generation.map { generation in
        try store.read(at: generation) { view in
          try view.row(ids[0])?.attributes[Sample.attributeIndex("title", of: Sample.note)]
        }
      }
      #expect(title == .string(Self.secret))
      generation = nil
      #expect(try store.scrub())
      #expect(try traces(path) == [])
    }
  }

  @Test("[store-23] scrubbing does not rewrite segments without obsolete data")
  func scrubbingDoesNotRewriteSegments() throws {
    try Sample.withPath("scrub-untouched") { path in
      let store = try Sample.open(path)
      _ = try fill(store)
      let before = try FileManager.default.contentsOfDirectory(atPath: path + "/objects/Note")
      let head = try store.read { try $0.head() }
      #expect(try store.scrub())
      #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/objects/Note") == before)
      #expect(try store.read { try $0.head() } == head)
    }
  }
}
