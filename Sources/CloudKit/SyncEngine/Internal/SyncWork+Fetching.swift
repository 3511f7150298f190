import Foundation
import LocalCloudEmulator

/// Fetching: the feed of the database, then the zones that changed, one after another.
extension SyncWork {
  /// One fetch under way. The delegate may change the options between two requests.
  struct FetchProgress {
    let pass: SyncPass
    var context: CKSyncEngine.FetchChangesContext
    var failures = SyncFailures()
    /// Whether the first request was made.
    var hasRequested = false
    /// The zones of this pass that were fetched, or failed.
    var doneZones: Set<CKRecordZone.ID> = []
    /// The zones to fetch, the next one last; nil if the options have changed since.
    var queue: [CKRecordZone.ID]?

    var options: CKSyncEngine.FetchChangesOptions { context.options }
  }

  func fetch(
    _ pass: SyncPass, _ reason: CKSyncEngine.SyncReason, _ options: CKSyncEngine.FetchChangesOptions
  ) async throws {
    do {
      try await checkAccount(pass)
      try await ensureSubscription(pass)
    } catch {
      throw retried(.fetch, error)
    }
    let context = CKSyncEngine.FetchChangesContext(reason: reason, options: options)
    try await report(.willFetchChanges(CKSyncEngine.Event.WillFetchChanges(context: context)))
    // It reads all changes until now. A fetch by the app may leave out zones: the scheduled one then follows.
    if reason == .scheduled { schedule.drop(.fetch) }
    pass.hasRead = true
    var progress = FetchProgress(pass: pass, context: context)
    try await fetchDatabase(&progress)
    while !progress.failures.endsPass, let zoneID = nextZone(&progress) {
      progress.doneZones.insert(zoneID)
      try await fetchZone(zoneID, &progress)
    }
    try await report(.didFetchChanges(CKSyncEngine.Event.DidFetchChanges(context: context)))
    end(.fetch, progress.failures)
    try progress.failures.check("fetch changes", container: container.containerIdentifier)
  }

  /// Makes the next request. The delegate is asked for the options before each but the first.
  private func request<Answer: Sendable>(
    _ progress: inout FetchProgress, _ body: @escaping @Sendable (CKDatabase) async throws -> Answer
  ) async throws -> Answer {
    if progress.hasRequested { try await askForOptions(&progress) }
    progress.hasRequested = true
    let database = database.grouped(progress.options.operationGroup)
    return try await progress.pass.request { try await body(database) }
  }

  /// Requests the changes since a token. A token that the cloud does not know any more is replaced by none, because the
  /// app sees no tokens; `expiry` is the error of such a token.
  private func requestPage<Page: Sendable>(
    since token: CKServerChangeToken?, _ progress: inout FetchProgress,
    _ body: @escaping @Sendable (CKDatabase, CKServerChangeToken?) async throws -> Page
  ) async throws -> (page: Page, expiry: CKError?) {
    do {
      let page = try await request(&progress) { try await body($0, token) }
      return (page, nil)
    } catch {
      guard token != nil, let expiry = error as? CKError, expiry.code == .changeTokenExpired else { throw error }
      let page = try await request(&progress) { try await body($0, nil) }
      return (page, expiry)
    }
  }

  private func askForOptions(_ progress: inout FetchProgress) async throws {
    let context = progress.context
    let options = try await call { delegate, engine in
      await delegate.nextFetchChangesOptions(context, syncEngine: engine)
    }
    progress.context = CKSyncEngine.FetchChangesContext(reason: context.reason, options: options)
    if options.scope != context.options.scope || options.prioritizedZoneIDs != context.options.prioritizedZoneIDs {
      progress.queue = nil
    }
    try await deliverState()
  }

  // MARK: The database

  /// Reads the feed of the database to its end, whatever the scope is.
  private func fetchDatabase(_ progress: inout FetchProgress) async throws {
    do {
      var token = state.read { $0.databaseToken }
      // The zones so far, if all zones are fetched.
      var listed: Set<CKRecordZone.ID>? = token == nil ? [] : nil
      var hasExpired = false
      while true {
        let (page, expiry) = try await requestPage(since: token, &progress) { try await $0.databaseChanges(since: $1) }
        if expiry != nil {
          (listed, hasExpired) = ([], true)
        }
        token = page.changeToken
        let modifications = page.modifications.filter { $0.zoneID.zoneName != CKRecordZone.ID.defaultZoneName }
        listed?.formUnion(modifications.map(\.zoneID))
        var deletions = page.deletions
        if let listed, !page.moreComing {
          let missing = try await self.deletions(except: listed, &progress)
          deletions += missing
        }
        // A fetch of all zones that does not reach its end begins again.
        let isStored = listed == nil || !page.moreComing
        state.change { state in
          if isStored { state.databaseToken = page.changeToken }
          for deletion in deletions { state.forgetZone(deletion.zoneID) }
          state.markUnfetched(modifications.map(\.zoneID))
        }
        if modifications.isEmpty, deletions.isEmpty {
          try await deliverState()
        } else {
          try await report(modifications, deletions)
        }
        if page.moreComing { continue }
        if hasExpired { subscribeAgain() }
        return
      }
    } catch {
      guard let failure = CKError.ofSync(error, container: container.containerIdentifier) else { throw error }
      progress.failures.add(failure)
    }
  }

  /// The deletions of known zones that a fetch of all zones does not list. Such a fetch has no deletions.
  private func deletions(
    except listed: Set<CKRecordZone.ID>, _ progress: inout FetchProgress
  ) async throws -> [CKDatabase.DatabaseChange.Deletion] {
    let known = state.read { Set($0.zoneTokens.keys).union($0.zonesWithUnfetchedChanges) }
    var deletions: [CKDatabase.DatabaseChange.Deletion] = []
    for zoneID in known.subtracting(listed).sorted(by: { $0.text < $1.text }) {
      do {
        _ = try await request(&progress) { try await $0.recordZone(for: zoneID) }
      } catch {
        guard let failure = CKError.ofSync(error, container: container.containerIdentifier),
          !failure.isRetriedBySyncEngine
        else { throw error }
        if let reason = failure.deletionReason {
          deletions.append(CKDatabase.DatabaseChange.Deletion(zoneID: zoneID, reason: reason))
        } else {
          progress.failures.add(failure, of: zoneID)
        }
      }
    }
    return deletions
  }

  private func report(
    _ modifications: [CKDatabase.DatabaseChange.Modification], _ deletions: [CKDatabase.DatabaseChange.Deletion]
  ) async throws {
    try await report(
      .fetchedDatabaseChanges(
        CKSyncEngine.Event.FetchedDatabaseChanges(modifications: modifications, deletions: deletions)))
  }

  /// A restored cloud may have no subscription: the next fetch looks for it, and reads the changes without pushes.
  private func subscribeAgain() {
    hasSubscription = false
    if isAutomatic { schedule.request(.fetch) }
  }

  /// Whether the cloud has changes that the engine has not read. An expired token counts.
  func hasServerChanges() async -> Bool {
    let (database, pass) = (database, SyncPass(requests))
    let (token, isSignedIn) = state.read { ($0.databaseToken, $0.lastUser != nil) }
    guard isSignedIn else { return false }
    do {
      let page = try await ActingIdentity.$current.withValue(scope) {
        try await pass.request { try await database.databaseChanges(since: token) }
      }
      return !page.modifications.isEmpty || !page.deletions.isEmpty
    } catch {
      return (error as? CKError)?.code == .changeTokenExpired
    }
  }

  // MARK: A zone

  /// The zones that the app prefers come first, in their order, then the others in the order of the feed.
  private func nextZone(_ progress: inout FetchProgress) -> CKRecordZone.ID? {
    if progress.queue == nil { progress.queue = queue(progress) }
    return progress.queue?.popLast()
  }

  private func queue(_ progress: FetchProgress) -> [CKRecordZone.ID] {
    let options = progress.options
    let zoneIDs = state.zoneIDsWithUnfetchedServerChanges.filter { zoneID in
      !progress.doneZones.contains(zoneID) && options.scope.contains(zoneID)
    }
    var waiting = Set(zoneIDs)
    return (options.prioritizedZoneIDs + zoneIDs).filter { waiting.remove($0) != nil }.reversed()
  }

  private func fetchZone(_ zoneID: CKRecordZone.ID, _ progress: inout FetchProgress) async throws {
    try await report(
      .willFetchRecordZoneChanges(CKSyncEngine.Event.WillFetchRecordZoneChanges(zoneID: zoneID)))
    var failure: CKError?
    do {
      failure = try await fetchPages(of: zoneID, &progress)
    } catch {
      guard let error = CKError.ofSync(error, container: container.containerIdentifier) else { throw error }
      failure = error
    }
    if let failure {
      if failure.isRetriedBySyncEngine, failure.code != .zoneBusy {
        progress.failures.add(failure)
      } else {
        progress.failures.add(failure, of: zoneID)
      }
      if failure.isOfMissingZone {
        state.change { $0.forgetFetches(of: zoneID) }
      }
    }
    try await report(
      .didFetchRecordZoneChanges(
        CKSyncEngine.Event.DidFetchRecordZoneChanges(zoneID: zoneID, error: failure)))
  }

  /// Fetches a zone page by page, until its end, or until the app leaves the zone out of the scope. Returns the error of
  /// the first record that could not be read. The next fetch begins with the page of that record.
  private func fetchPages(of zoneID: CKRecordZone.ID, _ progress: inout FetchProgress) async throws -> CKError? {
    var token = state.read { $0.zoneTokens[zoneID] }
    var failure: CKError?
    while true {
      let (page, expiry) = try await requestPage(since: token, &progress) { try await $0.page(of: zoneID, since: $1) }
      if let expiry { try await reportRestart(of: zoneID, expiry) }
      token = page.token
      failure = failure ?? page.failure.flatMap { CKError.ofSync($0, container: container.containerIdentifier) }
      if failure == nil {
        state.change { state in
          state.zoneTokens[zoneID] = page.token
          if !page.moreComing { state.markFetched(zoneID) }
        }
      }
      if page.modifications.isEmpty, page.deletions.isEmpty {
        try await deliverState()
      } else {
        try await report(
          .fetchedRecordZoneChanges(
            CKSyncEngine.Event.FetchedRecordZoneChanges(
              modifications: page.modifications, deletions: page.deletions)))
      }
      guard page.moreComing, progress.options.scope.contains(zoneID) else { return failure }
    }
  }

  /// Reports a zone as deleted and made again, before it is fetched from its beginning.
  ///
  /// - Assumption: after the expiry of a zone's token the records that were deleted since are unknown. So the app first
  ///   gets the zone's deletion, and drops all of its records. The zone's pending changes stay pending.
  private func reportRestart(of zoneID: CKRecordZone.ID, _ expiry: CKError) async throws {
    state.change { $0.zoneTokens[zoneID] = nil }
    let reason = expiry.deletionReason ?? .deleted
    try await report([], [CKDatabase.DatabaseChange.Deletion(zoneID: zoneID, reason: reason)])
    try await report([CKDatabase.DatabaseChange.Modification(zoneID: zoneID)], [])
  }
}

extension CKError {
  /// Whether the zone does not exist, or can't be seen by the account.
  var isOfMissingZone: Bool { code == .zoneNotFound || code == .userDeletedZone }

  /// The reason for the deletion of the zone that has this error; nil if the error has another cause.
  fileprivate var deletionReason: CKDatabase.DatabaseChange.Deletion.Reason? {
    switch code {
    case .userDeletedZone: .purged
    case .zoneNotFound, .changeTokenExpired:
      userInfo[CKErrorUserDidResetEncryptedDataKey] as? Bool == true ? .encryptedDataReset : .deleted
    default: nil
    }
  }
}

/// A page of a zone's changes, in the order of the feed.
private struct ZonePage: Sendable {
  var modifications: [CKDatabase.RecordZoneChange.Modification]
  var deletions: [CKDatabase.RecordZoneChange.Deletion]
  /// The error of the first record that could not be read.
  var failure: (any Error)?
  var token: CKServerChangeToken
  var moreComing: Bool
}

extension CKDatabase {
  fileprivate func page(of zoneID: CKRecordZone.ID, since token: CKServerChangeToken?) async throws -> ZonePage {
    try await result { start(zoneID, token, $0) }
  }

  /// Keeps the order of the changes. The dictionaries of the function with the same purpose lose it.
  private func start(
    _ zoneID: CKRecordZone.ID, _ token: CKServerChangeToken?, _ completion: @escaping Completion<ZonePage>
  ) {
    let operation = CKFetchRecordZoneChangesOperation(
      recordZoneIDs: [zoneID],
      configurationsByRecordZoneID: [zoneID: CKFetchRecordZoneChangesConfiguration(previousServerChangeToken: token)])
    operation.fetchAllChanges = false
    let records = ResultCollector<Result<CKRecord, any Error>>()
    let deletions = ResultCollector<RecordZoneChange.Deletion>()
    let ends = ResultCollector<Result<(token: CKServerChangeToken, moreComing: Bool), any Error>>()
    operation.recordWasChangedBlock = { records.append($1) }
    operation.recordWithIDWasDeletedBlock = { recordID, recordType in
      deletions.append(RecordZoneChange.Deletion(recordID: recordID, recordType: recordType))
    }
    operation.recordZoneFetchResultBlock = { _, result in
      ends.append(result.map { ($0.serverChangeToken, $0.moreComing) })
    }
    operation.fetchRecordZoneChangesResultBlock = { outcome in
      completion(
        outcome.flatMap { ends.values.first ?? .failure(CKError(.internalError)) }.map { end in
          let results = records.values.map(\.parts)
          return ZonePage(
            modifications: results.compactMap { $0.value }.map(RecordZoneChange.Modification.init(record:)),
            deletions: deletions.values, failure: results.lazy.compactMap { $0.error }.first, token: end.token,
            moreComing: end.moreComing)
        })
    }
    begin(operation)
  }
}

extension CKSyncEngine.FetchChangesOptions {
  /// Whether a fetch with these options also fetches the zones of others.
  func includes(_ others: CKSyncEngine.FetchChangesOptions) -> Bool {
    switch (scope, others.scope) {
    case (.all, _): true
    case (.zoneIDs(let own), .zoneIDs(let wanted)): Set(own).isSuperset(of: wanted)
    case (.allExcluding(let own), .allExcluding(let unwanted)): Set(own).isSubset(of: unwanted)
    default: false
    }
  }
}
