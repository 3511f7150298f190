import Foundation
import LocalCloudModel
import LocalCloudService

/// Accepts shares for the current user. Their records then appear in the shared database.
///
/// Accepting a share twice succeeds. Errors of a share: `unknownItem` if it no longer exists, `permissionFailure` if
/// the current user is not invited, `invalidArguments` for the owner.
///
/// - Difference: the shared zone is there when the operation completes; iCloud may take a little longer.
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
open class CKAcceptSharesOperation: CKOperation, @unchecked Sendable {
  /// The metadata of the shares.
  open var shareMetadatas: [CKShare.Metadata]? { willSet { checkNotRunning() } }

  /// Called for each share, with the share as the participant sees it.
  open var perShareResultBlock: ((CKShare.Metadata, Result<CKShare, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called at the end. The result is a failure only if the request failed as a whole.
  open var acceptSharesResultBlock: ((Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called for each share, unless ``perShareResultBlock`` is set.
  @available(*, deprecated, renamed: "perShareResultBlock")
  open var perShareCompletionBlock: ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)? {
    get { oldShareBlock }
    set {
      checkNotRunning()
      oldShareBlock = newValue
    }
  }

  /// Called at the end. Failures of single shares are in a `partialFailure`, by the URL of the share.
  @available(*, deprecated, renamed: "acceptSharesResultBlock")
  open var acceptSharesCompletionBlock: (((any Error)?) -> Void)? {
    get { oldResultBlock }
    set {
      checkNotRunning()
      oldResultBlock = newValue
    }
  }

  private var oldShareBlock: ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)?
  private var oldResultBlock: (((any Error)?) -> Void)?

  /// Makes an operation without shares.
  public override init() {
    super.init()
  }

  /// Makes an operation that accepts the shares of these metadata.
  public convenience init(shareMetadatas: [CKShare.Metadata]) {
    self.init()
    self.shareMetadatas = shareMetadatas
  }

  override var purpose: String { "accept some shares" }

  override func work(_ request: Request) throws {
    if shareMetadatas?.isEmpty != false { try request.requireAccount() }
    for metadata in shareMetadatas ?? [] {
      try checkCancelled()
      let result = try request.item { () throws(ServiceError) in try accept(metadata, request) }
      if let url = metadata.share.url {
        recordResult(result, of: url)
      } else {
        recordResult(result, of: metadata.share.recordID)
      }
      deliver { [self] in call(metadata, result) }
    }
  }

  private func accept(_ metadata: CKShare.Metadata, _ request: Request) throws(ServiceError) -> CKShare {
    guard let url = metadata.acceptanceURL ?? metadata.share.url else {
      throw ServiceError(.unknownItem, "The metadata's share has no URL", internalCode: 2003)
    }
    let share = try request.service.sharing.acceptShare(url: url.absoluteString, by: request.caller)
    return try request.translator.share(share)
  }

  private func call(_ metadata: CKShare.Metadata, _ result: Result<CKShare, any Error>) {
    if let perShareResultBlock {
      perShareResultBlock(metadata, result)
      return
    }
    let (share, error) = result.parts
    oldShareBlock?(metadata, share, error)
  }

  override func report(_ outcome: Result<Void, any Error>) {
    acceptSharesResultBlock?(outcome)
    oldResultBlock?(completionError(outcome))
  }
}
