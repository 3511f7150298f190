import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// A database's subscriptions, one document each.
///
/// They belong to users, not to zones, so they are saved and deleted as documents. A commit that ends a subscription
/// does so with the folder's lock, and only if the subscription was not saved again since the commit was planned.
package struct SubscriptionFolder {
  package static let folder = "subscriptions"
  package static let suffix = ".json"

  private let directory: Directory

  init(_ directory: Directory) { self.directory = directory }

  package static func filePath(_ database: DatabasePath, _ name: String) -> StorePath {
    StorePath(.container, [database.environment] + database.scope.map(FileName.encode) + [folder, name])
  }

  /// The file names of all subscriptions.
  package func names() throws -> [String] {
    try directory.entries().filter { $0.kind == .file && !$0.name.hasPrefix(".") }.map(\.name)
  }

  package func read(_ name: String) throws -> JSONObject? { try directory.object(at: [name]) }

  package func path(of name: String) -> String { directory.path(of: name) }

  /// Holds the folder's lock while `body` reads and replaces documents in it.
  private func locked<Result>(_ waitPolicy: LockWaitPolicy, _ body: (DocumentFolder) throws -> Result) throws -> Result
  {
    try Cloud.withLock(of: directory, waitPolicy, body)
  }

  // MARK: Commits that end a subscription

  /// Marks a subscription as one that ends with this push. Returns false if it was deleted, saved again, or ends with
  /// another push.
  ///
  /// The file is renamed durably before the push is delivered. So no other commit can fire the subscription again, and
  /// a replay of this commit finds that it may deliver the push.
  func claim(_ reference: SubscriptionReference, for mark: PushMark, _ waitPolicy: LockWaitPolicy) throws -> Bool {
    let claimed = Self.claimName(mark)
    return try locked(waitPolicy) { _ in
      if try directory.exists(claimed) { return true }
      guard let name = reference.file.components.last, try isPresent(reference) else { return false }
      try directory.rename(name, to: directory, as: claimed)
      return true
    } && synced()
  }

  private func synced() throws -> Bool {
    try directory.sync()
    return true
  }

  /// Removes the claim, once the pushes that the subscription ended with are durable.
  func end(claimFor mark: PushMark) throws { try directory.remove(Self.claimName(mark)) }

  /// Removes a subscription, unless it was saved again.
  func withdraw(_ reference: SubscriptionReference, _ waitPolicy: LockWaitPolicy) throws {
    try locked(waitPolicy) { _ in
      if let name = reference.file.components.last, try isPresent(reference) { try directory.remove(name) }
    }
  }

  private func isPresent(_ reference: SubscriptionReference) throws -> Bool {
    guard let name = reference.file.components.last else { return false }
    do { return try read(name)?["x-local"]?["token"]?.string == reference.token } catch StorageError.damaged {
      return false
    }
  }

  private static func claimName(_ mark: PushMark) -> String {
    ".fired-\(FileName.encode(mark.commit.history))-\(mark.commit.sequence)-\(mark.part)"
  }
}

extension DatabaseFolder {
  /// The database's subscriptions; nil if there never were any.
  package func subscriptions() throws -> SubscriptionFolder? {
    try directory.directoryIfPresent(SubscriptionFolder.folder).map { SubscriptionFolder($0) }
  }
}

extension Cloud {
  /// Holds the lock of a database's subscriptions while `body` reads and replaces them. Makes the folder, durably.
  package func withSubscriptions<Result>(
    of path: DatabasePath, _ waitPolicy: LockWaitPolicy, _ body: (DocumentFolder) throws -> Result
  ) throws -> Result {
    try withFolder(at: path.components + [SubscriptionFolder.folder], waitPolicy, body)
  }
}

/// A subscription in its state when a commit was planned; a subscription that was saved again since then is another
/// one.
package struct SubscriptionReference: Sendable, Hashable {
  package var file: StorePath
  package var token: String

  package init(file: StorePath, token: String) {
    self.file = file
    self.token = token
  }

  init?(_ value: JSONValue) {
    guard let file = value["file"]?.string.flatMap(StorePath.init(text:)), file.base == .container,
      file.components.dropLast().last == SubscriptionFolder.folder,
      let token = value["token"]?.string
    else { return nil }
    self.init(file: file, token: token)
  }

  var value: JSONValue { ["file": .string(file.text), "token": .string(token)] }
}
