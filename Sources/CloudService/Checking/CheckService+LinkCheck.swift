import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Checks the files of share links.
extension CheckService {
  static let deadLink = "the link leads to no share"

  /// Finds link files that do not lead to a share with the file's GUID, or do not describe that share correctly.
  func checkLinks(_ container: ExactName) throws -> [Problem] {
    try cloud.containerEntries(container, "shares").compactMap { file in
      let path = cloud.path(of: ["shares", file], in: container)
      return try fault(path, otherwise: Self.deadLink) { try linkFault(file, container) }
    }
  }

  /// The fault of a link's file; nil if there is none.
  func linkFault(_ file: String, _ container: ExactName) throws -> String? {
    let read = { try self.cloud.containerFile(container, ["shares", file]) }
    return try lastingFault(read(), again: read) { try linkFault(file, $0, container) }
  }

  private func linkFault(_ file: String, _ bytes: [UInt8], _ container: ExactName) throws -> String? {
    let guid = String(file.dropLast(".json".count))
    guard file.hasSuffix(".json"),
      let link = try service.sharing.link(
        ShareDetails.urlPrefix + guid, Caller(account: nil, container: container.string)),
      let store = try cloud.zone(link.address.path)
    else { return Self.deadLink }
    return try store.read(waitPolicy(nil)) { view in
      guard let (record, _) = try link.target(in: view) else { return Self.deadLink }
      var address = link.address
      address.identifier.owner = try view.properties().owner
      let written = try JSONValue(parsing: service.sharing.shareFileContents(record, guid, address)).object ?? [:]
      let present = (try? JSONValue(parsing: bytes))?.object ?? [:]
      let other =
        written.first { key, value in !Self.says(present[key], value) }?.key
        ?? (written["rootRecordName"] == nil && present["rootRecordName"] != nil ? "rootRecordName" : nil)
      return other.map { "its \($0) is not that of the share that it leads to" }
    }
  }

  /// Whether the present value has all keys of the expected one; further keys are allowed.
  private static func says(_ present: JSONValue?, _ written: JSONValue) -> Bool {
    guard case .object(let written) = written else { return present == written }
    return written.allSatisfy { key, value in says(present?[key], value) }
  }
}
