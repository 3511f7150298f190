import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// A subscription in the form of its file.
struct StoredSubscription {
  var subscription: Subscription
  /// The user record name of its owner.
  var userRecordName: String
  /// New with each change.
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

  /// Nil if `object` is not a valid subscription.
  init?(_ object: JSONObject, fileName: String) {
    guard let subscription = Subscription(object), let token = object["x-local"]?["token"]?.string,
      let user = object["x-local"]?["userRecordName"]?.string
    else { return nil }
    self.subscription = subscription
    userRecordName = user
    self.token = token
    self.fileName = fileName
  }

  /// The name of its file. In the public database, the subscriptions of all users share a folder, so the account is
  /// part of the name.
  static func fileName(_ id: String, of account: Account, in scope: DatabaseScope) -> String {
    (scope == .public ? FileName.encodePair(account.name, id) : FileName.encode(id)) + SubscriptionFolder.suffix
  }
}

extension DatabaseFolder {
  /// All valid subscriptions of all users. Leaves out damaged ones: a check reports them.
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
