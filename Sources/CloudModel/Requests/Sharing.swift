package struct ShareMetadataRequest: Sendable {
  /// A share URL, with or without its cosmetic fragment.
  package var url: String
  package var fetchesRootRecord: Bool
  package var rootDesiredKeys: [String]?
  package var withAssets: Bool

  package init(
    url: String, fetchesRootRecord: Bool = false, rootDesiredKeys: [String]? = nil, withAssets: Bool = false
  ) {
    self.withAssets = withAssets
    self.url = url
    self.fetchesRootRecord = fetchesRootRecord
    self.rootDesiredKeys = rootDesiredKeys
  }
}

package struct ShareMetadata: Sendable {
  package var container: String
  package var environment: CloudEnvironment
  package var url: String
  /// The link to accept by instead of the share's own, if it is one that admits only one person.
  package var link: String?
  package var share: Record
  /// Nil for a zone-wide share.
  package var root: RecordIdentifier?
  package var rootRecord: Record?
  package var owner: UserIdentity
  /// The caller's acceptance status.
  package var status: AcceptanceStatus
  package var permission: SharePermission
  package var role: ParticipantRole

  package init(
    container: String, environment: CloudEnvironment, url: String, link: String? = nil, share: Record,
    root: RecordIdentifier? = nil, rootRecord: Record? = nil, owner: UserIdentity, status: AcceptanceStatus,
    permission: SharePermission, role: ParticipantRole
  ) {
    self.container = container
    self.environment = environment
    self.url = url
    self.link = link
    self.share = share
    self.root = root
    self.rootRecord = rootRecord
    self.owner = owner
    self.status = status
    self.permission = permission
    self.role = role
  }
}
