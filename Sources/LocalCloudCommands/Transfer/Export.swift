import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStore

/// One export in progress. It exports one zone after another, page by page.
struct Export {
  private let context: CommandContext
  private let form: PortableForm
  private let target: ExportTarget
  private let assets: ExportedAssets
  /// The type of the records to export; nil exports all.
  private let type: String?
  private let start = monotonicNanoseconds()
  private var records = 0
  /// Records that exist but can't be read.
  private var failures: [(name: String, error: ServiceError)] = []
  private var failureCount = 0
  /// The number of other users' user records. They are left out, because no import can create another user's user
  /// record.
  private var users = 0

  init(
    _ context: CommandContext, _ form: PortableForm, _ target: ExportTarget, _ assets: ExportedAssets, type: String?
  ) {
    self.context = context
    self.form = form
    self.target = target
    self.assets = assets
    self.type = type
  }

  mutating func add(_ source: ZoneTarget) throws {
    if source.scope == .private, source.zone.name != ZoneIdentifier.defaultName {
      let zone = try source.service.zones.list([source.zone], in: source.scope, by: source.caller)[0].get()
      try target.add(zone: form.object(of: zone))
    }
    var request = ListRecordsRequest(
      scope: source.scope, zone: source.zone, type: type, withAssets: true)
    repeat {
      let page = try source.service.records.listRecords(request, by: source.caller)
      for record in page.records { try add(record) }
      failureCount += page.failed.count
      for failure in page.failed where failures.count < 1000 {
        failures.append((failure.record.name.string, failure.error))
      }
      request.after = page.next
      if monotonicNanoseconds() - start > 500_000_000 {
        context.output.progress("exporting: \(records.counted("record")), zone \(source.zone.name)")
      }
    } while request.after != nil
  }

  private mutating func add(_ record: Record) throws {
    if record.type == Record.userType {
      // Every user has a user record. It is empty by default.
      if record.fields.isEmpty, record.encryptedFields.isEmpty { return }
      guard record.id.name.string == form.own else {
        users += 1
        return
      }
    }
    do {
      try target.add(record: form.object(of: record, assets.write(record)))
      records += 1
    } catch let error as ServiceError {
      failureCount += 1
      failures.append((record.id.name.string, error))
    }
  }

  /// - Parameter leavesAssetsOut: whether the user wants no bytes of assets.
  func writeResult(_ path: String?, leavesAssetsOut: Bool) throws {
    let count = records.counted("record")
    if let path {
      try context.writeUnlessQuiet(
        ["assets": .integer(Int64(assets.written)), "path": .string(path), "records": .integer(Int64(records))],
        text: "exported \(count, .bold) to \(path)")
    } else {
      context.output.notice("exported \(count)")
    }
    if users > 0 {
      context.output.notice("left out what other people keep in \(users.counted("user record"))")
    }
    if let failure = CommandFailure(failures, of: max(records + failureCount, 2), "records") { throw failure }
    if assets.leftOut > 0, !leavesAssetsOut {
      throw CommandFailure(
        .failure, code: "leftOut", "the bytes of \(assets.leftOut.counted("asset")) are left out",
        hint: "--assets DIR says where they go, or name a file; --no-assets leaves them out")
    }
  }
}
