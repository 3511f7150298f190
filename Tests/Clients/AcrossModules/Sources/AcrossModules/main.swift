import CloudKit

// Subclasses of the library's classes in another module, and casts between the classes.

func expect(_ isTrue: Bool, line: Int = #line) {
  if !isTrue { fatalError("line \(line)") }
}

let location = CLLocation(latitude: 48.2, longitude: 16.4)
let nearest = CKLocationSortDescriptor(key: "place", relativeLocation: location)
expect(nearest.key == "place" && nearest.ascending && nearest.relativeLocation.coordinate.latitude == 48.2)

/// A subclass has its own table of inherited members.
final class Nearest: CKLocationSortDescriptor {
  init() { super.init(key: "place", relativeLocation: location) }

  required init(coder: NSCoder) { super.init(coder: coder) }
}

expect(Nearest().key == "place" && (nearest as NSSortDescriptor).key == "place")

let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "text BEGINSWITH %@", "a"))
query.sortDescriptors = [nearest, NSSortDescriptor(key: "text", ascending: false)]
expect(query.sortDescriptors?.compactMap(\.key) == ["place", "text"])

let note = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: UUID().uuidString))
note["text"] = "a"
note["place"] = location
let database = CKContainer.shared.privateCloudDatabase
let saved = try await database.save(note)
let fetched = try await database.record(for: saved.recordID)
expect(fetched["text"] == "a" && fetched.recordChangeTag != nil)
let (matches, _) = try await database.records(matching: query)
expect(matches.map(\.0).contains(note.recordID))
try await unusedResults(.shared, database, fetched)
print("saved and found", note.recordID.recordName)
