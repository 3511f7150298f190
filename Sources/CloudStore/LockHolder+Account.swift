import LocalCloudPlatform
import LocalCloudStorage

/// The users of a cloud's locks are accounts.
extension LockHolder {
  private static let key = "account"

  package var account: String? { user.flatMap { $0.key == Self.key ? $0.name : nil } }

  package static func user(of account: String?) -> User? { account.map { User(key: key, name: $0) } }

  package init(account: String?, command: String, process: Int32 = HostProcess.identifier, since: String = "") {
    self.init(user: Self.user(of: account), command: command, process: process, since: since)
  }
}

extension LockWaitPolicy {
  package init(
    seconds: Double = 30, account: String?, command: String = HostProcess.programName,
    notice: (@Sendable (String) -> Void)? = nil
  ) {
    self.init(seconds: seconds, user: LockHolder.user(of: account), command: command, notice: notice)
  }
}
