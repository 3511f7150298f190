import Foundation

/// Results by the email address, phone number or user record ID that was looked up.
private typealias Participants<Handle: Hashable> = [Handle: Result<CKShare.Participant, any Error>]

extension CKContainer {
  // MARK: One person

  /// Looks up a person as a participant for a share. Fails like `CKFetchShareParticipantsOperation`.
  @discardableResult
  public func shareParticipant(forEmailAddress emailAddress: String) async throws -> CKShare.Participant {
    try await result { startParticipant(CKUserIdentity.LookupInfo(emailAddress: emailAddress), $0) }
  }

  /// Looks up a person as a participant for a share. Fails like `CKFetchShareParticipantsOperation`.
  @discardableResult
  public func shareParticipant(forPhoneNumber phoneNumber: String) async throws -> CKShare.Participant {
    try await result { startParticipant(CKUserIdentity.LookupInfo(phoneNumber: phoneNumber), $0) }
  }

  /// Looks up a person as a participant for a share. Fails like `CKFetchShareParticipantsOperation`.
  @discardableResult
  public func shareParticipant(forUserRecordID userRecordID: CKRecord.ID) async throws -> CKShare.Participant {
    try await result { startParticipant(CKUserIdentity.LookupInfo(userRecordID: userRecordID), $0) }
  }

  /// Looks up a person as a participant for a share. Fails like `CKFetchShareParticipantsOperation`.
  @preconcurrency
  public func fetchShareParticipant(
    withEmailAddress emailAddress: String,
    completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
  ) {
    startParticipant(CKUserIdentity.LookupInfo(emailAddress: emailAddress), split(completionHandler))
  }

  /// Looks up a person as a participant for a share. Fails like `CKFetchShareParticipantsOperation`.
  @preconcurrency
  public func fetchShareParticipant(
    withPhoneNumber phoneNumber: String,
    completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
  ) {
    startParticipant(CKUserIdentity.LookupInfo(phoneNumber: phoneNumber), split(completionHandler))
  }

  /// Looks up a person as a participant for a share. Fails like `CKFetchShareParticipantsOperation`.
  @preconcurrency
  public func fetchShareParticipant(
    withUserRecordID userRecordID: CKRecord.ID,
    completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
  ) {
    startParticipant(CKUserIdentity.LookupInfo(userRecordID: userRecordID), split(completionHandler))
  }

  // MARK: Several people

  /// Looks up several people as participants for a share. Each has its own result.
  public func shareParticipants(
    forEmailAddresses emails: [String]
  ) async throws -> [String: Result<CKShare.Participant, any Error>] {
    try await result { startParticipants(emails, CKUserIdentity.LookupInfo.init(emailAddress:), $0) }
  }

  /// Looks up several people as participants for a share. Each has its own result.
  public func shareParticipants(
    forPhoneNumbers phoneNumbers: [String]
  ) async throws -> [String: Result<CKShare.Participant, any Error>] {
    try await result { startParticipants(phoneNumbers, CKUserIdentity.LookupInfo.init(phoneNumber:), $0) }
  }

  /// Looks up several people as participants for a share. Each has its own result.
  public func shareParticipants(
    forUserRecordIDs userRecordIDs: [CKRecord.ID]
  ) async throws -> [CKRecord.ID: Result<CKShare.Participant, any Error>] {
    try await result { startParticipants(userRecordIDs, CKUserIdentity.LookupInfo.init(userRecordID:), $0) }
  }

  /// Looks up several people as participants for a share. Each has its own result.
  @preconcurrency
  public func fetchShareParticipants(
    forEmailAddresses emails: [String],
    completionHandler: @escaping @Sendable (Result<[String: Result<CKShare.Participant, any Error>], any Error>) -> Void
  ) {
    startParticipants(emails, CKUserIdentity.LookupInfo.init(emailAddress:), completionHandler)
  }

  /// Looks up several people as participants for a share. Each has its own result.
  @preconcurrency
  public func fetchShareParticipants(
    forPhoneNumbers phoneNumbers: [String],
    completionHandler: @escaping @Sendable (Result<[String: Result<CKShare.Participant, any Error>], any Error>) -> Void
  ) {
    startParticipants(phoneNumbers, CKUserIdentity.LookupInfo.init(phoneNumber:), completionHandler)
  }

  /// Looks up several people as participants for a share. Each has its own result.
  @preconcurrency
  public func fetchShareParticipants(
    forUserRecordIDs userRecordIDs: [CKRecord.ID],
    completionHandler:
      @escaping @Sendable (Result<[CKRecord.ID: Result<CKShare.Participant, any Error>], any Error>) -> Void
  ) {
    startParticipants(userRecordIDs, CKUserIdentity.LookupInfo.init(userRecordID:), completionHandler)
  }

  // MARK: The core

  private func startParticipant(
    _ info: CKUserIdentity.LookupInfo, _ completion: @escaping Completion<CKShare.Participant>
  ) {
    startParticipants([info], \.self, { results in completion(results.flatMap { $0.result(of: info) }) })
  }

  private func startParticipants<Handle: Hashable & Sendable>(
    _ handles: [Handle], _ lookup: @escaping @Sendable (Handle) -> CKUserIdentity.LookupInfo,
    _ completion: @escaping Completion<Participants<Handle>>
  ) {
    let operation = CKFetchShareParticipantsOperation(userIdentityLookupInfos: handles.map(lookup))
    let results = CollectedResults<CKUserIdentity.LookupInfo, CKShare.Participant>()
    operation.perShareParticipantResultBlock = results.block
    operation.fetchShareParticipantsResultBlock = { outcome in
      completion(
        outcome.map {
          let found = results.values
          return Dictionary(handles.map { ($0, found.result(of: lookup($0))) }, uniquingKeysWith: { first, _ in first })
        })
    }
    begin(operation)
  }
}
