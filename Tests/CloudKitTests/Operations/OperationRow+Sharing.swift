import CloudKit
import Foundation

@available(*, deprecated, message: "it sets deprecated blocks")
extension OperationRow {
  private static func shares(
    old: Item.Old, _ bad: CKError.Code, tooMany: CKError.Code? = .limitExceeded
  ) -> @Sendable (OperationCourse) -> Plan? {
    { course in
      switch course {
      case .good: Plan(items: [Item("open", old: old)])
      case .oneBad: Plan(items: [Item("open", old: old), Item("ended", bad, old: old)])
      case .whole: Plan(failure: .notAuthenticated)
      case .empty: Plan()
      case .tooMany: nil
      }
    }
  }

  private static func urls(_ stage: OperationStage, _ course: OperationCourse) -> [URL] {
    switch course {
    case .good, .whole, .tooMany: [stage.url]
    case .oneBad: [stage.url, stage.endedURL]
    case .empty: []
    }
  }

  /// The name of the stage's share with this URL.
  private static func name(_ url: URL?, _ stage: OperationStage) -> String {
    url == stage.url ? "open" : url == stage.endedURL ? "ended" : "another"
  }

  static let acceptShares = OperationRow(
    StagedAccept.self, "CKAcceptSharesOperation", plan: shares(old: .always, .unknownItem),
    make: { stage, course in
      let operation = StagedAccept(
        shareMetadatas: course == .empty
          ? [] : course == .oneBad ? [stage.metadata, stage.endedMetadata] : [stage.metadata])
      operation.stage = stage
      return operation
    },
    current: { operation, journal in
      let stage = operation.stage
      operation.perShareResultBlock = { metadata, result in
        journal.item(stage.map { name(metadata.share.url, $0) } ?? "", result)
      }
      operation.acceptSharesResultBlock = { journal.result($0) }
    },
    deprecated: { operation, journal in
      let stage = operation.stage
      operation.perShareCompletionBlock = { metadata, _, error in
        journal.old(stage.map { name(metadata.share.url, $0) } ?? "", error)
      }
      operation.acceptSharesCompletionBlock = { journal.oldResult($0) }
    })

  static let shareMetadata = OperationRow(
    StagedMetadata.self, "CKFetchShareMetadataOperation", plan: shares(old: .always, .unknownItem),
    make: { stage, course in
      let operation = StagedMetadata(shareURLs: urls(stage, course))
      operation.stage = stage
      return operation
    },
    current: { operation, journal in
      let stage = operation.stage
      operation.perShareMetadataResultBlock = { url, result in
        journal.item(stage.map { name(url, $0) } ?? "", result)
      }
      operation.fetchShareMetadataResultBlock = { journal.result($0) }
    },
    deprecated: { operation, journal in
      let stage = operation.stage
      operation.perShareMetadataBlock = { url, _, error in journal.old(stage.map { name(url, $0) } ?? "", error) }
      operation.fetchShareMetadataCompletionBlock = { journal.oldResult($0) }
    })

  static let requestAccess = OperationRow(
    StagedRequest.self, "CKShareRequestAccessOperation",
    plan: { course in
      switch course {
      case .good: Plan(items: [Item("open")])
      case .oneBad: Plan(items: [Item("open"), Item("invited", .participantAlreadyInvited)])
      case .whole: Plan(failure: .notAuthenticated)
      case .empty: Plan()
      case .tooMany: nil
      }
    },
    make: { stage, course in
      let urls = [stage.url, stage.invitedURL].prefix(course == .empty ? 0 : course == .oneBad ? 2 : 1)
      let operation = StagedRequest(shareURLs: Array(urls))
      operation.stage = stage
      return operation
    },
    current: { operation, journal in
      let stage = operation.stage
      operation.perShareAccessRequestResultBlock = { url, result in
        journal.item(url == stage?.url ? "open" : "invited", result)
      }
      operation.shareAccessRequestResultBlock = { journal.result($0) }
    }, deprecated: nil)

  static let shareParticipants = OperationRow(
    CKFetchShareParticipantsOperation.self, "CKFetchShareParticipantsOperation",
    plan: { course in
      let bob = Item("bob@example.com", old: .ifGood)
      return switch course {
      case .good: Plan(items: [bob])
      case .oneBad: Plan(items: [bob, Item("nothing", .invalidArguments, old: .ifGood)])
      case .whole: Plan(failure: .notAuthenticated)
      case .empty: Plan()
      case .tooMany: nil
      }
    },
    make: { _, course in
      let people =
        switch course {
        case .empty: [String]()
        case .oneBad: ["bob@example.com", "nothing"]
        default: ["bob@example.com"]
        }
      return CKFetchShareParticipantsOperation(
        userIdentityLookupInfos: people.map(CKUserIdentity.LookupInfo.init(emailAddress:)))
    },
    current: { operation, journal in
      operation.perShareParticipantResultBlock = { journal.item($0.emailAddress ?? "", $1) }
      operation.fetchShareParticipantsResultBlock = { journal.result($0) }
    },
    deprecated: { operation, journal in
      operation.shareParticipantFetchedBlock = {
        journal.old($0.userIdentity.lookupInfo?.emailAddress ?? "", nil)
      }
      operation.fetchShareParticipantsCompletionBlock = { journal.oldResult($0) }
    })
}

// Sendable: the stage is set before the operation is started.
private final class StagedAccept: CKAcceptSharesOperation, @unchecked Sendable {
  var stage: OperationStage?
}

private final class StagedMetadata: CKFetchShareMetadataOperation, @unchecked Sendable {
  var stage: OperationStage?
}

private final class StagedRequest: CKShareRequestAccessOperation, @unchecked Sendable {
  var stage: OperationStage?
}
