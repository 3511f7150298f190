import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudPredicateFormat
import LocalCloudStorage
import Testing

@Suite("An object store compared with a dictionary model")
struct RandomTests {
  private typealias Sample = SampleStore

  @Test(
    "random transactions of two instances give the same contents in the store and in the model",
    arguments: [1, 2, 3, 4] as [UInt64])
  func randomTransactionsOfTwoInstancesGive(own: UInt64) throws {
    try Sample.withPath("objects-random") { path in
      var changes = RandomChanges(seed: TestSeed.value(own))
      // One of them has room for a few rows.
      var small = Sample.options
      small.cachedBytes = 2_000
      let stores = [try Sample.open(path), try Sample.open(path, options: small)]
      for step in 0..<150 {
        let store = stores[Int.random(in: 0..<2, using: &changes.random)]
        try changes.step(store) { try compare($0, $1, "in the transaction of step \(step)") }
        if step % 15 == 14 { try compare(stores[step / 15 % 2], changes.model, "step \(step)") }
        if step % 50 == 49 { #expect(try stores[0].check() == [], "step \(step)") }
      }
      // Otherwise no segment was rewritten.
      let numbers = try segments(path)
      #expect(numbers.count > 3)
      try compare(Sample.open(path), changes.model, "at the end")
      try Directory.open(path: path + "/.index", in: FileSystem()).remove("index")
      try compare(Sample.open(path), changes.model, "with an index made anew")
    }
  }

  private func segments(_ path: String) throws -> [String] {
    try Directory.open(path: path + "/objects/Post", in: FileSystem()).entries().map(\.name)
  }

  private func compare(_ store: ObjectStore, _ model: ModelStore, _ text: String) throws {
    try store.read { try compare($0, model, text) }
  }

  private func compare(_ view: StoreView, _ model: ModelStore, _ text: String) throws {
    for entity in Sample.schema.entities.indices {
      let expected = model.rows.values.filter { Int($0.id.entity) == entity }.sorted { $0.id < $1.id }
      var rows: [StoredRow] = []
      try view.forEachRow(of: entity) {
        rows.append($0)
        return true
      }
      #expect(rows == expected, "\(text), entity \(entity)")
      #expect(try view.ids(of: entity) == expected.map(\.id), "\(text)")
    }
    for id in model.rows.keys {
      for relationship in Sample.schema.entities[Int(id.entity)].relationships
      where Sample.schema.relationships[relationship].isToMany {
        let name = Sample.schema.relationships[relationship].name
        #expect(try view.related(id, relationship) == model.related(id, relationship), "\(text), \(name) of \(id)")
      }
    }
    for table in MirrorTable.allCases {
      var rows: [MirrorRow] = []
      try view.forEachMirrorRow(keyPrefix: "", in: table) {
        rows.append($0)
        return true
      }
      let expected = (model.mirror[table] ?? [:]).values.sorted { left, right in
        guard let one = left.key, let other = right.key else {
          return left.key == nil && right.key == nil ? left.id < right.id : left.key == nil
        }
        if Array(one.utf8) == Array(other.utf8) { return left.id < right.id }
        return one.utf8.lexicographicallyPrecedes(other.utf8)
      }
      #expect(rows == expected, "\(text)")
    }
    let history = try view.history(after: 0).map { Set($0.changes) }
    #expect(history == model.history.map { Set($0) }, "\(text)")
  }

  @Test("random fetches return the same as the model, with and without indexes", arguments: [11, 12, 13] as [UInt64])
  func randomFetchesReturn(own: UInt64) throws {
    try Sample.withPath("objects-fetches") { path in
      var changes = RandomChanges(seed: TestSeed.value(own))
      let store = try Sample.open(path)
      var fetches = RandomChanges(seed: TestSeed.value(own + 100))
      for _ in 0..<60 {
        try changes.step(store) { transaction, model in
          fetches.model = model
          for _ in 0..<3 {
            let fetch = try randomFetch(&fetches, store.identifier)
            let expected = try model.fetch(fetch, store.identifier)
            let text = "\((try? fetch.predicate?.format) ?? "all") \(fetch.sort)"
            #expect(try transaction.fetchIDs(fetch) == expected, "in the transaction: \(text)")
            #expect(try transaction.fetch(fetch).map(\.id) == expected, "in the transaction: \(text)")
            #expect(try transaction.count(fetch) == expected.count, "in the transaction: \(text)")
          }
        }
      }
      for _ in 0..<400 {
        var fetch = try randomFetch(&changes, store.identifier)
        let expected = try changes.model.fetch(fetch, store.identifier)
        let text = "\((try? fetch.predicate?.format) ?? "all") \(fetch.sort)"
        for usesIndexes in [true, false] {
          fetch.usesIndexes = usesIndexes
          let found = try store.read { try $0.fetchIDs(fetch) }
          #expect(found == expected, "\(text), with indexes: \(usesIndexes)")
          #expect(try store.read { try $0.count(fetch) } == expected.count, "\(text)")
        }
      }
    }
  }

  private func randomFetch(_ changes: inout RandomChanges, _ identifier: String) throws -> StoreFetch {
    var fetch = StoreFetch(
      entities: [[Sample.post, Sample.note], [Sample.note]].randomElement(using: &changes.random) ?? [])
    var members: [PredicateTree] = []
    for _ in 0..<Int.random(in: 0...3, using: &changes.random) { members.append(try condition(&changes, identifier)) }
    if !members.isEmpty { fetch.predicate = .all(of: members) }
    let paths = [["title"], ["rating"], ["due"], ["weight"], ["author", "name"], ["isDone"]]
    if changes.chance(20) {
      // An index has this order or its reverse.
      let isAscending = changes.chance(50)
      fetch.sort = [
        StoreSort(path: ["rating"], isAscending: isAscending), StoreSort(path: ["due"], isAscending: !isAscending),
      ]
    }
    for _ in 0..<Int.random(in: 0...2, using: &changes.random) where fetch.sort.isEmpty || changes.chance(20) {
      fetch.sort.append(
        StoreSort(path: paths.randomElement(using: &changes.random) ?? [], isAscending: changes.chance(50)))
    }
    if changes.chance(60) { fetch.limit = Int.random(in: 0...5, using: &changes.random) }
    if changes.chance(30) { fetch.nilComparison = .asValue }
    if changes.chance(30) { fetch.offset = Int.random(in: 0...4, using: &changes.random) }
    return fetch
  }

  private func condition(_ changes: inout RandomChanges, _ identifier: String) throws -> PredicateTree {
    let number = PredicateValue.integer(Int64.random(in: -3...3, using: &changes.random))
    let fraction = PredicateValue.double(Double(Int.random(in: -6...6, using: &changes.random)) / 2)
    let text = PredicateValue.string(RandomChanges.texts.randomElement(using: &changes.random) ?? "")
    let date = PredicateValue.date(Double(Int.random(in: -3...3, using: &changes.random)) * 1000.5)
    let ids = changes.model.rows.keys.sorted()
    let object = ids.randomElement(using: &changes.random).map { changes.model.object($0, identifier) } ?? .null
    func compare(_ name: String, _ comparator: PredicateComparison.Operator, _ value: PredicateValue) -> PredicateTree {
      .comparison(PredicateComparison(.key(name), comparator, .constant(value)))
    }
    let orders: [PredicateComparison.Operator] = [.equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .notEqual]
    let order = orders.randomElement(using: &changes.random) ?? .equal
    switch Int.random(in: 0..<13, using: &changes.random) {
    case 0: return compare("title", order, text)
    case 1: return compare("title", .beginsWith, text)
    case 2: return compare("rating", order, number)
    case 3: return compare("rating", order, fraction)
    case 4: return compare("rating", .between, .list([number, fraction]))
    case 5: return compare("rating", .in, .list([number, fraction, .integer(0), .null]))
    case 6: return compare("due", order, date)
    case 7: return compare("author", .equal, object)
    case 8: return compare("title", .equal, .null)
    case 9: return .comparison(PredicateComparison(.subject, .in, .constant(.list([object, .null]))))
    case 10: return .comparison(PredicateComparison(.constant(number), .equal, .key("rating")))
    case 11: return .comparison(PredicateComparison(.key("author", "name"), order, .constant(text)))
    default: return compare("isDone", .equal, .integer(1))
    }
  }
}
