import Foundation
import LocalCloudService

/// Looks people up as participants that can be added to shares.
///
/// An unknown email address or phone number is not an error: its participant has no account until a user accepts with
/// it. Errors of a person: `invalidArguments` for an invalid address or number, `unknownItem` for an unknown user
/// record ID.
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
open class CKFetchShareParticipantsOperation: CKOperation, @unchecked Sendable {
  /// The addresses, numbers and IDs to look up.
  open var userIdentityLookupInfos: [CKUserIdentity.LookupInfo]? { willSet { checkNotRunning() } }

  /// Called for each person.
  open var perShareParticipantResultBlock:
    ((CKUserIdentity.LookupInfo, Result<CKShare.Participant, any Error>) -> Void)?
  { willSet { checkNotRunning() } }

  /// Called at the end. The result is a failure only if the request failed as a whole.
  open var fetchShareParticipantsResultBlock: ((Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called for each person found, unless ``perShareParticipantResultBlock`` is set.
  @available(*, deprecated, renamed: "perShareParticipantResultBlock")
  open var shareParticipantFetchedBlock: ((CKShare.Participant) -> Void)? {
    get { oldParticipantBlock }
    set {
      checkNotRunning()
      oldParticipantBlock = newValue
    }
  }

  /// Called at the end. Failures of single people are in a `partialFailure`.
  @available(*, deprecated, renamed: "fetchShareParticipantsResultBlock")
  open var fetchShareParticipantsCompletionBlock: (((any Error)?) -> Void)? {
    get { oldResultBlock }
    set {
      checkNotRunning()
      oldResultBlock = newValue
    }
  }

  private var oldParticipantBlock: ((CKShare.Participant) -> Void)?
  private var oldResultBlock: (((any Error)?) -> Void)?

  /// Makes an operation without lookup infos.
  public override init() {
    super.init()
  }

  /// Makes an operation that looks up these people.
  public convenience init(userIdentityLookupInfos: [CKUserIdentity.LookupInfo]) {
    self.init()
    self.userIdentityLookupInfos = userIdentityLookupInfos
  }

  override var purpose: String { "fetch some share participants" }

  override func work(_ request: Request) throws {
    let infos = userIdentityLookupInfos ?? []
    let results = try request.service.sharing.participants(
      for: infos.compactMap(request.translator.serviceLookup), by: request.caller)
    for (info, result) in zip(infos, results) {
      let result = request.item(result) { CKShareParticipant(state: request.translator.participant($0)) }
      recordResult(result, of: info)
      deliver { [self] in
        if let perShareParticipantResultBlock {
          perShareParticipantResultBlock(info, result)
        } else if case .success(let participant) = result {
          oldParticipantBlock?(participant)
        }
      }
    }
  }

  override func report(_ outcome: Result<Void, any Error>) {
    fetchShareParticipantsResultBlock?(outcome)
    oldResultBlock?(completionError(outcome))
  }
}
