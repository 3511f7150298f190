import CloudKit
import CoreData

/// Prints changes as an app shows them on the screen: after each event it compares the present photos, tags and
/// participants with those before. Sharing does not change a photo, so it is only found by this comparison.
struct Watching {
  let library: PhotoLibrary
  private var photos: [NSManagedObjectID: String] = [:]
  private var tags: [NSManagedObjectID: String] = [:]
  private var people: [String: String] = [:]

  init(library: PhotoLibrary) { self.library = library }

  /// Runs until it is interrupted.
  mutating func run(_ say: (String) -> Void) async throws {
    let updates = library.monitor.updates()
    try await look { _ in }
    for row in photos.values.sorted() { say("  \(row)") }
    say("watching")
    for await _ in updates { try await look(say) }
  }

  private mutating func look(_ say: (String) -> Void) async throws {
    let (library, context) = (library, library.context)
    let (photos, tags, people) = try await context.perform {
      let photos = try library.photos().map { ($0.objectID, library.row(of: $0)) }
      let tags = try library.tags().map { ($0.objectID, library.row(of: $0)) }
      let people = try library.shares().flatMap { share, _ in
        share.participants.filter { $0.role != .owner }.map { participant in
          let title = library.titleText(share)
          let key = "\(share.recordID.zoneID) \(participant.participantID)"
          return (key, "\(participant.name): \(title), \(participant.acceptanceStatus == .accepted ? "in" : "invited")")
        }
      }
      return (
        Dictionary(photos) { $1 }, Dictionary(tags) { $1 }, Dictionary(people) { $1 }
      )
    }
    Self.compare("", self.photos, photos, say)
    Self.compare("tag ", self.tags, tags, say)
    Self.compare("person ", self.people, people, say)
    (self.photos, self.tags, self.people) = (photos, tags, people)
  }

  private static func compare<Key: Hashable>(
    _ kind: String, _ before: [Key: String], _ now: [Key: String], _ say: (String) -> Void
  ) {
    var lines: [String] = []
    for (key, row) in before where now[key] == nil { lines.append("\(kind)gone: \(row)") }
    for (key, row) in now where before[key] != row {
      lines.append("\(kind)\(before[key] == nil ? "new" : "changed"): \(row)")
    }
    for line in lines.sorted() { say(line) }
  }
}
