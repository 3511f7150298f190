import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Queries: pages, and sorts by encrypted fields")
struct QueryPageTests: OnNotesStage {
  let stage: NotesStage

  init() throws { stage = try NotesStage() }

  private func page(_ query: Query, limit: Int = 0) throws -> QueryRecordsResponse {
    try cloud.service.queries.queryRecords(
      QueryRecordsRequest(scope: .private, zone: alice.zone, query: query, limit: limit), by: alice.caller)
  }

  @Test("a page has the requested number of records, 100 by default and 200 at most ([query-page-1])")
  func pageHasTheRequestedNumberOfRecords() throws {
    let saved = try alice.modify((0..<201).map { alice.note(ExactName("n\($0)")) })
    #expect(saved.saves.allSatisfy { !$0.isFailure })
    let all = Query(recordType: "Note")
    for (limit, count) in [(0, 100), (7, 7), (200, 200), (400, 200)] {
      let page = try page(all, limit: limit)
      #expect(page.records.count == count, "\(limit)")
      #expect(page.cursor != nil, "\(limit)")
    }
    let none = try page(Query(recordType: "Note", condition: .never))
    #expect(none.records.isEmpty)
    #expect(none.cursor == nil)
  }

  @Test("a sort by an encrypted field is accepted and sorts by record name ([query-sort-4])")
  func encryptedOrder() throws {
    for (name, secret) in [("a", "2"), ("b", "3"), ("c", "1")] {
      var save = RecordSave(id: alice.id(ExactName(name)), type: "Note", fields: ["text": .string("x")])
      save.encryptedFields = ["secret": .string(secret)]
      try alice.save(save)
    }
    for ascending in [true, false] {
      let query = Query(recordType: "Note", sorts: [QuerySort("secret", ascending: ascending)])
      #expect(try page(query).records.map(\.id.name) == ["a", "b", "c"])
    }
  }
}

extension Result {
  fileprivate var isFailure: Bool {
    if case .failure = self { true } else { false }
  }
}
