import CoreData
import FaultInjection
import Foundation
import LocalCloudPlatform
import TestSupport

/// Measures Core Data's fetches, faults and changes, each beside prepared statements of SQLite on the same rows.
enum FetchingBenchmark: Benchmark {
  static let name = "fetching"
  static let summary = "Core Data's fetches, faults and single changes, beside SQLite's prepared statements"

  private static let page = 1_000

  static func run(_ options: Options) throws -> Findings {
    let total = options.size(100_000, quick: 10_000)
    let folder = try Leftovers.folder("fetching")
    var findings = Findings()
    let sqlite = try SQLiteObjects(folder.path + "/rows.sqlite")
    if sqlite == nil { findings.notes.append(SQLite.missing + ": only its library has prepared statements") }
    let path = folder.path + "/large.sqlite"
    let (large, small) = (try NoteContexts.context(path), try NoteContexts.context(folder.path + "/small.sqlite"))
    try NoteContexts.insert(0..<ObjectRows.batch, small)
    findings.figures.append(
      try ObjectRows.insertion("objects saved", total, sqlite, folder.directory, ratioAtLeast: 0.25) {
        try NoteContexts.insert($0, large)
      })
    findings.figures += try finding(options, large, small, total, sqlite)
    findings.figures += try paging(options, large, total, sqlite)
    findings.figures += try relationships(options, large, total, sqlite)
    findings.figures += try changing(options, large, small, total, sqlite)
    findings.figures += try counting(options, large, total, sqlite)
    findings.figures.append(try memory(path, total))
    return findings
  }

  /// A figure of rates, compared with SQLite's rates if SQLite is available.
  private static func figure(
    _ name: String, _ rounds: Int, _ ours: @escaping () throws -> Double, _ theirs: (() throws -> Double)?
  ) throws -> Figure {
    let rates = try inRounds(rounds, [ours] + [theirs].compactMap(\.self))
    return Figure(
      name, .perSecond, rates[0], against: rates.count > 1 ? ("SQLite", rates[1]) : nil, mark: .ratioAtLeast(0.25))
  }

  // MARK: By an attribute

  private static func finding(
    _ options: Options, _ large: NSManagedObjectContext, _ small: NSManagedObjectContext, _ total: Int,
    _ sqlite: SQLiteObjects?
  ) throws -> [Figure] {
    let rounds = options.size(10, quick: 2)
    var next = 0
    func title(_ count: Int) -> String {
      next += 1
      return ObjectRows.title(next &* 7_919 % count)
    }
    let compared = try figure(
      "objects by an indexed text, one a fetch, of \(total)", rounds,
      { try rate(of: 100) { for _ in 0..<100 { try find(title(total), large) } } },
      sqlite.map { sqlite in
        {
          try rate(of: 100) {
            for _ in 0..<100 where try sqlite.find(title(total)) != 1 { throw UnexpectedResult(text: "not one") }
          }
        }
      })
    let times = try inRounds(
      rounds,
      [
        { try milliseconds { for _ in 0..<100 { try find(title(total), large) } } / 100 },
        { try milliseconds { for _ in 0..<100 { try find(title(ObjectRows.batch), small) } } / 100 },
      ])
    return [
      compared,
      Figure(
        "an object by an indexed text, of \(total)", .milliseconds, times[0],
        against: ("of \(ObjectRows.batch)", times[1]), mark: .ratioAtMost(1.5)),
    ]
  }

  private static func find(_ title: String, _ context: NSManagedObjectContext) throws {
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: "title == %@", title)
      let found = try context.fetch(request)
      guard found.count == 1, found[0].value(forKey: "title") as? String == title else {
        throw UnexpectedResult(text: "not one")
      }
    }
  }

  // MARK: Pages

  private static func paging(
    _ options: Options, _ context: NSManagedObjectContext, _ total: Int, _ sqlite: SQLiteObjects?
  ) throws -> [Figure] {
    [
      try figure(
        "objects fetched and read, all of \(total)", options.size(3, quick: 1),
        { try rate(of: total) { try read(context, expecting: total) { $0.sortDescriptors = nil } } },
        sqlite.map { sqlite in { try rate(of: total) { _ = try sqlite.readAll() } } }),
      try figure(
        "objects in pages of \(page), by an indexed date", options.size(3, quick: 1),
        {
          try rate(of: total) {
            for offset in stride(from: 0, to: total, by: page) {
              try read(context, expecting: min(page, total - offset)) {
                ($0.fetchOffset, $0.fetchLimit) = (offset, page)
              }
            }
          }
        },
        sqlite.map { sqlite in
          {
            try rate(of: total) {
              for offset in stride(from: 0, to: total, by: page) where try sqlite.page(offset, page) < page {
                throw UnexpectedResult(text: "a page is short")
              }
            }
          }
        }),
      try figure(
        "objects of one fetch in batches of 100", options.size(3, quick: 1),
        { try rate(of: total) { try read(context, expecting: total) { $0.fetchBatchSize = 100 } } },
        sqlite.map { sqlite in { try rate(of: total) { _ = try sqlite.page(0, total) } } }),
    ]
  }

  /// Reads the titles of notes in the order of their dates.
  private static func read(
    _ context: NSManagedObjectContext, expecting count: Int, _ change: (NSFetchRequest<NSManagedObject>) -> Void
  ) throws {
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "created", ascending: true)]
      change(request)
      let notes = try context.fetch(request)
      var (found, length) = (0, 0)
      for note in notes {
        found += 1
        length += (note.value(forKey: "title") as? String)?.utf8.count ?? 0
      }
      guard found == count, length > count else { throw UnexpectedResult(text: "\(found) objects") }
      context.reset()
    }
  }

  // MARK: Relationships

  private static func relationships(
    _ options: Options, _ context: NSManagedObjectContext, _ total: Int, _ sqlite: SQLiteObjects?
  ) throws -> [Figure] {
    [
      try figure(
        "objects of relationships, each read when it is used", options.size(3, quick: 1),
        {
          try rate(of: total) {
            try context.performAndWait {
              let folders = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder"))
              var found = 0
              for folder in folders {
                for note in folder.value(forKey: "notes") as? Set<NSManagedObject> ?? []
                where note.value(forKey: "title") != nil { found += 1 }
              }
              guard found == total else { throw UnexpectedResult(text: "\(found) objects") }
              context.reset()
            }
          }
        },
        sqlite.map { sqlite in
          {
            try rate(of: total) {
              let found = try (0..<ObjectRows.folders).reduce(0) { try $0 + sqlite.notes(of: $1) }
              guard found == total else { throw UnexpectedResult(text: "\(found) rows") }
            }
          }
        }),
      try rereading(options, context),
    ]
  }

  /// Reads objects by their identities that the coordinator has read before.
  private static func rereading(_ options: Options, _ context: NSManagedObjectContext) throws -> Figure {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
    request.resultType = .managedObjectIDResultType
    request.fetchLimit = page
    let ids = try context.performAndWait { try context.fetch(request) }
    return try figure(
      "objects by identity, each read again", options.size(10, quick: 2),
      {
        try rate(of: ids.count) {
          try context.performAndWait {
            for id in ids where try context.existingObject(with: id).value(forKey: "title") == nil {
              throw UnexpectedResult(text: "an object without a title")
            }
            context.reset()
          }
        }
      }, nil)
  }

  // MARK: Single changes

  private static func changing(
    _ options: Options, _ large: NSManagedObjectContext, _ small: NSManagedObjectContext, _ total: Int,
    _ sqlite: SQLiteObjects?
  ) throws -> [Figure] {
    var round = 0
    var sides: [() throws -> Double] = [
      { try milliseconds { try NoteContexts.change(large) } }, { try milliseconds { try NoteContexts.change(small) } },
    ]
    if let sqlite {
      sides.append {
        round += 1
        return try milliseconds { try sqlite.change(0, round) }
      }
    }
    let times = try inRounds(options.size(300, quick: 20), sides)
    let name = "one changed object of \(total), fetched and saved"
    var figures = [
      Figure(
        name, .milliseconds, times[0], against: ("of \(ObjectRows.batch)", times[1]), mark: .ratioAtMost(1.5))
    ]
    if times.count > 2 {
      figures.append(Figure(name, .milliseconds, times[0], against: ("SQLite", times[2]), mark: .ratioAtMost(4)))
    }
    return figures
  }

  // MARK: Counts

  private static func counting(
    _ options: Options, _ context: NSManagedObjectContext, _ total: Int, _ sqlite: SQLiteObjects?
  ) throws -> [Figure] {
    [
      try figure(
        "counts of \(total) objects", options.size(10, quick: 2),
        {
          try rate(of: 10) {
            for _ in 0..<10 {
              let count = try context.performAndWait {
                try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
              }
              guard count == total else { throw UnexpectedResult(text: "\(count) objects") }
            }
          }
        },
        sqlite.map { sqlite in
          {
            try rate(of: 10) {
              for _ in 0..<10 where try sqlite.count() != total { throw UnexpectedResult(text: "another number") }
            }
          }
        })
    ]
  }

  // MARK: Memory

  /// The peak memory of a process that reads all objects in batches.
  private static func memory(_ path: String, _ total: Int) throws -> Figure {
    let child = try ChildProcess(
      HostProcess.executablePath, [Worker.argument, Worker.Job.page.rawValue, path, "\(total)"])
    let status = child.wait()
    guard status == 0, let bytes = child.output.split(separator: "\n").last.flatMap({ Double($0) }) else {
      throw UnexpectedResult(text: "the process ended with \(status): \(child.errors)")
    }
    return Figure(
      "peak memory of reading \(total) objects in batches of 100", .megabytes, Samples([bytes / 1e6]),
      mark: .valueBelow(60))
  }

  /// The job of that process.
  static func page(_ path: String, _ total: Int) throws {
    try autoreleasepool {
      try read(NoteContexts.opened(path), expecting: total) { $0.fetchBatchSize = 100 }
    }
    StandardStream.output.write("\(try PeakMemory.bytes())\n")
  }
}
