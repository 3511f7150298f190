import LocalCloudObjectStore
import LocalCloudPredicateFormat

/// Measures the object store of Core Data by itself, without contexts and objects in memory.
enum ObjectsBenchmark: Benchmark {
  static let name = "objects"
  static let summary = "an object store: inserting, changing and fetching, beside SQLite with the same rows"

  static func run(_ options: Options) throws -> Findings {
    let total = options.size(100_000, quick: 4_000)
    let folder = try Leftovers.folder("objects")
    let store = try ObjectStore(folder.path + "/objects.sqlite", schema: ObjectRows.schema)
    let folders = try ObjectRows.makeFolders(store)
    var findings = Findings()
    let sqlite = try SQLiteObjects(folder.path + "/rows.sqlite")
    if sqlite == nil { findings.notes.append(SQLite.missing + ": only its library has prepared statements") }
    findings.figures.append(
      try ObjectRows.insertion("objects inserted", total, sqlite, folder.directory, ratioAtLeast: 0.5) {
        try ObjectRows.insert($0, in: folders, store)
      })
    let ids = try store.read { try $0.ids(of: ObjectRows.note) }
    let small = try ObjectStore(folder.path + "/small.sqlite", schema: ObjectRows.schema)
    try ObjectRows.insert(0..<ObjectRows.batch, in: ObjectRows.makeFolders(small), small)
    let smallIDs = try small.read { try $0.ids(of: ObjectRows.note) }
    findings.figures += try changes(options, store, ids, sqlite, small, smallIDs)
    findings.figures.append(try batches(options, store, ids))
    findings.figures += try fetches(options, store, ids)
    return findings
  }

  /// Changes one object: the cost is that of one sync, independent of the store's size.
  private static func changes(
    _ options: Options, _ store: ObjectStore, _ ids: [RowID], _ sqlite: SQLiteObjects?, _ small: ObjectStore,
    _ smallIDs: [RowID]
  ) throws -> [Figure] {
    var round = 0
    func next(_ count: Int) -> Int {
      round += 1
      return round &* 7_919 % count
    }
    var sides: [() throws -> Double] = [
      { try milliseconds { try ObjectRows.change(ids[next(ids.count)], round, store) } },
      { try milliseconds { try ObjectRows.change(smallIDs[next(smallIDs.count)], round, small) } },
    ]
    if let sqlite { sides.append { try milliseconds { try sqlite.change(next(ids.count), round) } } }
    let times = try inRounds(options.size(300, quick: 20), sides)
    var figures = [
      Figure(
        "one changed object of \(ids.count)", .milliseconds, times[0], against: ("of \(smallIDs.count)", times[1]),
        mark: .ratioAtMost(1.5))
    ]
    if times.count > 2 {
      figures.append(
        Figure("one changed object of \(ids.count)", .milliseconds, times[0], against: ("SQLite", times[2])))
    }
    return figures
  }

  /// Makes enough changes that segments are rewritten.
  private static func batches(_ options: Options, _ store: ObjectStore, _ ids: [RowID]) throws -> Figure {
    var worst = 0.0
    for round in 0..<options.size(400, quick: 10) {
      let time = try milliseconds {
        _ = try store.write { transaction in
          for number in 0..<100 {
            guard let row = try transaction.row(ids[(round * 100 + number * 7_919) % ids.count]) else { continue }
            try transaction.update(row, changed: ["count"])
          }
        }
      }
      worst = max(worst, time)
    }
    return Figure("worst batch of 100 changed objects", .milliseconds, Samples([worst]), mark: .valueBelow(50))
  }

  private static func fetches(_ options: Options, _ store: ObjectStore, _ ids: [RowID]) throws -> [Figure] {
    var (all, few, first): ([Double], [Double], [Double]) = ([], [], [])
    for round in 0..<options.size(5, quick: 2) {
      all.append(
        try rate(of: ids.count) {
          let found = try store.read { try $0.fetch(StoreFetch(entities: [ObjectRows.note])).count }
          guard found == ids.count else { throw UnexpectedResult(text: "\(found) objects") }
        })
      let title = ObjectRows.title(round * 577)
      let predicate = PredicateTree.comparison(
        PredicateComparison(.key("title"), .equal, .constant(.string(title))))
      few.append(
        try milliseconds {
          let fetch = StoreFetch(entities: [ObjectRows.note], predicate: predicate)
          guard try store.read({ try $0.fetch(fetch).count }) == 1 else { throw UnexpectedResult(text: "not one") }
        })
      var page = StoreFetch(entities: [ObjectRows.note])
      page.sort = [StoreSort(path: ["created"], isAscending: false)]
      page.limit = 20
      first.append(try milliseconds { _ = try store.read { try $0.fetch(page) } })
    }
    return [
      Figure("objects fetched, all of \(ids.count)", .perSecond, Samples(all)),
      Figure("an object by an indexed text, of \(ids.count)", .milliseconds, Samples(few)),
      Figure("the first 20 by an indexed date, of \(ids.count)", .milliseconds, Samples(first)),
    ]
  }
}
