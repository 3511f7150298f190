import CloudKit
import ObjectGraph

/// The predicates and sort descriptors that a file creates with its imports.
protocol PredicateUser {
  static var made: [NSPredicate] { get }
  static var keys: [String?] { get }
  static func isCompound(_ predicate: NSPredicate) -> Bool
}

func expect(_ isTrue: Bool, _ what: Any, line: Int = #line) {
  if !isTrue { fatalError("line \(line): \(what)") }
}

let ann: [String: Any] = ["name": "Ann", "age": 30, "date": Date(timeIntervalSinceReferenceDate: 2)]
let bob: [String: Any] = ["name": "Bob", "age": 7, "date": Date(timeIntervalSinceReferenceDate: 2)]
let users: [any PredicateUser.Type] = [
  CloudKitAlone.self, BesideFoundation.self, ObjectGraphAlone.self, BesideObjectGraph.self,
]
for user in users {
  expect(user.made.allSatisfy { $0.evaluate(with: ann) }, user)
  let matches = user.made.map { $0.evaluate(with: bob) }
  expect(matches == [false, true, false, true, false, false, false, true], "\(user): \(matches)")
  expect(user.keys == ["name", "age", nil], user)
  expect(user.made.map(user.isCompound) == [true, false, false, false, true, false, false, false], user)
}
expect(ObjectGraphAlone.request.matches(ann) && !BesideObjectGraph.request.matches(bob), "request")

// The server accepts the queries of each file.
let person = CKRecord(recordType: "Person", recordID: CKRecord.ID(recordName: UUID().uuidString))
person["name"] = "Ann"
person["date"] = Date(timeIntervalSinceReferenceDate: 2)
person["place"] = CLLocation(latitude: 1, longitude: 1)
let database = CKContainer.default().privateCloudDatabase
let saved = try await database.save(person)
for query in [CloudKitAlone.query, BesideFoundation.query, BesideObjectGraph.query] {
  let (matches, _) = try await database.records(matching: query)
  expect(matches.contains { $0.0 == saved.recordID }, query)
}
