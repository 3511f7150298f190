import Foundation
import LocalCloudModel
import LocalCloudService

/// Fetches the metadata of shares by their URLs. Any container can fetch them: the metadata names the share's
/// container.
///
/// Errors of a URL: `unknownItem` if it belongs to no share that the current user may see,
/// `participantMayNeedVerification` if an invitation is not matched to an account yet.
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
open class CKFetchShareMetadataOperation: CKOperation, @unchecked Sendable {
  /// The URLs of the shares. Their fragments are ignored.
  open var shareURLs: [URL]? { willSet { checkNotRunning() } }

  /// Whether to fetch the root records as well. The default is false. A zone-wide share has no root record.
  open var shouldFetchRootRecord = false { willSet { checkNotRunning() } }

  /// The keys of the root records to fetch; nil for all.
  open var rootRecordDesiredKeys: [CKRecord.FieldKey]? { willSet { checkNotRunning() } }

  /// Called for each URL.
  open var perShareMetadataResultBlock: ((URL, Result<CKShare.Metadata, any Error>) -> Void)?
  { willSet { checkNotRunning() } }

  /// Called at the end. The result is a failure only if the request failed as a whole.
  open var fetchShareMetadataResultBlock: ((Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called for each URL, unless ``perShareMetadataResultBlock`` is set.
  @available(*, deprecated, renamed: "perShareMetadataResultBlock")
  open var perShareMetadataBlock: ((URL, CKShare.Metadata?, (any Error)?) -> Void)? {
    get { oldMetadataBlock }
    set {
      checkNotRunning()
      oldMetadataBlock = newValue
    }
  }

  /// Called at the end. Failures of single URLs are in a `partialFailure`.
  @available(*, deprecated, renamed: "fetchShareMetadataResultBlock")
  open var fetchShareMetadataCompletionBlock: (((any Error)?) -> Void)? {
    get { oldResultBlock }
    set {
      checkNotRunning()
      oldResultBlock = newValue
    }
  }

  private var oldMetadataBlock: ((URL, CKShare.Metadata?, (any Error)?) -> Void)?
  private var oldResultBlock: (((any Error)?) -> Void)?

  /// Makes an operation without URLs.
  public override init() {
    super.init()
  }

  /// Makes an operation that fetches the metadata of the shares at these URLs.
  public convenience init(shareURLs: [URL]) {
    self.init()
    self.shareURLs = shareURLs
  }

  override var purpose: String { "fetch some share metadata" }

  override func work(_ request: Request) throws {
    if shareURLs?.isEmpty != false { try request.requireAccount() }
    for url in shareURLs ?? [] {
      try checkCancelled()
      let result = try request.item { () throws(ServiceError) in
        var found = try request.service.sharing.shareMetadata(
          ShareMetadataRequest(
            url: url.absoluteString, fetchesRootRecord: shouldFetchRootRecord, rootDesiredKeys: rootRecordDesiredKeys,
            withAssets: true),
          by: request.caller)
        if let root = found.rootRecord { found.rootRecord = try request.staged(root) }
        return try request.translator.metadata(found)
      }
      recordResult(result, of: url)
      deliver { [self] in call(url, result) }
    }
  }

  private func call(_ url: URL, _ result: Result<CKShare.Metadata, any Error>) {
    if let perShareMetadataResultBlock {
      perShareMetadataResultBlock(url, result)
      return
    }
    let (metadata, error) = result.parts
    oldMetadataBlock?(url, metadata, error)
  }

  override func report(_ outcome: Result<Void, any Error>) {
    fetchShareMetadataResultBlock?(outcome)
    oldResultBlock?(completionError(outcome))
  }
}
