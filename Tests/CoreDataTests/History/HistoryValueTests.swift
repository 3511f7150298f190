import Foundation
import Testing

@testable import CoreData

@Suite("History values")
struct HistoryValueTests {
  private let model: NSManagedObjectModel
  private let hotel: NSEntityDescription

  init() throws {
    model = try ModelTexts.trips()
    hotel = try #require(model.entitiesByName["Hotel"])
    model.freeze()
  }

  private func transaction(
    _ number: Int64 = 1, author: String? = nil, store: String = "S", _ changes: [NSPersistentHistoryChange]? = nil
  ) -> NSPersistentHistoryTransaction {
    NSPersistentHistoryTransaction(
      .init(
        number: number, timestamp: Date(timeIntervalSinceReferenceDate: Double(number)), author: author,
        contextName: "view", bundle: "App", process: "12", store: store, changes: changes))
  }

  @Test("[coredata-history-1] tokens can be archived and compared")
  func tokensCanBeArchivedAndCompared() throws {
    let token = NSPersistentHistoryToken(["A": 3, "B": 5])
    let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
    #expect(read == token)
    #expect(read?.hash == token.hash)
    #expect(read?.transactions == ["A": 3, "B": 5])
    #expect(token != NSPersistentHistoryToken(["A": 3]))
    #expect(token != NSPersistentHistoryToken(["A": 4, "B": 5]))
    #expect(token.transaction(in: "A") == 3)
    #expect(token.transaction(in: "C") == 0)
    #expect(token.copy() as AnyObject === token)
    #expect(transaction(7).token == NSPersistentHistoryToken(["S": 7]))
  }

  @Test("[coredata-history-2] a transaction's notification has the identities of its changed objects")
  func transactionsNotificationHasTheIdentities() throws {
    let (first, second, third) = (
      NSManagedObjectID(temporary: hotel), NSManagedObjectID(temporary: hotel), NSManagedObjectID(temporary: hotel)
    )
    let name = try #require(hotel.propertiesByName["name"])
    let transaction = transaction(
      2,
      [
        NSPersistentHistoryChange(id: 1, object: first, type: .insert),
        NSPersistentHistoryChange(id: 2, object: second, type: .update, properties: [name]),
        NSPersistentHistoryChange(id: 3, object: third, type: .update, properties: []),
      ])
    let note = transaction.objectIDNotification()
    #expect(note.name == NSManagedObjectContext.didSaveObjectIDsNotification)
    #expect(note.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> == [first])
    #expect(note.userInfo?[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID> == [second, third])
    #expect(note.userInfo?[NSDeletedObjectIDsKey] == nil)
    let changes = try #require(transaction.changes)
    #expect(changes[1].updatedProperties == [name])
    #expect(changes[0].updatedProperties == nil)
    #expect(changes.allSatisfy { $0.transaction === transaction && $0.tombstone == nil })
    let deletion = NSPersistentHistoryChange(id: 1, object: first, type: .delete, preserved: ["name": "Ritz"])
    #expect(deletion.tombstone?["name"] as? String == "Ritz")
    #expect(deletion.updatedProperties == nil)
  }

  @Test("[coredata-history-3] predicates filter transactions")
  func predicatesFilterTransactions() {
    func numbers(_ predicate: NSPredicate) -> [Int64] {
      [transaction(1, author: "app"), transaction(2), transaction(3, author: "other", store: "T")]
        .filter { predicate.evaluate(with: $0) }.map(\.transactionNumber)
    }
    #expect(numbers(NSPredicate(format: "author != %@", "app")) == [2, 3])
    #expect(numbers(NSPredicate(format: "%K == %@ AND author == nil", "contextName", "view")) == [2])
    #expect(numbers(NSPredicate(format: "timestamp > %@", Date(timeIntervalSinceReferenceDate: 1))) == [2, 3])
    #expect(numbers(NSPredicate(format: "token > %@", transaction(1).token)) == [2, 3])
    #expect(numbers(NSPredicate(format: "token == %@", transaction(2).token)) == [2])
    #expect(numbers(NSPredicate(format: "storeID == 'T' OR transactionNumber == 1")) == [1, 3])
    #expect(numbers(NSPredicate(format: "bundleID == 'App' AND processID == '12'")) == [1, 2, 3])
  }

  @Test("[coredata-history-4] a request has its start, and a deletion its end")
  func requestHasItsStartAndADeletion() {
    let (token, date) = (NSPersistentHistoryToken(["S": 4]), Date(timeIntervalSinceReferenceDate: 9))
    let after = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    #expect(after.start(in: "S") == 4)
    #expect(after.start(in: "T") == 0)
    #expect(after.token == token)
    #expect(!after.isDeletion)
    #expect(after.resultType == .transactionsAndChanges)
    #expect(after.startDate == nil)
    #expect(NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?).start(in: "S") == 0)
    #expect(NSPersistentHistoryChangeRequest.fetchHistory(after: date).startDate == date)
    #expect(NSPersistentHistoryChangeRequest.fetchHistory(after: transaction(6)).start(in: "S") == 6)
    let before = NSPersistentHistoryChangeRequest.deleteHistory(before: token)
    #expect(before.isDeletion)
    #expect(before.start(in: "S") == 4)
    #expect(before.resultType == .statusOnly)
    let transaction = NSPersistentHistoryChangeRequest.deleteHistory(before: transaction(6))
    #expect(transaction.start(in: "S") == 5)
    #expect(transaction.start(in: "T") == 0)
    #expect(NSPersistentHistoryChangeRequest.deleteHistory(before: date).start(in: "S") == 0)
  }

  @Test("requests for transactions have an entity and accept a predicate")
  func fetchRequests() throws {
    let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
    #expect(fetch.entity?.name == "Transaction")
    #expect(fetch.entity?.attributesByName["author"]?.type == .string)
    let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
    #expect(request.fetchRequest === fetch)
    #expect(request.start(in: "S") == 0)
    #expect(NSPersistentHistoryTransaction.fetchRequest !== fetch)
    #expect(NSPersistentHistoryChange.entityDescription?.name == "Change")
    let result = NSPersistentHistoryResult(3, resultType: .count)
    #expect(result.result as? Int == 3)
    #expect(result.resultType == .count)
  }
}
