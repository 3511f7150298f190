import Foundation
import LocalCloudModel
import LocalCloudStorage
import Testing

// These tests create the internal stored form directly.
@testable import CloudKit

@Suite("Stored events and errors of a long-lived operation")
struct OperationEventTests {
  private let recordID = CKRecord.ID(recordName: "r", zoneID: testZoneID)
  private let token = CKServerChangeToken(data: Data([1, 2]))
  private let failure = CKError(.zoneBusy)

  private func kept(_ event: OperationEvent) throws -> OperationEvent? {
    OperationEvent(archive: try Payload.value(OperationEvent.Archive.self, from: try Payload.data(event.archive)))
  }

  private func text<Value>(_ result: Result<Value, any Error>, _ name: (Value) -> String) -> String {
    switch result {
    case .success(let value): name(value)
    case .failure(let error): "error \((error as? CKError)?.errorCode ?? 0)"
    }
  }

  private func text(_ position: OperationEvent.Position) -> String {
    "\(Array(position.token.data)) \(position.clientData.map { Array($0) } ?? []) \(position.moreComing)"
  }

  private func text(_ event: OperationEvent?) -> String {
    guard let event else { return "nothing" }
    return switch event {
    case .record(let id, let result): "record \(id.recordName) \(text(result) { $0.recordChangeTag ?? "" })"
    case .saved(let id, let result): "saved \(id.recordName) \(text(result) { $0.recordChangeTag ?? "" })"
    case .deleted(let id, let result): "deleted \(id.recordName) \(text(result) { _ in "ok" })"
    case .recordGone(let id, let type): "recordGone \(id.recordName) \(type)"
    case .zone(let id, let result): "zone \(id.zoneName) \(text(result) { "\($0.capabilities.rawValue)" })"
    case .zoneDeleted(let id, let result): "zoneDeleted \(id.zoneName) \(text(result) { _ in "ok" })"
    case .zoneChanged(let id): "zoneChanged \(id.zoneName)"
    case .zoneGone(let id, let reason): "zoneGone \(id.zoneName) \(reason.rawValue)"
    case .page(let id, let position): "page \(id?.zoneName ?? "-") \(text(position))"
    case .walked(let id, let result): "walked \(id?.zoneName ?? "-") \(text(result) { text($0) })"
    case .cursor(let cursor): "cursor \(Array(cursor.data))"
    }
  }

  @Test("an event of each kind is read back with its item or its error")
  func everyKind() throws {
    let zone = CKRecordZone(zoneID: testZoneID, capabilities: [.atomic], share: nil, encryptionScope: .perRecord)
    let more = OperationEvent.Position(token: token, clientData: Data([3]), moreComing: true)
    let rows: [(OperationEvent, String)] = [
      (.record(recordID, .success(savedRecord())), "record r 1a"),
      (.record(recordID, .failure(failure)), "record r error 23"),
      (.saved(recordID, .success(savedRecord())), "saved r 1a"),
      (.saved(recordID, .failure(failure)), "saved r error 23"),
      (.deleted(recordID, .success(())), "deleted r ok"), (.deleted(recordID, .failure(failure)), "deleted r error 23"),
      (.recordGone(recordID, type: "Note"), "recordGone r Note"),
      (.zone(testZoneID, .success(zone)), "zone Home 2"), (.zone(testZoneID, .failure(failure)), "zone Home error 23"),
      (.zoneDeleted(testZoneID, .success(())), "zoneDeleted Home ok"),
      (.zoneDeleted(testZoneID, .failure(failure)), "zoneDeleted Home error 23"),
      (.zoneChanged(testZoneID), "zoneChanged Home"), (.zoneGone(testZoneID, .deleted), "zoneGone Home deleted"),
      (.zoneGone(testZoneID, .purged), "zoneGone Home purged"),
      (.zoneGone(testZoneID, .encryptedDataReset), "zoneGone Home encryptedDataReset"),
      (.page(nil, OperationEvent.Position(token: token)), "page - [1, 2] [] false"),
      (.page(testZoneID, more), "page Home [1, 2] [3] true"),
      (.walked(nil, .success(more)), "walked - [1, 2] [3] true"),
      (.walked(testZoneID, .success(OperationEvent.Position(token: token))), "walked Home [1, 2] [] false"),
      (.walked(testZoneID, .failure(failure)), "walked Home error 23"),
      (.cursor(CKQueryCursor(data: Data([4]))), "cursor [4]"),
    ]
    for (event, expected) in rows {
      #expect(text(event) == expected)
      #expect(text(try kept(event)) == expected)
    }
  }

  private func isRefused(_ event: OperationEvent, _ change: (inout OperationEvent.Archive) -> Void) -> Bool {
    var archive = event.archive
    change(&archive)
    return OperationEvent(archive: archive) == nil
  }

  @Test("a stored event with a missing or invalid part is refused")
  func storedEventWithAMissingOrInvalid() {
    let zone = CKRecordZone(zoneID: testZoneID)
    let position = OperationEvent.Position(token: token)
    let ofRecords: [OperationEvent] = [
      .record(recordID, .success(savedRecord())), .saved(recordID, .failure(failure)), .deleted(recordID, .success(())),
      .recordGone(recordID, type: "Note"),
    ]
    for event in ofRecords {
      #expect(!isRefused(event) { _ in })
      #expect(isRefused(event) { $0.recordID = nil })
      #expect(isRefused(event) { $0.recordID?.recordName = "" })
    }
    let ofZones: [OperationEvent] = [
      .zone(testZoneID, .success(zone)), .zoneDeleted(testZoneID, .success(())), .zoneChanged(testZoneID),
      .zoneGone(testZoneID, .deleted),
    ]
    for event in ofZones {
      #expect(!isRefused(event) { _ in })
      #expect(isRefused(event) { $0.zoneID = nil })
    }
    let walks: [OperationEvent] = [.page(testZoneID, position), .walked(testZoneID, .success(position))]
    for event in ofZones + walks {
      #expect(isRefused(event) { $0.zoneID?.zoneName = "" })
    }
    #expect(isRefused(ofRecords[0]) { $0.record = nil })
    #expect(isRefused(ofRecords[1]) { $0.error = nil })
    #expect(isRefused(ofRecords[2]) { $0.error = ErrorArchive(NSError(domain: "other", code: 1)) })
    #expect(isRefused(ofRecords[3]) { $0.recordType = nil })
    #expect(isRefused(ofZones[0]) { $0.recordZone = nil })
    #expect(isRefused(ofZones[0]) { $0.recordZone?.encryptionScope = 7 })
    #expect(isRefused(ofZones[3]) { $0.reason = nil })
    #expect(isRefused(ofZones[3]) { $0.reason = "lost" })
    let walksOfAll: [OperationEvent] = [.page(nil, position), .walked(nil, .success(position))]
    for event in walksOfAll {
      #expect(!isRefused(event) { $0.moreComing = nil })
      #expect(isRefused(event) { $0.token = nil })
    }
    #expect(isRefused(.cursor(CKQueryCursor(data: Data()))) { $0.cursor = nil })
  }

  // MARK: Errors

  private func kept(_ error: any Error) throws -> CKError? {
    let data = try Payload.data(ErrorArchive(error))
    return try Payload.value(ErrorArchive.self, from: data).error as? CKError
  }

  @Test("an error is read back with its texts, numbers, records and underlying error, and no other values")
  func errorIsReadBackWithItsTexts() throws {
    let below = NSError(domain: "CKInternalErrorDomain", code: 2004, userInfo: ["LocalCloudCause": "damage"])
    let error = CKError(
      .serverRecordChanged,
      userInfo: [
        NSLocalizedDescriptionKey: "words", CKErrorRetryAfterKey: NSNumber(value: 1.5),
        CKRecordChangedErrorServerRecordKey: savedRecord(), NSUnderlyingErrorKey: below, "list": ["a"],
      ])
    let back = try #require(try kept(error))
    #expect(back.code == .serverRecordChanged)
    #expect(back.localizedDescription == "words")
    #expect(back.retryAfterSeconds == 1.5)
    #expect(back.serverRecord?.recordChangeTag == "1a")
    #expect(back.clientRecord == nil)
    let beneath = try #require(back.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(beneath.domain == "CKInternalErrorDomain")
    #expect(beneath.code == 2004)
    #expect(beneath.userInfo["LocalCloudCause"] as? String == "damage")
    #expect(back.userInfo["list"] == nil)
    #expect(back.userInfo.count == 4)
    let bare = ErrorArchive(NSError(domain: CKErrorDomain, code: 23))
    #expect(bare.texts == nil)
    #expect(bare.numbers == nil)
    #expect(bare.records == nil)
    #expect(bare.underlying.isEmpty)
    #expect((bare.error as? CKError)?.code == .zoneBusy)
  }

  @Test("stored errors of other domains, with unknown codes or with damaged records are refused")
  func foreignErrors() throws {
    #expect(try kept(NSError(domain: "other", code: 23)) == nil)
    #expect(try kept(NSError(domain: CKErrorDomain, code: 999)) == nil)
    var archive = ErrorArchive(CKError(.zoneBusy))
    var record = savedRecord().state.archive(systemFieldsOnly: true)
    archive.records = ["ServerRecord": record]
    #expect(archive.error != nil)
    record.recordType = ""
    archive.records = ["ServerRecord": record]
    #expect(archive.error == nil)
  }

  @Test("three levels of underlying errors are stored")
  func threeLevelsOfUnderlyingErrorsAreStored() {
    var error = NSError(domain: "deepest", code: 0)
    for level in 1...5 {
      error = NSError(domain: CKErrorDomain, code: level, userInfo: [NSUnderlyingErrorKey: error])
    }
    var codes: [Int] = []
    var archive: ErrorArchive? = ErrorArchive(error)
    while let present = archive {
      codes.append(present.code)
      archive = present.underlying.first
    }
    #expect(codes == [5, 4, 3, 2])
  }
}
