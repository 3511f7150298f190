import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Tokens that let a web page act for the user of an app.
extension AccountService {
  private static let key = "webAuthTokens"

  /// Returns the caller's token for this container and environment. The first request creates it.
  ///
  /// - Assumption: every API token that is not empty is accepted; a missing or empty one is `invalidArguments`.
  /// - Difference: a token never expires and can be used any number of times. It is deleted with its account.
  package func webAuthToken(apiToken: String?, by caller: Caller) throws(ServiceError) -> String {
    try perform(.webAuthToken, by: caller) {
      let account = try account(of: caller)
      guard let apiToken, !apiToken.isEmpty else { throw ServiceError.invalid("An API token is needed") }
      return try cloud.withFolder(Account.folder, waitPolicy(caller)) { folder in
        let file = Account.file(of: account.name)
        guard var object = try folder.read(file) else { throw ServiceError.unknownAccount(account.name) }
        if let known = Self.token(in: object, caller) { return known }
        let token = OpaqueToken.base64(settings.identifiers(32))
        var tokens = object[Self.key]?.object ?? [:]
        var byEnvironment = tokens[caller.container]?.object ?? [:]
        byEnvironment[caller.environment.rawValue] = .string(token)
        tokens[caller.container] = .object(byEnvironment)
        object[Self.key] = .object(tokens)
        try folder.write(object, file)
        return token
      }
    }
  }

  /// Returns the account of a token, for the container and environment that `caller` names; nil if it is no account's
  /// token. Throws if the account may not be used.
  package func account(forWebAuthToken token: String, by caller: Caller) throws(ServiceError) -> Account? {
    try perform(.webAuthToken, by: caller) {
      try NameRules.check(container: caller.container)
      let folder = try cloud.folder(Account.folder)
      let owner = try service.accountFiles.first { account in
        try folder.read(Account.file(of: account.name)).flatMap { Self.token(in: $0, caller) } == token
      }
      guard let owner else { return nil }
      return try signedIn(
        Caller(account: owner.name, container: caller.container, environment: caller.environment))
    }
  }

  private static func token(in account: JSONObject, _ caller: Caller) -> String? {
    account[key]?[caller.container]?[caller.environment.rawValue]?.string
  }
}
