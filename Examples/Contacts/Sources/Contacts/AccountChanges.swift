import CloudKit

/// The part of an app that follows the iCloud account of the device.
extension ContactStore {
  /// Reports the account's status and its contacts, at once and after each change. Ends after `count` changes.
  func followAccount(_ count: Int, _ say: (String) -> Void) async throws {
    let (changes, arrived) = AsyncStream<Void>.makeStream()
    let observer = NotificationCenter.default.addObserver(forName: .CKAccountChanged, object: nil, queue: nil) { _ in
      arrived.yield()
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    say(try await account())
    var iterator = changes.makeAsyncIterator()
    for _ in 0..<count {
      await iterator.next()
      say(try await account())
    }
  }

  private func account() async throws -> String {
    switch try await container.accountStatus() {
    case .available:
      let names = try await privateContacts().compactMap { $0["name"] as? String }
      return "signed in: \(names.joined(separator: ", "))"
    case .noAccount: return "signed out"
    case .restricted: return "restricted"
    case .temporarilyUnavailable: return "not ready"
    default: return "unknown"
    }
  }
}
