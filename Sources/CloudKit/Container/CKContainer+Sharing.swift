import Foundation

extension CKContainer {
  // MARK: Accepting

  /// Accepts a share for the current user. Fails like `CKAcceptSharesOperation`.
  @discardableResult
  public func accept(_ metadata: CKShare.Metadata) async throws -> CKShare {
    try await result { startAccept(metadata, $0) }
  }

  /// Accepts a share for the current user. Fails like `CKAcceptSharesOperation`.
  @preconcurrency
  public func accept(
    _ metadata: CKShare.Metadata, completionHandler: @escaping @Sendable (CKShare?, (any Error)?) -> Void
  ) {
    startAccept(metadata, split(completionHandler))
  }

  /// Accepts shares for the current user. Each has its own result.
  @discardableResult
  public func accept(_ metadatas: [CKShare.Metadata]) async throws -> [CKShare.Metadata: Result<CKShare, any Error>] {
    try await result { startAccept(metadatas, $0) }
  }

  /// Accepts shares for the current user. Each has its own result.
  @preconcurrency
  public func accept(
    _ metadatas: [CKShare.Metadata],
    completionHandler: @escaping @Sendable (Result<[CKShare.Metadata: Result<CKShare, any Error>], any Error>) -> Void
  ) {
    startAccept(metadatas, completionHandler)
  }

  private func startAccept(_ metadata: CKShare.Metadata, _ completion: @escaping Completion<CKShare>) {
    startAccept([metadata]) { results in completion(results.flatMap { $0.result(of: metadata) }) }
  }

  private func startAccept(
    _ metadatas: [CKShare.Metadata],
    _ completion: @escaping Completion<[CKShare.Metadata: Result<CKShare, any Error>]>
  ) {
    let operation = CKAcceptSharesOperation(shareMetadatas: metadatas)
    let results = CollectedResults<CKShare.Metadata, CKShare>()
    operation.perShareResultBlock = results.block
    operation.acceptSharesResultBlock = { outcome in completion(outcome.map { results.values }) }
    begin(operation)
  }

  // MARK: Share URLs

  /// Fetches the metadata of the share at a URL. Fails like `CKFetchShareMetadataOperation`.
  @discardableResult
  public func shareMetadata(for url: URL) async throws -> CKShare.Metadata {
    try await result { startMetadata(url, $0) }
  }

  /// Fetches the metadata of the share at a URL. Fails like `CKFetchShareMetadataOperation`.
  @preconcurrency
  public func fetchShareMetadata(
    with url: URL, completionHandler: @escaping @Sendable (CKShare.Metadata?, (any Error)?) -> Void
  ) {
    startMetadata(url, split(completionHandler))
  }

  /// Fetches the metadata of the shares at several URLs. Each has its own result.
  public func shareMetadatas(for urls: [URL]) async throws -> [URL: Result<CKShare.Metadata, any Error>] {
    try await result { startMetadatas(urls, $0) }
  }

  /// Fetches the metadata of the shares at several URLs. Each has its own result.
  @preconcurrency
  public func fetchShareMetadatas(
    for urls: [URL],
    completionHandler: @escaping @Sendable (Result<[URL: Result<CKShare.Metadata, any Error>], any Error>) -> Void
  ) {
    startMetadatas(urls, completionHandler)
  }

  private func startMetadata(_ url: URL, _ completion: @escaping Completion<CKShare.Metadata>) {
    startMetadatas([url]) { results in completion(results.flatMap { $0.result(of: url) }) }
  }

  private func startMetadatas(
    _ urls: [URL], _ completion: @escaping Completion<[URL: Result<CKShare.Metadata, any Error>]>
  ) {
    let operation = CKFetchShareMetadataOperation(shareURLs: urls)
    let results = CollectedResults<URL, CKShare.Metadata>()
    operation.perShareMetadataResultBlock = results.block
    operation.fetchShareMetadataResultBlock = { outcome in completion(outcome.map { results.values }) }
    begin(operation)
  }
}
