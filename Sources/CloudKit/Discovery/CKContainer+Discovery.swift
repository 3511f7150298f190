import Foundation

/// Identities by the email address, phone number or user record ID that was looked up.
private typealias Identities<Handle: Hashable> = [Handle: CKUserIdentity]

// All functions here are deprecated; their replacement is to look people up as participants of shares.
@available(*, deprecated, message: "No longer supported. Please see Sharing CloudKit Data with Other iCloud Users.")
extension CKContainer {
  // MARK: One person

  /// Finds a user that agreed to be found by other users of the app; nil, without an error, if there is none.
  @discardableResult
  public func userIdentity(forEmailAddress email: String) async throws -> CKUserIdentity? {
    try await result { startIdentity(CKUserIdentity.LookupInfo(emailAddress: email), $0) }
  }

  /// Finds a user that agreed to be found by other users of the app; nil, without an error, if there is none.
  @discardableResult
  public func userIdentity(forPhoneNumber phoneNumber: String) async throws -> CKUserIdentity? {
    try await result { startIdentity(CKUserIdentity.LookupInfo(phoneNumber: phoneNumber), $0) }
  }

  /// Finds a user that agreed to be found by other users of the app; nil, without an error, if there is none.
  @discardableResult
  public func userIdentity(forUserRecordID userRecordID: CKRecord.ID) async throws -> CKUserIdentity? {
    try await result { startIdentity(CKUserIdentity.LookupInfo(userRecordID: userRecordID), $0) }
  }

  /// Finds a user that agreed to be found by other users of the app. Passes nil, without an error, if there is none.
  @preconcurrency
  public func discoverUserIdentity(
    withEmailAddress email: String, completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
  ) {
    startIdentity(CKUserIdentity.LookupInfo(emailAddress: email), splitPerson(completionHandler))
  }

  /// Finds a user that agreed to be found by other users of the app. Passes nil, without an error, if there is none.
  @preconcurrency
  public func discoverUserIdentity(
    withPhoneNumber phoneNumber: String,
    completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
  ) {
    startIdentity(CKUserIdentity.LookupInfo(phoneNumber: phoneNumber), splitPerson(completionHandler))
  }

  /// Finds a user that agreed to be found by other users of the app. Passes nil, without an error, if there is none.
  @preconcurrency
  public func discoverUserIdentity(
    withUserRecordID userRecordID: CKRecord.ID,
    completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
  ) {
    startIdentity(CKUserIdentity.LookupInfo(userRecordID: userRecordID), splitPerson(completionHandler))
  }

  // MARK: Several people

  /// Finds users that agreed to be found by other users of the app. The result leaves out all others.
  public func userIdentities(forEmailAddresses emails: [String]) async throws -> [String: CKUserIdentity] {
    try await result { startIdentities(emails, CKUserIdentity.LookupInfo.init(emailAddress:), $0) }
  }

  /// Finds users that agreed to be found by other users of the app. The result leaves out all others.
  public func userIdentities(forPhoneNumbers phoneNumbers: [String]) async throws -> [String: CKUserIdentity] {
    try await result { startIdentities(phoneNumbers, CKUserIdentity.LookupInfo.init(phoneNumber:), $0) }
  }

  /// Finds users that agreed to be found by other users of the app. The result leaves out all others.
  public func userIdentities(
    forUserRecordIDs userRecordIDs: [CKRecord.ID]
  ) async throws -> [CKRecord.ID: CKUserIdentity] {
    try await result { startIdentities(userRecordIDs, CKUserIdentity.LookupInfo.init(userRecordID:), $0) }
  }

  /// Finds users that agreed to be found by other users of the app. The result leaves out all others.
  @preconcurrency
  public func discoverUserIdentities(
    forEmailAddresses emails: [String],
    completionHandler: @escaping @Sendable (Result<[String: CKUserIdentity], any Error>) -> Void
  ) {
    startIdentities(emails, CKUserIdentity.LookupInfo.init(emailAddress:), completionHandler)
  }

  /// Finds users that agreed to be found by other users of the app. The result leaves out all others.
  @preconcurrency
  public func discoverUserIdentities(
    forPhoneNumbers phoneNumbers: [String],
    completionHandler: @escaping @Sendable (Result<[String: CKUserIdentity], any Error>) -> Void
  ) {
    startIdentities(phoneNumbers, CKUserIdentity.LookupInfo.init(phoneNumber:), completionHandler)
  }

  /// Finds users that agreed to be found by other users of the app. The result leaves out all others.
  @preconcurrency
  public func discoverUserIdentities(
    forUserRecordIDs userRecordIDs: [CKRecord.ID],
    completionHandler: @escaping @Sendable (Result<[CKRecord.ID: CKUserIdentity], any Error>) -> Void
  ) {
    startIdentities(userRecordIDs, CKUserIdentity.LookupInfo.init(userRecordID:), completionHandler)
  }

  /// Finds all users that agreed to be found by other users of the app.
  @discardableResult
  public func allUserIdentitiesFromContacts() async throws -> [CKUserIdentity] {
    try await result(of: startAllIdentities)
  }

  /// Finds all users that agreed to be found by other users of the app.
  @preconcurrency
  public func discoverAllIdentities(
    completionHandler: @escaping @Sendable ([CKUserIdentity]?, (any Error)?) -> Void
  ) {
    startAllIdentities(split(completionHandler))
  }

  // MARK: The core

  private func startAllIdentities(_ completion: @escaping Completion<[CKUserIdentity]>) {
    let operation = CKDiscoverAllUserIdentitiesOperation()
    let found = ResultCollector<CKUserIdentity>()
    operation.userIdentityDiscoveredBlock = found.append
    operation.discoverAllUserIdentitiesResultBlock = { outcome in completion(outcome.map { found.values }) }
    begin(operation)
  }

  private func startIdentity(
    _ info: CKUserIdentity.LookupInfo, _ completion: @escaping Completion<CKUserIdentity?>
  ) {
    startIdentities([info], \.self) { result in completion(result.map { $0[info] }) }
  }

  /// Passes nil without an error if no user was found.
  private func splitPerson(
    _ completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
  ) -> Completion<CKUserIdentity?> {
    { result in
      let (found, error) = result.parts
      completionHandler(found ?? nil, error)
    }
  }

  private func startIdentities<Handle: Hashable & Sendable>(
    _ handles: [Handle], _ lookup: @escaping @Sendable (Handle) -> CKUserIdentity.LookupInfo,
    _ completion: @escaping Completion<Identities<Handle>>
  ) {
    let operation = CKDiscoverUserIdentitiesOperation(userIdentityLookupInfos: handles.map(lookup))
    let results = CollectedResults<CKUserIdentity.LookupInfo, CKUserIdentity>()
    operation.userIdentityDiscoveredBlock = { identity, info in results.block(info, .success(identity)) }
    operation.discoverUserIdentitiesResultBlock = { outcome in
      completion(
        outcome.map {
          let found = results.values
          return handles.reduce(into: [:]) { $0[$1] = try? found[lookup($1)]?.get() }
        })
    }
    begin(operation)
  }
}
