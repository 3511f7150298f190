import LocalCloudStorage

/// The user and the environment that a store is mirrored for: the row `account` of the table `state`.
///
/// The row lacks the values that are nil: all of them after the user signed out, and the user of a public database that
/// no account has used yet.
package struct MirroredAccount: Sendable, Equatable {
  /// The user record name.
  package var user: String?
  /// The creation time of the cloud. It identifies the cloud.
  package var cloud: JSONValue?
  package var container: String?
  package var environment: String?
  /// Whether the data of another user is being removed from the store. If this is interrupted, the next setup continues.
  package var isLeaving: Bool

  package init(
    user: String? = nil, cloud: JSONValue? = nil, container: String? = nil, environment: String? = nil,
    isLeaving: Bool = false
  ) {
    (self.user, self.cloud, self.container, self.environment) = (user, cloud, container, environment)
    self.isLeaving = isLeaving
  }

  package init?(_ row: MirrorRow?) {
    guard let values = row?.values else { return nil }
    self.init(
      user: values["user"]?.string, cloud: values["cloud"], container: values["container"]?.string,
      environment: values["environment"]?.string, isLeaving: values["isLeaving"] != nil)
  }

  package var values: JSONObject {
    var values: JSONObject = [:]
    values["user"] = user.map(JSONValue.string)
    values["cloud"] = cloud
    values["container"] = container.map(JSONValue.string)
    values["environment"] = environment.map(JSONValue.string)
    if isLeaving { values["isLeaving"] = true }
    return values
  }

  /// Whether both name the same cloud, container and environment.
  package func hasEnvironment(of other: MirroredAccount) -> Bool {
    (cloud, container, environment) == (other.cloud, other.container, other.environment)
  }

  /// Whether the stored cloud, container or environment is another one than that of `present`. Values that the store
  /// lacks do not count.
  package func isOfOtherEnvironment(than present: MirroredAccount) -> Bool {
    isOfOtherCloud(than: present) || (container != nil && container != present.container)
      || (environment != nil && environment != present.environment)
  }

  /// Whether the stored cloud is another one than that of `present`.
  package func isOfOtherCloud(than present: MirroredAccount) -> Bool { cloud != nil && cloud != present.cloud }
}
