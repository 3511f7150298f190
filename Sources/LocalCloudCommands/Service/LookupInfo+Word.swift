import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService

extension LookupInfo {
  /// Parses an e-mail address, a phone number, a user record name, or the name of an account.
  init(_ text: String, in service: CloudService) throws(ServiceError) {
    if text.contains("@") {
      self = .email(text)
    } else if text.hasPrefix("_") {
      self = .userRecordName(text)
    } else if let first = text.utf8.first, "+0123456789(".utf8.contains(first) {
      self = .phone(text)
    } else {
      self = .userRecordName(try service.accounts.account(text).userRecordName)
    }
  }
}

extension CloudService {
  /// The user record name of a person, named in one of the forms that ``LookupInfo`` parses.
  func userRecordName(of who: String, by session: Session) throws -> String {
    let lookup = try LookupInfo(who, in: self)
    if case .userRecordName(let name) = lookup { return name }
    let participant = try sharing.participants(for: [lookup], by: session.caller)[0].get()
    guard let name = participant.identity.userRecordName else {
      throw CommandFailure.notFound("no account has the address \(who)", hint: "\"account list\" shows all addresses")
    }
    return name
  }
}
