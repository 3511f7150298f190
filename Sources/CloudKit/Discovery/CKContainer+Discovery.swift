import Foundation

/// People, each by what they were found by.
private typealias Identities<Handle: Hashable> = [Handle: CKUserIdentity]

// All of this is deprecated: people are looked up as participants of shares.
@available(*, deprecated, message: "No longer supported. Please see Sharing CloudKit Data with Other iCloud Users.")
extension CKContainer {
  // MARK: One person

  /// Finds a person who let the app show them to others; nil, and no error, for anybody else.
  @discardableResult
  public func userIdentity(forEmailAddress email: String) async throws -> CKUserIdentity? {
    try await result { startIdentity(CKUserIdentity.LookupInfo(emailAddress: email), $0) }
  }

  /// Finds a person who let the app show them to others; nil, and no error, for anybody else.
  @discardableResult
  public func userIdentity(forPhoneNumber phoneNumber: String) async throws -> CKUserIdentity? {
    try await result { startIdentity(CKUserIdentity.LookupInfo(phoneNumber: phoneNumber), $0) }
  }

  /// Finds a person who let the app show them to others; nil, and no error, for anybody else.
  @discardableResult
  public func userIdentity(forUserRecordID userRecordID: CKRecord.ID) async throws -> CKUserIdentity? {
    try await result { startIdentity(CKUserIdentity.LookupInfo(userRecordID: userRecordID), $0) }
  }

  /// Finds a person who let the app show them to others; nil, and no error, for anybody else.
  @preconcurrency
  public func discoverUserIdentity(
    withEmailAddress email: String, completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
  ) {
    _ = startIdentity(CKUserIdentity.LookupInfo(emailAddress: email), splitPerson(completionHandler))
  }

  /// Finds a person who let the app show them to others; nil, and no error, for anybody else.
  @preconcurrency
  public func discoverUserIdentity(
    withPhoneNumber phoneNumber: String,
    completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
  ) {
    _ = startIdentity(CKUserIdentity.LookupInfo(phoneNumber: phoneNumber), splitPerson(completionHandler))
  }

  /// Finds a person who let the app show them to others; nil, and no error, for anybody else.
  @preconcurrency
  public func discoverUserIdentity(
    withUserRecordID userRecordID: CKRecord.ID,
    completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
  ) {
    _ = startIdentity(CKUserIdentity.LookupInfo(userRecordID: userRecordID), splitPerson(completionHandler))
  }

  // MARK: Several people

  /// Finds people who let the app show them to others; who is not found is not in the answer.
  public func userIdentities(forEmailAddresses emails: [String]) async throws -> [String: CKUserIdentity] {
    try await result { startIdentities(emails, CKUserIdentity.LookupInfo.init(emailAddress:), $0) }
  }

  /// Finds people who let the app show them to others; who is not found is not in the answer.
  public func userIdentities(forPhoneNumbers phoneNumbers: [String]) async throws -> [String: CKUserIdentity] {
    try await result { startIdentities(phoneNumbers, CKUserIdentity.LookupInfo.init(phoneNumber:), $0) }
  }

  /// Finds people who let the app show them to others; who is not found is not in the answer.
  public func userIdentities(
    forUserRecordIDs userRecordIDs: [CKRecord.ID]
  ) async throws -> [CKRecord.ID: CKUserIdentity] {
    try await result { startIdentities(userRecordIDs, CKUserIdentity.LookupInfo.init(userRecordID:), $0) }
  }

  /// Finds people who let the app show them to others; who is not found is not in the answer.
  @preconcurrency
  public func discoverUserIdentities(
    forEmailAddresses emails: [String],
    completionHandler: @escaping @Sendable (Result<[String: CKUserIdentity], any Error>) -> Void
  ) {
    _ = startIdentities(emails, CKUserIdentity.LookupInfo.init(emailAddress:), completionHandler)
  }

  /// Finds people who let the app show them to others; who is not found is not in the answer.
  @preconcurrency
  public func discoverUserIdentities(
    forPhoneNumbers phoneNumbers: [String],
    completionHandler: @escaping @Sendable (Result<[String: CKUserIdentity], any Error>) -> Void
  ) {
    _ = startIdentities(phoneNumbers, CKUserIdentity.LookupInfo.init(phoneNumber:), completionHandler)
  }

  /// Finds people who let the app show them to others; who is not found is not in the answer.
  @preconcurrency
  public func discoverUserIdentities(
    forUserRecordIDs userRecordIDs: [CKRecord.ID],
    completionHandler: @escaping @Sendable (Result<[CKRecord.ID: CKUserIdentity], any Error>) -> Void
  ) {
    _ = startIdentities(userRecordIDs, CKUserIdentity.LookupInfo.init(userRecordID:), completionHandler)
  }

  /// Finds everybody who let the app show them to others.
  @discardableResult
  public func allUserIdentitiesFromContacts() async throws -> [CKUserIdentity] {
    try await result(of: startAllIdentities)
  }

  /// Finds everybody who let the app show them to others.
  @preconcurrency
  public func discoverAllIdentities(
    completionHandler: @escaping @Sendable ([CKUserIdentity]?, (any Error)?) -> Void
  ) {
    _ = startAllIdentities(split(completionHandler))
  }

  // MARK: The core

  private func startAllIdentities(_ completion: @escaping Completion<[CKUserIdentity]>) -> CKOperation {
    let operation = CKDiscoverAllUserIdentitiesOperation()
    let found = Gathered<CKUserIdentity>()
    operation.userIdentityDiscoveredBlock = found.append
    operation.discoverAllUserIdentitiesResultBlock = { outcome in completion(outcome.map { found.values }) }
    return begin(operation)
  }

  private func startIdentity(
    _ info: CKUserIdentity.LookupInfo, _ completion: @escaping Completion<CKUserIdentity?>
  ) -> CKOperation {
    startIdentities([info], \.self) { result in completion(result.map { $0[info] }) }
  }

  /// Nobody found is no error.
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
  ) -> CKOperation {
    let operation = CKDiscoverUserIdentitiesOperation(userIdentityLookupInfos: handles.map(lookup))
    let results = GatheredResults<CKUserIdentity.LookupInfo, CKUserIdentity>()
    operation.userIdentityDiscoveredBlock = { identity, info in results.block(info, .success(identity)) }
    operation.discoverUserIdentitiesResultBlock = { outcome in
      completion(
        outcome.map {
          let found = results.values
          return handles.reduce(into: [:]) { $0[$1] = try? found[lookup($1)]?.get() }
        })
    }
    return begin(operation)
  }
}
