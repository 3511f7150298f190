import CoreData
import Foundation

/// Measures Core Data as programs use it: objects in a context, saved to a store.
enum ContextsBenchmark: Benchmark {
  static let name = "contexts"
  static let summary = "Core Data's contexts: inserting, changing and fetching, beside SQLite with the same rows"

  static func run(_ options: Options) throws -> Findings {
    let total = options.size(100_000, quick: 10_000)
    let place = try Leftovers.folder("contexts")
    var findings = Findings()
    let sqlite = try SQLiteObjects(place.path + "/rows.sqlite")
    if sqlite == nil { findings.notes.append(SQLite.missing + ": only its library has prepared statements") }
    let (large, small) = (
      try NoteContexts.context(place.path + "/large.sqlite"), try NoteContexts.context(place.path + "/small.sqlite")
    )
    try NoteContexts.insert(0..<ObjectRows.batch, small)
    findings.figures.append(
      try ObjectRows.insertion("objects saved", total, sqlite, place.directory, ratioAtLeast: 0.25) {
        try NoteContexts.insert($0, large)
      })
    let times = try inTurns(
      options.size(300, quick: 20),
      [
        { try milliseconds { try NoteContexts.change(large) } },
        { try milliseconds { try NoteContexts.change(small) } },
      ])
    findings.figures.append(
      Figure(
        "one changed object of \(total)", .milliseconds, times[0], against: ("of \(ObjectRows.batch)", times[1]),
        mark: .ratioAtMost(1.5)))
    findings.figures.append(
      Figure(
        "objects fetched and read, all of \(total)", .perSecond,
        Samples(try (0..<options.size(5, quick: 2)).map { _ in try rate(of: total) { try read(large, total) } })))
    return findings
  }

  private static func read(_ context: NSManagedObjectContext, _ total: Int) throws {
    try context.performAndWait {
      let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
      let length = notes.reduce(0) { $0 + (($1.value(forKey: "title") as? String)?.utf8.count ?? 0) }
      guard notes.count == total, length > total else { throw UnexpectedResult(text: "\(notes.count) objects") }
      context.reset()
    }
  }
}
