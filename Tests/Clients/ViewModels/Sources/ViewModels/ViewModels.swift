import CloudKit
import Combine
import OSLog

/// Alice writes and shares a zone of notes. Bob runs the program after her, reads the zone in his view model, and
/// writes another note.
@main
struct ViewModels {
  static let zone = "Notes"
  static let invitation = CKRecord.ID(recordName: "invitation")

  static func main() async {
    do {
      let container = CKContainer.default()
      if let invited = try? await container.publicCloudDatabase.record(for: invitation) {
        try await bob(container, invited)
      } else {
        try await alice(container)
      }
    } catch {
      fail("\(error)")
    }
  }

  static func alice(_ container: CKContainer) async throws {
    let database = container.privateCloudDatabase
    let saved = try await database.save(CKRecordZone(zoneName: zone))
    let store = NoteStore(database: database, zone: saved.zoneID)
    try await store.save("Buy milk", as: "milk")
    try await store.save("Call Bob", as: "call")
    let changes = try await database.recordZoneChanges(inZoneWith: saved.zoneID, since: nil)
    try Settings.keep(changes.changeToken)
    guard Settings.token == changes.changeToken else { fail("the token was not kept") }
    let invited = CKRecord(recordType: "Invitation", recordID: invitation)
    invited["link"] = try await store.share().absoluteString
    try await container.publicCloudDatabase.save(invited)
    try await watch(store, expecting: ["Buy milk", "Call Bob"], search: "milk", found: ["Buy milk"])
  }

  static func bob(_ container: CKContainer, _ invited: CKRecord) async throws {
    guard let url = (invited["link"] as? String).flatMap(URL.init(string:)) else { fail("there is no link") }
    let metadata = try await container.shareMetadata(for: url)
    try await container.accept(metadata)
    let database = container.sharedCloudDatabase
    guard let shared = try await database.allRecordZones().first else { fail("nothing is shared") }
    let store = NoteStore(database: database, zone: shared.zoneID)
    try await watch(store, expecting: ["Buy milk", "Call Bob"], search: "Bob", found: ["Call Bob"])
    try await store.save("Call Alice", as: "back")
    try await watch(store, expecting: ["Buy milk", "Call Alice", "Call Bob"], search: "x", found: [])
  }

  /// Acts as a view: observes the view model, and shows its content after each change.
  @MainActor static func watch(
    _ store: NoteStore, expecting texts: [String], search: String, found: [String]
  ) async throws {
    let model = NotesViewModel(store: store)
    let changes = Counter()
    let observing = model.objectWillChange.sink { changes.add() }
    defer { observing.cancel() }
    model.refresh.send()
    for await notes in model.$notes.values where !notes.isEmpty { break }
    for await shown in model.$found.values where !shown.isEmpty {
      guard shown == texts else { fail("\(shown) is shown, not \(texts)") }
      break
    }
    model.search = search
    guard model.found == found else { fail("\(search) finds \(model.found)") }
    guard model.error == nil, !model.isLoading else { fail("it still loads, or failed: \(model.error ?? "")") }
    guard changes.value >= 6 else { fail("the view was told of \(changes.value) changes") }
  }

  static func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data((reason + "\n").utf8))
    exit(1)
  }
}
