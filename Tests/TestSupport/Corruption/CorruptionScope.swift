import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// The effects that a harmed file may have, according to the specification: the answers it explains, and the files that
/// an error about it may name.
struct CorruptionScope {
  let stage: CorruptionStage
  let harm: CorruptionHarm
  let otherBoot: Bool
  /// For a journal: the paths in frames that changed, and whether the frames are read.
  private let journal: (paths: Set<String>, isRead: Bool)
  /// Zones with journals that refer to the file. After a boot they apply those frames again.
  private let replaying: Set<String>
  /// The changed parts of a record's file; nil if the file is not JSON or has another record's name.
  private let changed: Set<CorruptionAllowance.Part>?

  private var file: CorruptionFile { harm.file }

  init(_ stage: CorruptionStage, _ harm: CorruptionHarm, otherBoot: Bool) {
    (self.stage, self.harm, self.otherBoot) = (stage, harm, otherBoot)
    let file = harm.file
    journal = file.kind == .journal ? Self.journal(stage, harm, otherBoot) : ([], false)
    replaying = Set(
      stage.files.filter { $0.kind == .journal && $0.name == "log" }.compactMap { place in
        let frames = CorruptionJournal(place.bytes(in: stage.image)).frames
        let paths = frames.map { $0.paths(zone: place.zoneFolder ?? "", container: place.container ?? "") }
        return paths.contains { $0.contains(file.text) } ? place.zone : nil
      })
    changed = file.kind == .record ? Self.changes(file, harm, stage) : nil
  }

  private static func journal(
    _ stage: CorruptionStage, _ harm: CorruptionHarm, _ otherBoot: Bool
  ) -> (paths: Set<String>, isRead: Bool) {
    guard let bytes = harm.bytes else { return ([], true) }
    let (old, new) = (CorruptionJournal(harm.file.bytes(in: stage.image)), CorruptionJournal(bytes))
    guard harm.file.name == "log", new.isRead(inPlaceOf: old, otherBoot: otherBoot) else { return ([], false) }
    var paths: Set<String> = []
    for frame in new.frames(otherThan: old) {
      paths.formUnion(frame.paths(zone: harm.file.zoneFolder ?? "", container: harm.file.container ?? ""))
    }
    return (paths, true)
  }

  // MARK: Records

  /// The changed parts of a record's file; nil if the file cannot be that record's.
  private static func changes(
    _ file: CorruptionFile, _ harm: CorruptionHarm, _ stage: CorruptionStage
  ) -> Set<CorruptionAllowance.Part>? {
    guard let bytes = harm.bytes, let new = (try? JSONValue(parsing: bytes))?.object,
      let old = (try? JSONValue(parsing: file.bytes(in: stage.image)))?.object,
      new["recordName"] == old["recordName"]
    else { return nil }
    var parts: Set<CorruptionAllowance.Part> = []
    func compare(_ key: String, _ part: CorruptionAllowance.Part) {
      if new[key] != old[key] { parts.insert(part) }
    }
    compare("recordType", .type)
    // If a share's type changes, its details are lost.
    if old["recordType"] == .string(Record.shareType) { compare("recordType", .shareDetails) }
    compare("recordChangeTag", .tag)
    compare("parent", .parent)
    compare("share", .share)
    compare("created", .stamps)
    compare("modified", .stamps)
    let (ours, theirs) = (new["fields"]?.object ?? [:], old["fields"]?.object ?? [:])
    for key in Set(ours.keys).union(theirs.keys) where ours[key] != theirs[key] {
      // The title of a share is a field, so its details may change too.
      parts.formUnion([.field(key), .encrypted(key), .shareDetails])
    }
    let known: Set<String> = [
      "recordName", "recordType", "recordChangeTag", "parent", "share", "created", "modified", "fields",
    ]
    for key in Set(new.keys).union(old.keys).subtracting(known) where new[key] != old[key] {
      // Other keys belong to shares, or keys depend on them.
      parts.formUnion([.shareDetails, .share, .other])
    }
    return parts
  }

  /// The path of a record's file in the cloud.
  func path(of name: ExactName, _ place: CorruptionTruth.Place) -> String {
    (stage.zoneFolders[place.folder] ?? "") + "/records/" + FileName.document(name.string)
  }

  /// The paths of the record, its ancestors, and their shares.
  private func chain(_ name: ExactName, _ place: CorruptionTruth.Place) -> Set<String> {
    let records = stage.truth.records.first { $0.place.folder == place.folder && $0.place.scope != .shared }?.records
    var result: Set<String> = []
    var next: ExactName? = name
    while let name = next, result.insert(path(of: name, place)).inserted {
      if let share = records?[name]?.share { result.insert(path(of: share, place)) }
      next = records?[name]?.parent
    }
    return result
  }

  // MARK: Answers

  /// The differences that the harm explains for a record. `lost`: the harmed record could not be read before repair;
  /// repair moves its file aside.
  func allowance(
    _ place: CorruptionTruth.Place, _ name: ExactName, _ entry: CorruptionTruth.Entry?, isRepaired: Bool, lost: Bool
  ) -> CorruptionAllowance {
    // Repair does not change the permissions of a file.
    let isRepaired = isRepaired && harm.mutation != .denied
    var result = CorruptionAllowance()
    let isInZone = file.zone == place.folder
    if isReplayHindered(place), !isRepaired { result.fails = true }
    switch file.kind {
    case .record where isInZone: record(&result, place, name, entry, isRepaired, lost)
    case .account: account(&result, place)
    // A zone's key that is valid JSON may refer to keys that were reset. Then nothing in the zone can be read.
    case .key where isInZone && isReadableKey && file.name == "zone.json":
      (result.fails, result.isGone) = (true, true)
    // A person that a share's key no longer names has lost the zone ([key-12]).
    case .key where isInZone && place.scope == .shared && isReadableKey && isShareKey:
      (result.fails, result.isGone) = (true, true)
    case .key where isInZone && entry?.encryptedFields.isEmpty == false:
      // A lost key cannot be restored.
      if isKey(of: name, place) { result.fails = true }
    case .keychain where file.path[1] == Account.defaultDevice(of: place.account):
      if entry?.encryptedFields.isEmpty == false { result.fails = true }
    case .zoneProperties where isInZone:
      if !isRepaired { result.fails = true }
      if changesScopeOfKeys, entry?.encryptedFields.isEmpty == false { result.fails = true }
    case .zoneLock where isInZone && CorruptionMutation.things.contains(harm.mutation) && harm.mutation != .sparse:
      if !isRepaired { result.fails = true }
    case .journal where journal.isRead:
      journal(&result, place, name, entry, isInZone, isRepaired)
    case .pointer where isPointer(of: place):
      if !isRepaired { (result.fails, result.isGone) = (true, true) }
    // After a boot the whole database has to be read, including its deletion marks.
    case .tombstone where harm.mutation == .denied && isInDatabase(of: place):
      if !isRepaired { result.fails = true }
    // The schema determines the read permissions of records in the public database.
    case .schema where place.scope == .public:
      if !isRepaired { result.fails = true }
    case .rootLock where otherBoot && CorruptionMutation.things.contains(harm.mutation):
      if !isRepaired { result.fails = true }
    case .zoneLog, .shareLog:
      // After a boot the journal has to be applied to the log first.
      if isInZone, otherBoot, !isRepaired { result.fails = true }
    default: break
    }
    return result
  }

  /// Whether the journal cannot be applied again after a boot: a folder has replaced the file, or the file cannot be
  /// opened.
  func isReplayHindered(_ place: CorruptionTruth.Place) -> Bool {
    otherBoot && (harm.mutation == .folder || harm.mutation == .denied) && replaying.contains(place.folder)
  }

  private func record(
    _ result: inout CorruptionAllowance, _ place: CorruptionTruth.Place, _ name: ExactName,
    _ entry: CorruptionTruth.Entry?,
    _ isRepaired: Bool, _ lost: Bool
  ) {
    let isIt = path(of: name, place) == file.text
    if isIt || place.scope == .shared && chain(name, place).contains(file.text) {
      // Repair moves the record aside or leaves it to people.
      result.fails = true
      result.isGone = harm.mutation == .remove || isRepaired && lost
      // A feed uses the sequence in the file.
      if let changed, changed.contains(.other) { result.isGone = true }
      if let changed, place.scope == .shared, !changed.isDisjoint(with: [.parent, .share, .shareDetails, .type]) {
        result.isGone = true
      }
      if isIt { result.parts = changed ?? [] }
    }
    guard isRepaired else { return }
    loosen(&result, place, entry) { $0 == file.text }
    // Repair announces its changes by new change tags.
    result.parts.insert(.tag)
    if isIt { result.parts.formUnion([.share, .parent]) }
  }

  /// Allows a record to lose its parent or share if repair moved that record aside.
  private func loosen(
    _ result: inout CorruptionAllowance, _ place: CorruptionTruth.Place, _ entry: CorruptionTruth.Entry?,
    from isTaken: (String) -> Bool
  ) {
    if let parent = entry?.parent, isTaken(path(of: parent, place)) { result.parts.formUnion([.parent, .tag]) }
    if let share = entry?.share, isTaken(path(of: share, place)) { result.parts.formUnion([.share, .tag]) }
  }

  private func account(_ result: inout CorruptionAllowance, _ place: CorruptionTruth.Place) {
    let owner = place.folder.split(separator: "/").dropFirst().first.map { $0 + ".json" }
    // A participant's access depends on both accounts.
    if file.name == "\(place.account).json" || place.scope == .shared && owner == file.name[...] {
      (result.fails, result.isGone) = (true, true)
      result.parts.insert(.stamps)
    }
    // Shares contain people's names and invitation addresses.
    result.parts.insert(.shareDetails)
  }

  private func isInDatabase(of place: CorruptionTruth.Place) -> Bool {
    file.text.contains("/" + place.folder.split(separator: "/").dropLast().joined(separator: "/") + "/")
  }

  private var isShareKey: Bool { file.path.dropLast().last == "shares" }

  private var isReadableKey: Bool {
    harm.bytes.map { (try? JSONValue(parsing: $0))?.object != nil } ?? false
  }

  private func isKey(of name: ExactName, _ place: CorruptionTruth.Place) -> Bool {
    switch file.path.dropLast().last {
    case "records": chain(name, place).contains { $0.hasSuffix("/records/" + file.name) }
    case "shares": place.scope == .shared
    default: true
    }
  }

  private var changesScopeOfKeys: Bool {
    func scope(_ bytes: [UInt8]) -> JSONValue? { (try? JSONValue(parsing: bytes))?["encryptionScope"] }
    return harm.bytes.map(scope) != .some(scope(file.bytes(in: stage.image)))
  }

  private func journal(
    _ result: inout CorruptionAllowance, _ place: CorruptionTruth.Place, _ name: ExactName,
    _ entry: CorruptionTruth.Entry?,
    _ isInZone: Bool, _ isRepaired: Bool
  ) {
    if isInZone, !isRepaired { result.fails = true }
    // A frame with a valid checksum counts as committed; a frame without one was never committed.
    let speaksOfIt =
      journal.paths.contains(path(of: name, place))
      || place.scope == .shared
        && (!journal.paths.isDisjoint(with: chain(name, place)) || journal.paths.contains { isPointer($0, of: place) })
    // The keys for encrypted values depend on the records above.
    if entry?.encryptedFields.isEmpty == false, !journal.paths.isDisjoint(with: chain(name, place)) {
      result.fails = true
    }
    if speaksOfIt { (result.fails, result.isGone, result.isOther) = (true, true, true) }
    guard isRepaired else { return }
    loosen(&result, place, entry) { journal.paths.contains($0) }
  }

  private func isPointer(of place: CorruptionTruth.Place) -> Bool { isPointer(file.text, of: place) }

  private func isPointer(_ path: String, of place: CorruptionTruth.Place) -> Bool {
    guard place.scope == .shared else { return false }
    let owner = place.folder.split(separator: "/")
    return path.hasSuffix("/shared/\(place.account)/zones/\(owner[1]),\(owner[2]).json")
  }

  // MARK: Errors

  /// Whether an error names the harmed file or, for a journal, a file that its frames refer to.
  func isNamed(by error: ServiceError) -> Bool {
    let text = (error.path ?? "") + "\n" + error.message
    if text.contains("/" + file.text) { return true }
    // An error about a persisted operation names its ID.
    if file.kind == .device, file.path.contains("operations") {
      return error.message.contains("operation " + file.name.prefix { $0 != "." && $0 != "-" })
    }
    // The damaged key or keychain is not known. The error names the value that cannot be decrypted.
    let isOfKeys = [.key, .keychain, .account].contains(file.kind) || journal.paths.contains { $0.contains("/keys/") }
    let isOfSealed = ["has an encrypted value, 'secret'", "The long-lived operation 00000000000000C1 can't be read"]
    if isOfKeys, isOfSealed.contains(where: { error.message.contains($0) }) { return true }
    return file.kind == .journal && journal.paths.contains { text.contains("/" + $0) }
  }

  /// Whether the harm may make a save of a new record in a zone fail.
  func mayFailToSave(_ place: CorruptionTruth.Place) -> Bool {
    if isReplayHindered(place) { return true }
    let isThing = CorruptionMutation.things.contains(harm.mutation)
    switch file.kind {
    case .record, .asset, .boot, .marker, .folderLock: return false
    case .tombstone: return harm.mutation == .denied && isInDatabase(of: place)
    // A save reads the subscriptions to determine the devices to notify.
    case .subscription: return isThing
    case .key, .keychain, .link, .pointer: return false
    // A push must not be lost only because its device can't be read at the moment, so the save fails.
    case .device: return harm.mutation == .denied && file.name == "device.json"
    case .account: return file.name == "\(place.account).json"
    case .schema: return true
    case .rootLock: return isThing
    case .databaseLog: return file.text.hasSuffix("private/\(place.account)/changes.jsonl")
    case .journal: return journal.isRead && (file.zone == place.folder || !journal.paths.isEmpty)
    case .zoneLock: return file.zone == place.folder && isThing
    case .shareLog: return file.zone == place.folder && otherBoot
    case .zoneProperties, .zoneLog, .index, .upload: return file.zone == place.folder
    }
  }

  /// Whether the harm may make a whole feed or query in this zone fail, not only single records.
  func mayFailToTell(_ place: CorruptionTruth.Place) -> Bool {
    switch file.kind {
    case .record, .zoneLog, .shareLog, .index: file.zone == place.folder
    case .schema: true
    // The device stores the tokens that it received.
    case .device: file.path.count > 1 && file.path[1] == Account.defaultDevice(of: place.account)
    default: allowance(place, ExactName(""), nil, isRepaired: false, lost: false).fails || isAccount(of: place)
    }
  }

  /// Whether a list of zones may lack this one: a shared zone with a harmed share or record, or a zone with harmed
  /// properties.
  func mayHide(_ place: CorruptionTruth.Place) -> Bool {
    allowance(place, ExactName(""), nil, isRepaired: false, lost: false).isGone
      || file.kind == .record && file.zone == place.folder && place.scope == .shared
      || file.kind == .zoneProperties && file.zone == place.folder
  }

  func mayFailToList(_ place: CorruptionTruth.Place) -> Bool {
    if file.kind == .folderLock { return CorruptionMutation.things.contains(harm.mutation) && isInDatabase(of: place) }
    if file.kind == .databaseLog {
      // Before a process opens a zone, it must add the zone's last commits to that log if they are missing there.
      return harm.mutation == .denied || file.text.hasSuffix("\(place.scope.name)/\(place.account)/changes.jsonl")
    }
    if file.kind == .tombstone {
      return file.text.contains("\(place.scope.name)/\(place.account)/") || mayFailToTell(place)
    }
    // One zone that can't be read makes the whole list fail.
    return mayFailToTell(place)
      || stage.truth.records.contains { other, _ in
        other.account == place.account && other.scope == place.scope && mayFailToTell(other)
      }
  }

  /// Whether a journal that is read has a broken frame, followed by a whole frame of its generation ([journal-5]).
  var isDamagedJournal: Bool {
    guard journal.isRead, let bytes = harm.bytes, file.name == "log" else { return false }
    return CorruptionJournal(bytes).isDamaged(otherBoot: otherBoot)
  }

  private func isAccount(of place: CorruptionTruth.Place) -> Bool {
    file.kind == .account
      && (file.name == "\(place.account).json" || place.folder.contains("/\(file.name.dropLast(".json".count))/"))
  }
}
