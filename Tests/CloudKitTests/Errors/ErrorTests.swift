import CloudKit
import Testing

@Suite("CKError")
struct ErrorTests {
  private func plain(_ code: CKError.Code, _ userInfo: [String: Any] = [:]) -> any Error {
    NSError(domain: CKErrorDomain, code: code.rawValue, userInfo: userInfo)
  }

  @Test func bridgesFromNSError() throws {
    let error = try #require(plain(.zoneNotFound, ["key": "value"]) as? CKError)
    #expect(error.code == .zoneNotFound)
    #expect(error.errorCode == 26)
    #expect(error.userInfo["key"] as? String == "value")
    #expect(NSError(domain: CKErrorDomain, code: 11) as? CKError == CKError(.unknownItem))
    #expect(NSError(domain: "other", code: 11) as any Error as? CKError == nil)
    #expect(NSError(domain: CKErrorDomain, code: 999) as any Error as? CKError == nil)
  }

  @Test(arguments: [true, false])
  func catching(asNSError: Bool) {
    func fail() throws { throw asNSError ? plain(.unknownItem) : CKError(.unknownItem) }
    do { try fail() } catch CKError.unknownItem {} catch { Issue.record("not caught by its code") }
    do { try fail() } catch let error as CKError {
      #expect(error.code == .unknownItem)
    } catch { Issue.record("not caught by its type") }
    do { try fail() } catch CKError.zoneBusy { Issue.record("caught by another code") } catch {}
    do { try fail() } catch let error as CKError where error.code == .unknownItem {} catch {
      Issue.record("not caught with a condition")
    }
  }

  @Test func bridgesToNSError() {
    let error: any Error = CKError(.quotaExceeded, userInfo: [NSLocalizedDescriptionKey: "Full"])
    let bridged = error as NSError
    #expect(bridged.domain == "CKErrorDomain")
    #expect(bridged.code == 25)
    #expect(bridged.localizedDescription == "Full")
    #expect(error.localizedDescription == "Full")
    #expect(CKError.errorDomain == CKErrorDomain)
  }

  @Test func equalityAndPatterns() {
    #expect(CKError(.zoneBusy) == CKError(.zoneBusy))
    #expect(CKError(.zoneBusy) != CKError(.zoneNotFound))
    #expect(Set([CKError(.zoneBusy), CKError(.zoneBusy)]).count == 1)
    #expect(CKError.zoneBusy ~= CKError(.zoneBusy))
    #expect(CKError.zoneBusy ~= plain(.zoneBusy))
    switch CKError(.networkFailure).code {
    case .networkFailure, .networkUnavailable: break
    default: Issue.record("the code does not match")
    }
  }

  @Test func accessors() throws {
    let record = savedRecord()
    let recordID = record.recordID
    let error = CKError(
      .partialFailure,
      userInfo: [
        CKPartialErrorsByItemIDKey: [recordID as AnyHashable: CKError(.serverRecordChanged) as any Error],
        CKErrorRetryAfterKey: NSNumber(value: 1.5), CKRecordChangedErrorServerRecordKey: record,
        CKRecordChangedErrorClientRecordKey: record, CKRecordChangedErrorAncestorRecordKey: record,
      ])
    #expect((error.partialErrorsByItemID?[recordID] as? CKError)?.code == .serverRecordChanged)
    #expect(error.retryAfterSeconds == 1.5)
    #expect(error.serverRecord === record)
    #expect(error.clientRecord === record)
    #expect(error.ancestorRecord === record)
    let empty = CKError(.zoneBusy)
    #expect(empty.partialErrorsByItemID == nil)
    #expect(empty.serverRecord == nil)
    #expect(empty.retryAfterSeconds == nil)
    #expect(CKError(.zoneBusy, userInfo: [CKErrorRetryAfterKey: 3]).retryAfterSeconds == 3)
    #expect(CKError(.zoneBusy, userInfo: [CKErrorRetryAfterKey: 2.5]).retryAfterSeconds == 2.5)
  }

  @Test func codes() {
    #expect((1...37).allSatisfy { CKError.Code(rawValue: $0) != nil })
    #expect(CKError.Code(rawValue: 0) == nil)
    #expect(CKError.Code(rawValue: 38) == nil)
    #expect(CKError.serverRecordChanged.rawValue == 14)
    #expect(CKError.accountTemporarilyUnavailable.rawValue == 36)
  }
}
