import Foundation
import LocalCloudModel
import LocalCloudService
import Testing

// Tests all combinations of properties of service errors, also those that no program can cause.
@testable import CloudKit

@Suite("Conversion of service errors to CKError")
struct ErrorFactoryTests {
  private let recordID = CKRecord.ID(recordName: "r", zoneID: testZoneID)

  @Test("all properties of a service error are in userInfo of the CKError and of its underlying error")
  func userInfo() throws {
    var known = ServiceError(
      .zoneBusy, "Wait", internalCode: 2021, cause: .lockTimeout, hint: "later", path: "/p", retryAfter: 1.5)
    known.isEncryptedDataReset = true
    let error = CKError.$operationID.withValue("OP") { CKError.make(known, container: "c") }
    let userInfo = error.userInfo
    #expect(error.code == .zoneBusy)
    #expect(error.localizedDescription == "Wait")
    #expect(error.retryAfterSeconds == 1.5)
    #expect(userInfo["CKErrorDescription"] as? String == "Wait")
    #expect(userInfo["ServerErrorDescription"] as? String == "Wait")
    #expect(userInfo["OperationID"] as? String == "OP")
    #expect(userInfo["ContainerID"] as? String == "c")
    #expect(UUID(uuidString: userInfo["RequestUUID"] as? String ?? "") != nil)
    #expect(userInfo["NSDebugDescription"] as? String == "CKInternalErrorDomain: 2021")
    #expect(userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String == "later")
    #expect(userInfo[CKErrorUserDidResetEncryptedDataKey] as? Bool == true)
    let below = try #require(userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(below.domain == "CKInternalErrorDomain")
    #expect(below.code == 2021)
    #expect(below.localizedDescription == "Wait")
    #expect(below.userInfo["LocalCloudCause"] as? String == "lockTimeout")
    #expect(below.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String == "later")
    #expect(below.userInfo[NSFilePathErrorKey] as? String == "/p")
  }

  @Test("userInfo has no keys for properties that the service error lacks")
  func userInfoHasNoKeysForProperties() throws {
    let error = CKError.make(ServiceError(.internalError, "No", hint: "h", path: "/p"))
    #expect(
      Set(error.userInfo.keys) == [
        NSLocalizedDescriptionKey, "CKErrorDescription", "RequestUUID", NSLocalizedRecoverySuggestionErrorKey,
      ])
    let caused = CKError.make(ServiceError(.quotaExceeded, "Full", cause: .diskFull))
    let below = try #require(caused.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(below.domain == "LocalCloudErrorDomain")
    #expect(below.code == 25)
    #expect(Set(below.userInfo.keys) == [NSLocalizedDescriptionKey, "LocalCloudCause"])
    #expect(caused.userInfo["ServerErrorDescription"] == nil)
    #expect(caused.userInfo["NSDebugDescription"] == nil)
    let numbered = CKError.make(ServiceError(.quotaExceeded, "Full", internalCode: 1000, hint: "h", path: "/p"))
    let number = try #require(numbered.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(number.code == 1000)
    #expect(Set(number.userInfo.keys) == [NSLocalizedDescriptionKey])
  }

  @Test("the server's words are set for internal codes from 2000, and the description begins with the record")
  func serversWordsAreSetForInternalCodes() {
    func texts(
      _ code: ServiceError.Code, _ number: Int?, words: String? = nil, _ request: CKError.RecordRequest?
    ) -> [String?] {
      var error = ServiceError(code, "message", internalCode: number)
      error.words = words
      let made = CKError.make(error, request)
      let below = made.userInfo[NSUnderlyingErrorKey] as? NSError
      return [
        made.localizedDescription, made.userInfo["ServerErrorDescription"] as? String, below?.localizedDescription,
      ]
    }
    let id = "<CKRecordID: recordName=r, zoneID=Home:__defaultOwner__>"
    #expect(texts(.unknownItem, 2003, nil) == ["message", "message", "message"])
    #expect(texts(.unknownItem, 2003, words: "w", nil) == ["message", "w", "w"])
    #expect(
      texts(.unknownItem, 2000, .save(recordID)) == [
        "Error saving record \(id) to server: message", "message", "message",
      ])
    #expect(
      texts(.unknownItem, 2003, words: "w", .save(recordID)) == ["Error saving record \(id) to server: w", "w", "w"])
    #expect(texts(.unknownItem, 2003, .fetch(recordID)).first == "Error fetching record \(id) from server: message")
    #expect(texts(.unknownItem, 2003, .delete(recordID)).first == "Error deleting record \(id) from server: message")
    for request: CKError.RecordRequest in [.save(recordID), .fetch(recordID), .delete(recordID)] {
      #expect(texts(.unknownItem, 1999, request) == ["message", nil, "message"])
      #expect(texts(.unknownItem, nil, request) == ["message", nil, nil])
    }
    let innocent = "because of previous error in atomic zone"
    #expect(
      texts(.batchRequestFailed, 2024, .save(recordID)) == [
        "Record \(id) will not be saved \(innocent)", nil, "message",
      ])
    #expect(
      texts(.batchRequestFailed, 2024, .delete(recordID))
        == ["Record \(id) will not be deleted \(innocent)", nil, "message"])
    #expect(texts(.batchRequestFailed, 2024, .fetch(recordID)) == ["message", nil, "message"])
  }

  @Test("each service error code is CloudKit's code with the same number")
  func eachServiceErrorCodeIsCloudKitsCode() {
    for code in ServiceError.Code.allCases {
      #expect(CKError.make(ServiceError(code, "")).errorCode == code.rawValue)
    }
  }

  @Test("the error codes that belong to a request as a whole, and not to its items")
  func wholeRequests() {
    let whole: Set<ServiceError.Code> = [
      .networkUnavailable, .networkFailure, .badContainer, .serviceUnavailable, .requestRateLimited,
      .missingEntitlement, .notAuthenticated, .incompatibleVersion, .operationCancelled, .managedAccountRestricted,
      .serverResponseLost, .accountTemporarilyUnavailable,
    ]
    #expect(Set(ServiceError.Code.allCases.filter { ServiceError($0, "").isOfWholeRequest }) == whole)
  }

  @Test("a conflict contains the records that are known, and its description begins with the client's record")
  func conflictContainsTheRecordsThatAreKnown() {
    let error = ServiceError(.serverRecordChanged, "taken", internalCode: 2004)
    let (server, client, ancestor) = (savedRecord(), note("n"), savedRecord())
    let whole = CKError.conflict(error, server: server, client: client, ancestor: ancestor, container: "c")
    #expect(whole.serverRecord === server)
    #expect(whole.clientRecord === client)
    #expect(whole.ancestorRecord === ancestor)
    #expect(whole.localizedDescription == "Error saving record \(client.recordID) to server: taken")
    let bare = CKError.conflict(error, server: nil, client: nil, ancestor: nil, container: nil)
    #expect(bare.code == .serverRecordChanged)
    #expect(bare.localizedDescription == "taken")
    #expect(bare.serverRecord == nil)
    #expect(bare.clientRecord == nil)
    #expect(bare.ancestorRecord == nil)
    #expect(bare.userInfo["ContainerID"] == nil)
  }

  @Test("an existing CKError is not wrapped, and an item without a result has an internalError")
  func existingCKErrorIsNotWrapped() throws {
    let mine = CKError(.zoneBusy, userInfo: ["a": "b"])
    #expect((CKError.wrapping(mine, container: "c") as? CKError) == mine)
    let service = try #require(CKError.wrapping(ServiceError(.unknownItem, "Gone"), container: "c") as? CKError)
    #expect(service.code == .unknownItem)
    #expect(service.localizedDescription == "Gone")
    #expect(service.userInfo["ContainerID"] as? String == "c")
    let results: [String: Result<Int, any Error>] = ["a": .success(1)]
    #expect(results.result(of: "a").value == 1)
    #expect(results.result(of: "b").code == .internalError)
  }

  @Test("an error with an unknown code is described as \"Unknown Error\"")
  func unknownCodes() {
    let error = CKError(_nsError: NSError(domain: CKErrorDomain, code: 999))
    #expect(error.description.hasSuffix(#": "Unknown Error" (999)>"#))
  }

  // MARK: Names

  @Test("names have at most 255 UTF-16 units")
  func namesHaveAtMost255UTF16() {
    let (longest, tooLong) = (String(repeating: "x", count: 255), String(repeating: "x", count: 256))
    let rules: [(String, (String) -> String?)] = [
      ("recordName", { ClientNameRules.problem(recordName: $0) }),
      ("zoneName", { ClientNameRules.problem(zoneName: $0) }),
      ("ownerName", { ClientNameRules.problem(ownerName: $0) }),
      ("Field key", { ClientNameRules.problem(fieldKey: $0, ofShare: false) }),
    ]
    for (what, problem) in rules {
      #expect(problem(longest) == nil)
      #expect(problem("") == "\(what) must not be nil or empty")
      #expect(problem(tooLong) == "\(what) is longer than 255 characters")
      #expect(problem(String(repeating: "\u{1F600}", count: 128)) == "\(what) is longer than 255 characters")
    }
  }

  @Test("only keys of shares may contain dots, and only types from the server other characters")
  func onlyKeysOfSharesMayContainDots() {
    for key in ["a", "a_1", "cloudkit.title", "a.b.c"] {
      #expect(ClientNameRules.problem(fieldKey: key, ofShare: true) == nil)
    }
    for key in ["a.", ".a", "a..b", "a.1", "a b.c"] {
      #expect(ClientNameRules.problem(fieldKey: key, ofShare: true) == "key (\(key)) contains invalid characters")
    }
    #expect(ClientNameRules.problem(fieldKey: "a.b", ofShare: false) == "key (a.b) contains invalid characters")
    #expect(ClientNameRules.problem(recordType: "cloudkit.share") == nil)
    #expect(ClientNameRules.problem(recordType: "a.b") == "recordType (a.b) contains invalid characters")
    #expect(ClientNameRules.problem(recordType: "a.b", isServerMade: true) == nil)
    #expect(ClientNameRules.problem(recordType: "", isServerMade: true) == "recordType must not be nil or empty")
  }
}
