import FaultInjection
import ObjectStore
import PredicateFormat
import Storage
import Testing

@Suite("Pages of fetched objects")
struct PageTests {
  private typealias Sample = SampleStore

  @Test("pages by an index are the parts of the whole, whatever the order", arguments: [1, 2] as [UInt64])
  func pages(own: UInt64) throws {
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
          let count = try store.read { try $0.count(fetch) }
          #expect(count == page.count)
        }
        fetch.offset = .max
        #expect(try store.read { try $0.fetch(fetch).isEmpty })
      }
    }
  }
}
