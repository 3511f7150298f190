import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudPredicateFormat
import LocalCloudStorage
import Synchronization
import Testing

@Suite("Pages of fetched objects")
struct PageTests {
  private typealias Sample = SampleStore

  @Test(
    "a page that is fetched through an index equals that range of the unpaged result, in every order",
    arguments: [1, 2] as [UInt64])
  func pageThatIsFetchedThroughAnIndex(own: UInt64) throws {
    var random = SeededGenerator(seed: TestSeed.value(own))
    try Sample.withPath("objects-pages") { path in
      let store = try Sample.open(path)
      for _ in 0..<4 {
        _ = try store.write { transaction in
          for _ in 0..<60 {
            let number = Int64.random(in: 0..<40, using: &random)
            let values: [String: StoredValue] = [
              "title": number == 0 ? .null : .string("t\(number)"), "rating": .integer(number % 7),
              "due": .date(Double(number % 5)),
            ]
            transaction.insert(Sample.row(transaction.newID(of: Sample.post), values))
          }
        }
      }
      let sorts: [[(String, Bool)]] = [
        [("title", true)], [("title", false)], [("rating", true)], [("rating", true), ("due", false)],
        [("rating", false), ("due", true)], [],
      ]
      for sort in sorts {
        var fetch = StoreFetch(entities: [Sample.post])
        fetch.sort = sort.map { StoreSort(path: [$0.0], isAscending: $0.1) }
        fetch.usesIndexes = false
        let all = try store.read { try $0.fetch(fetch).map(\.id) }
        #expect(all.count == 240)
        fetch.usesIndexes = true
        for _ in 0..<30 {
          fetch.offset = Int.random(in: 0..<260, using: &random)
          fetch.limit = Int.random(in: 0..<50, using: &random)
          let page = try store.read { try $0.fetch(fetch).map(\.id) }
          #expect(page == Array(all.dropFirst(fetch.offset).prefix(fetch.limit)), "\(sort) \(fetch.offset)")
          #expect(try store.read { try $0.fetchIDs(fetch) } == page, "\(sort) \(fetch.offset)")
          let count = try store.read { try $0.count(fetch) }
          #expect(count == page.count)
        }
        fetch.offset = .max
        #expect(try store.read { try $0.fetch(fetch).isEmpty })
      }
    }
  }

  /// Records the file system's calls.
  private final class Calls: Sendable {
    private let calls = Mutex<[FileSystemCall]>([])

    var fileSystem: FileSystem {
      FileSystem { [self] call in
        calls.withLock { $0.append(call) }
        return .proceed
      }
    }

    /// Number of reads of segments and of index pages during `body`, and the result of `body`.
    func reads(_ body: () throws -> Int) rethrows -> (segments: Int, index: Int, result: Int) {
      calls.withLock { $0 = [] }
      let result = try body()
      let paths = calls.withLock { $0 }.compactMap { if case .read(let path, _, _) = $0 { path } else { nil } }
      let segments = paths.count { $0.hasSuffix(".jsonl") && $0.contains("/objects/") }
      return (segments, paths.count { $0.hasSuffix("/index") }, result)
    }
  }

  @Test("counts and ordered identifiers are read from the index only; adjacent rows are read together")
  func reads() throws {
    try Sample.withPath("objects-reads") { path in
      let calls = Calls()
      let store = try ObjectStore(path, schema: Sample.schema, in: calls.fileSystem)
      _ = try store.write { transaction in
        for number in 0..<3_000 {
          let values: [String: StoredValue] = ["title": .string("t\(number * 7 % 3_000)"), "rating": .integer(1)]
          transaction.insert(Sample.row(transaction.newID(of: Sample.post), values))
        }
      }
      var fetch = StoreFetch(entities: [Sample.post])
      let all = try store.read { try $0.fetchIDs(fetch) }
      #expect(all.count == 3_000)
      let count = try calls.reads { try store.read { try $0.count(fetch) } }
      #expect(count.result == 3_000, "\(count)")
      #expect(count.segments == 0, "\(count)")
      #expect(count.index <= 5, "\(count)")
      // An index page contains at least 300 of the 3,000 keys.
      fetch.sort = [StoreSort(path: ["title"], isAscending: false)]
      let ordered = try calls.reads { try store.read { try $0.fetchIDs(fetch).count } }
      #expect(ordered.result == 3_000, "\(ordered)")
      #expect(ordered.segments == 0, "\(ordered)")
      #expect(ordered.index <= 25, "\(ordered)")
      (fetch.offset, fetch.limit) = (2_000, 100)
      let page = try calls.reads { try store.read { try $0.fetch(fetch).count } }
      #expect(page.result == 100, "\(page)")
      #expect(page.segments <= 100, "\(page)")
      #expect(page.index <= 45, "\(page)")
      let ids = Array(all[500..<1_500])
      let near = try calls.reads { try store.read { try $0.rows(ids).count } }
      #expect(near.result == 1_000, "\(near)")
      #expect(near.segments <= 3, "\(near)")
      #expect(near.index <= 10, "\(near)")
      // These rows are known, and the store has the same sequence.
      let known = try calls.reads { try store.read { try $0.rows(ids).count } }
      #expect(known.result == 1_000, "\(known)")
      #expect(known.segments == 0, "\(known)")
      #expect(known.index == 0, "\(known)")
    }
  }
}
