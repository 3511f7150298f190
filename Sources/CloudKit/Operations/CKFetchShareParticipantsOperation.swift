import CloudService
import Foundation

/// Makes participants of people, to be added to shares.
///
/// An address or number that nobody has is no error: its participant has no account until somebody accepts with it.
/// Errors of a person: `invalidArguments` for what is no address or number, `unknownItem` for an unknown user.
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
open class CKFetchShareParticipantsOperation: CKOperation, @unchecked Sendable {
  /// Who is looked up.
  open var userIdentityLookupInfos: [CKUserIdentity.LookupInfo]? { willSet { checkNotRunning() } }

  /// Called for each person.
  @preconcurrency open var perShareParticipantResultBlock:
    (@Sendable (CKUserIdentity.LookupInfo, Result<CKShare.Participant, any Error>) -> Void)?
  { willSet { checkNotRunning() } }

  /// Called at the end. It fails only if the request failed as a whole.
  @preconcurrency open var fetchShareParticipantsResultBlock: (@Sendable (Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called for each person found, unless ``perShareParticipantResultBlock`` is set.
  @available(*, deprecated, renamed: "perShareParticipantResultBlock")
  @preconcurrency open var shareParticipantFetchedBlock: (@Sendable (CKShare.Participant) -> Void)? {
    get { oldParticipantBlock }
    set {
      checkNotRunning()
      oldParticipantBlock = newValue
    }
  }

  /// Called at the end; failures of single people are in a `partialFailure`.
  @available(*, deprecated, renamed: "fetchShareParticipantsResultBlock")
  @preconcurrency open var fetchShareParticipantsCompletionBlock: (@Sendable ((any Error)?) -> Void)? {
    get { oldResultBlock }
    set {
      checkNotRunning()
      oldResultBlock = newValue
    }
  }

  private var oldParticipantBlock: (@Sendable (CKShare.Participant) -> Void)?
  private var oldResultBlock: (@Sendable ((any Error)?) -> Void)?

  /// Makes an operation that looks nobody up.
  public override init() {
    super.init()
  }

  /// Makes an operation that looks these people up.
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
      note(result, of: info)
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
