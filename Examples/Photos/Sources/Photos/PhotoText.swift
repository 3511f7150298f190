import CloudKit
import CoreData

/// The text that the program prints. To be made on the context's queue.
extension PhotoLibrary {
  /// A line of the list: a rated photo has stars, a shared one has its share's title.
  func row(of photo: Photo) -> String {
    var parts = [photo.title ?? "untitled"]
    if let stars = stars(of: photo) { parts.append(stars) }
    parts += tagNames(of: photo).map { "#\($0)" }
    if let share = share(of: photo) { parts.append("(\(titleText(share)))") }
    return parts.joined(separator: "  ")
  }

  func lines(of photo: Photo) -> [String] {
    var lines = [photo.title ?? "untitled", "  name: \(photo.uniqueName ?? "none")"]
    lines.append("  file: \(photo.photoData?.data?.count ?? 0) bytes")
    if let picture = photo.thumbnail?.data.flatMap({ Picture($0) }) {
      lines.append("  thumbnail: \(picture.width) x \(picture.height)")
    }
    if let stars = stars(of: photo) { lines.append("  rating: \(stars) of \(photo.ratings?.count ?? 0)") }
    let tags = tagNames(of: photo)
    if !tags.isEmpty { lines.append("  tags: \(tags.joined(separator: ", "))") }
    if let share = share(of: photo) { lines.append("  share: \(titleText(share))") }
    let mayEdit = container.canUpdateRecord(forManagedObjectWith: photo.objectID)
    lines.append("  editable: \(mayEdit ? "yes" : "no")")
    return lines
  }

  /// A tag with the number of its photos. The store counts them.
  func row(of tag: Tag) -> String {
    var parts = ["\(tag.name ?? "unnamed"): \(tag.photoCount)"]
    if let share = try? container.fetchShares(matching: [tag.objectID])[tag.objectID] {
      parts.append("(\(titleText(share)))")
    }
    if tag.deduplicatedDate != nil { parts.append("merged, to be removed") }
    return parts.joined(separator: "  ")
  }

  func lines(of share: CKShare, in store: NSPersistentStore) throws -> [String] {
    let titles = try photos(of: share, in: store).map { $0.title ?? "untitled" }
    let owner = store == privateStore ? "yours" : "by \(share.owner.name)"
    let link = share.url.map { "  \($0.absoluteString)" } ?? ""
    return ["\(titleText(share))  \(owner)\(link)", "  photos: \(titles.joined(separator: ", "))"]
      + people(of: share).map { "  \($0)" }
  }

  func people(of share: CKShare) -> [String] {
    let open = share.publicPermission == .none ? [] : ["whoever has the link: \(share.publicPermission.text)"]
    return share.participants.map {
      "\($0.name): \($0.role.text), \($0.acceptanceStatus.text), \($0.permission.text)"
    } + open
  }

  func text(of report: HistoryReport) -> String {
    let changes = report.changes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    let merged = report.merged.isEmpty ? "" : "; merged: \(report.merged.joined(separator: ", "))"
    let start = report.isContinued ? "" : ", from the start"
    let transactions = report.transactions == 1 ? "1 transaction" : "\(report.transactions) transactions"
    return "\(report.store): \(transactions)\(start): \(changes)\(merged)"
  }

  private func tagNames(of photo: Photo) -> [String] {
    (photo.tags?.allObjects ?? []).compactMap { ($0 as? Tag)?.name }.sorted()
  }

  private func share(of photo: Photo) -> CKShare? {
    try? container.fetchShares(matching: [photo.objectID])[photo.objectID]
  }

  private func stars(of photo: Photo) -> String? {
    let values = (photo.ratings?.allObjects ?? []).compactMap { ($0 as? Rating).map { Double($0.value) } }
    guard !values.isEmpty else { return nil }
    // To a tenth, without a language's own comma.
    let average = values.reduce(0, +) / Double(values.count)
    return "★ \((average * 10).rounded() / 10)"
  }
}

extension CKShare.Participant {
  var name: String {
    let components = userIdentity.nameComponents
    let name = [components?.givenName, components?.familyName].compactMap { $0 }.joined(separator: " ")
    guard name.isEmpty else { return name }
    return userIdentity.lookupInfo?.emailAddress ?? userIdentity.lookupInfo?.phoneNumber ?? "somebody"
  }
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
