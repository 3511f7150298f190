import LocalCloudModel
import LocalCloudStore

/// Verification that an address or number belongs to the caller ([account-address-1]).
extension AccountService {
  /// Adds an address or number to the caller's account: invitations to it then belong to the caller. With a share's
  /// link, accepts only an address that a participant was invited by.
  ///
  /// - Difference: no message is sent to the address; the caller's claim is accepted, unless the address belongs to
  ///   another account.
  ///
  /// - Returns: the caller's account, with the address.
  /// - Throws: `invalidArguments` for a user record name, or an invalid address; `unknownItem` if the link leads to no
  ///   share, or no participant was invited by the address; `serverRejectedRequest` if the address belongs to another
  ///   account.
  package func verify(_ handle: LookupInfo, url: String? = nil, by caller: Caller) throws(ServiceError) -> Account {
    try perform(.verifyHandle, by: caller) {
      let account = try account(of: caller)
      let handle = try normalized(handle)
      if case .userRecordName = handle { throw ServiceError.invalid("A user record name needs no proof") }
      if let url { try requireInvitation(by: handle, url, caller) }
      if account.answers(to: handle) { return account }
      return try changeAccount(account.name) { account in
        switch handle {
        case .email(let email): account.emails.append(email)
        case .phone(let phone): account.phones.append(phone)
        case .userRecordName: break
        }
      }
    }
  }

  private func requireInvitation(by handle: LookupInfo, _ url: String, _ caller: Caller) throws {
    guard let (link, store) = try service.sharing.resolve(url, caller),
      let (_, details) = try store.read(waitPolicy(caller), { try link.target(in: $0) })
    else { throw ServiceError.shareNotFound }
    guard details.participants.contains(where: { $0.identity.lookup == handle }) else {
      throw ServiceError(
        .unknownItem, "Nobody was invited to this share by \(handle.text)", internalCode: 2003,
        hint: "Its owner sees with `localcloud share show` by which addresses people were invited.")
    }
  }
}

extension LookupInfo {
  /// The address, the number or the name.
  package var text: String {
    switch self {
    case .email(let text), .phone(let text), .userRecordName(let text): text
    }
  }
}
