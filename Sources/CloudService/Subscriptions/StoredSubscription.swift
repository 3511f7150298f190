import CloudModel
import CloudStore
import DeviceStore
import Platform
import Storage

/// A subscription as a database's folder holds it.
struct StoredSubscription {
  var subscription: Subscription
  /// Whose it is.
  var userRecordName: String
  /// Made anew with each change.
  var token: String
  var fileName: String

  var object: JSONObject {
    var object = subscription.object
    object["x-local"] = ["token": .string(token), "userRecordName": .string(userRecordName)]
    return object
  }

  init(_ subscription: Subscription, of account: Account, in scope: DatabaseScope, token: String) {
    self.subscription = subscription
    userRecordName = account.userRecordName
    self.token = token
    fileName = Self.fileName(subscription.id, of: account, in: scope)
  }

  /// Nil for what is no subscription.
  init?(_ object: JSONObject, fileName: String) {
    guard let subscription = Subscription(object), let token = object["x-local"]?["token"]?.string,
      let user = object["x-local"]?["userRecordName"]?.string
    else { return nil }
    self.subscription = subscription
    userRecordName = user
    self.token = token
    self.fileName = fileName
  }

  /// In the public database people keep theirs side by side.
  static func fileName(_ id: String, of account: Account, in scope: DatabaseScope) -> String {
    (scope == .public ? FileName.encodePair(account.name, id) : FileName.encode(id)) + SubscriptionFolder.suffix
  }
}

extension DatabaseFolder {
  /// All subscriptions of everybody; what can't be read is nobody's, and for `check` to tell of.
  func storedSubscriptions() throws -> [StoredSubscription] {
    guard let folder = try subscriptions() else { return [] }
    return try folder.names().compactMap { name in
      do { return try folder.read(name).flatMap { StoredSubscription($0, fileName: name) } } catch StorageError.damaged
      {
        return nil
      } catch let error as SystemError where error.isForeign {
        return nil
      }
    }
  }
}
