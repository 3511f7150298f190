import CloudKit
import CoreData
import CoreLocation

/// The text that the program prints for a post.
struct PostText {
  let sharingProvider: any SharingProvider

  func lines(of post: Post) -> [String] {
    var lines = [post.title ?? "untitled"]
    let mayEdit = sharingProvider.canEdit(object: post)
    lines.append("  editable: \(mayEdit ? "yes" : "no")")
    if let content = post.content { lines.append("  content: \(content)") }
    if let location = post.location as? CLLocation {
      lines.append("  location: \(location.coordinate.latitude), \(location.coordinate.longitude)")
    }
    let tags = (post.tags?.allObjects ?? []).compactMap { ($0 as? Tag)?.name }.sorted()
    if !tags.isEmpty { lines.append("  tags: \(tags.joined(separator: ", "))") }
    let attachments = (post.attachments?.allObjects ?? []).compactMap { $0 as? Attachment }
      .map { "\($0.name ?? "image"), \($0.imageData?.data?.count ?? 0) bytes" }
    lines += attachments.sorted().map { "  attachment: \($0)" }
    lines += sharingProvider.participants(for: post).map { "  \($0.text)" }
    return lines
  }
}

extension RenderableShareParticipant {
  var name: String {
    let components = renderableUserIdentity.nameComponents
    let name = [components?.givenName, components?.familyName].compactMap { $0 }.joined(separator: " ")
    guard name.isEmpty else { return name }
    let lookupInfo = renderableUserIdentity.lookupInfo
    return lookupInfo?.emailAddress ?? lookupInfo?.phoneNumber ?? "somebody"
  }

  var text: String { "\(name): \(role.text), \(acceptanceStatus.text), \(permission.text)" }
}

extension CKShare.ParticipantRole {
  fileprivate var text: String {
    switch self {
    case .owner: "owner"
    case .privateUser: "invited"
    case .publicUser: "by link"
    default: "unknown role"
    }
  }
}

extension CKShare.ParticipantAcceptanceStatus {
  fileprivate var text: String {
    switch self {
    case .accepted: "accepted"
    case .pending: "pending"
    case .removed: "removed"
    default: "unknown status"
    }
  }
}

extension CKShare.ParticipantPermission {
  fileprivate var text: String {
    switch self {
    case .readOnly: "may read"
    case .readWrite: "may read and write"
    case .none: "no access"
    default: "unknown permission"
    }
  }
}
