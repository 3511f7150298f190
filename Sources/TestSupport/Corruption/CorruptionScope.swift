import CloudModel
import CloudService
import CloudStore
import Storage

/// What depends on the harmed file, by the specification: which answers it explains, and which files an error about it
/// may name.
struct CorruptionScope {
  let stage: CorruptionStage
  let harm: CorruptionHarm
  let otherBoot: Bool
  /// Of a journal: what its frames speak of that are not what they were; nil if nobody looks at them.
  private let journal: (paths: Set<String>, isRead: Bool)
  /// Zones whose journals speak of the file: a boot makes them apply it again.
  private let replaying: Set<String>
  /// Of a record's file that is JSON and bears the record's name.
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

  /// What is not as it was in a record's file; nil where that can't be any record's under its name.
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
    // What a share says of people is another record's own affair.
    if old["recordType"] == .string(Record.shareType) { compare("recordType", .shareDetails) }
    compare("recordChangeTag", .tag)
    compare("parent", .parent)
    compare("share", .share)
    compare("created", .stamps)
    compare("modified", .stamps)
    let (ours, theirs) = (new["fields"]?.object ?? [:], old["fields"]?.object ?? [:])
    for key in Set(ours.keys).union(theirs.keys) where ours[key] != theirs[key] {
      // A share's say what it is called.
      parts.formUnion([.field(key), .encrypted(key), .shareDetails])
    }
    let known: Set<String> = [
      "recordName", "recordType", "recordChangeTag", "parent", "share", "created", "modified", "fields",
    ]
    for key in Set(new.keys).union(old.keys).subtracting(known) where new[key] != old[key] {
      // A share's own, and what keys hang on.
      parts.formUnion([.shareDetails, .share, .other])
    }
    return parts
  }

  /// A record's file, as a path in the cloud.
  func path(of name: ExactName, _ place: CorruptionTruth.Place) -> String {
    (stage.zoneFolders[place.folder] ?? "") + "/records/" + FileName.document(name.string)
  }

  /// The record, what it is below, and the share that shows it to others.
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

  /// `lost`: the harmed record could not be read before repair, which takes such a file away.
  func allowance(
    _ place: CorruptionTruth.Place, _ name: ExactName, _ entry: CorruptionTruth.Entry?, isRepaired: Bool, lost: Bool
  ) -> CorruptionAllowance {
    // Who may read a file is a person's to say; repair leaves it as it is.
    let isRepaired = isRepaired && harm.mutation != .denied
    var result = CorruptionAllowance()
    let isInZone = file.zone == place.folder
    if isReplayHindered(place), !isRepaired { result.fails = true }
    switch file.kind {
    case .record where isInZone: record(&result, place, name, entry, isRepaired, lost)
    case .account: account(&result, place)
    // A zone's key that is JSON may say that it is for keys that were reset; then nothing of the zone can be had.
    case .key where isInZone && isReadableKey && file.name == "zone.json":
      (result.fails, result.isGone) = (true, true)
    // Whom a share's key does not name any more has lost the zone ([key-12]).
    case .key where isInZone && place.scope == .shared && isReadableKey && isShareKey:
      (result.fails, result.isGone) = (true, true)
    case .key where isInZone && entry?.encryptedFields.isEmpty == false:
      // Nobody can make a key anew.
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
    // After a boot the database has to be looked through, its marks, too.
    case .tombstone where harm.mutation == .denied && isInDatabase(of: place):
      if !isRepaired { result.fails = true }
    // Who may read what of the public database, the schema says.
    case .schema where place.scope == .public:
      if !isRepaired { result.fails = true }
    case .rootLock where otherBoot && CorruptionMutation.things.contains(harm.mutation):
      if !isRepaired { result.fails = true }
    case .zoneLog, .shareLog:
      // Where a boot came between, the journal has to be applied to the log first.
      if isInZone, otherBoot, !isRepaired { result.fails = true }
    default: break
    }
    return result
  }

  /// After a boot the journal can't put its file where a folder is, or write to one that it may not open.
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
      // Repair takes it away, or leaves it to people.
      result.fails = true
      result.isGone = harm.mutation == .remove || isRepaired && lost
      // A feed goes by the sequence in the file.
      if let changed, changed.contains(.other) { result.isGone = true }
      if let changed, place.scope == .shared, !changed.isDisjoint(with: [.parent, .share, .shareDetails, .type]) {
        result.isGone = true
      }
      if isIt { result.parts = changed ?? [] }
    }
    guard isRepaired else { return }
    loosen(&result, place, entry) { $0 == file.text }
    // What repair tells of is a change.
    result.parts.insert(.tag)
    if isIt { result.parts.formUnion([.share, .parent]) }
  }

  /// Who was below a record that repair took away, or its root, is so no more.
  private func loosen(
    _ result: inout CorruptionAllowance, _ place: CorruptionTruth.Place, _ entry: CorruptionTruth.Entry?,
    from isTaken: (String) -> Bool
  ) {
    if let parent = entry?.parent, isTaken(path(of: parent, place)) { result.parts.formUnion([.parent, .tag]) }
    if let share = entry?.share, isTaken(path(of: share, place)) { result.parts.formUnion([.share, .tag]) }
  }

  private func account(_ result: inout CorruptionAllowance, _ place: CorruptionTruth.Place) {
    let owner = place.folder.split(separator: "/").dropFirst().first.map { $0 + ".json" }
    // A guest's rights hang on both accounts.
    if file.name == "\(place.account).json" || place.scope == .shared && owner == file.name[...] {
      (result.fails, result.isGone) = (true, true)
      result.parts.insert(.stamps)
    }
    // What people are called, and by which address they were asked.
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
    // What bears a right checksum was committed, for all that anybody can tell; and what does not, never was.
    let speaksOfIt =
      journal.paths.contains(path(of: name, place))
      || place.scope == .shared
        && (!journal.paths.isDisjoint(with: chain(name, place)) || journal.paths.contains { isPointer($0, of: place) })
    // What opens its encrypted values hangs on what is above it.
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

  /// Whether an error names the harmed file: or, of a journal, one that its frames speak of.
  func isNamed(by error: ServiceError) -> Bool {
    let text = (error.path ?? "") + "\n" + error.message
    if text.contains("/" + file.text) { return true }
    // A kept operation is known by its ID.
    if file.kind == .device, file.path.contains("operations") {
      return error.message.contains("operation " + file.name.prefix { $0 != "." && $0 != "-" })
    }
    // Which of the keys is at fault, on which device, nobody can tell; the error names what they do not open.
    let isOfKeys = [.key, .keychain, .account].contains(file.kind) || journal.paths.contains { $0.contains("/keys/") }
    if isOfKeys, error.message.contains("has an encrypted value, 'secret'") {
      return true
    }
    return file.kind == .journal && journal.paths.contains { text.contains("/" + $0) }
  }

  /// Whether a save of a new record in a zone may fail by it.
  func mayFailToSave(_ place: CorruptionTruth.Place) -> Bool {
    if isReplayHindered(place) { return true }
    let isThing = CorruptionMutation.things.contains(harm.mutation)
    switch file.kind {
    case .record, .asset, .boot, .marker, .folderLock: return false
    case .tombstone: return harm.mutation == .denied && isInDatabase(of: place)
    // Who saves has to know who is to be told.
    case .subscription: return isThing
    case .key, .keychain, .link, .pointer: return false
    // A push that nobody hears of must not be lost only because its device may not be read just now.
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

  /// Whether a feed or a query in this zone may fail by it, but for what fails of its records alone.
  func mayFailToTell(_ place: CorruptionTruth.Place) -> Bool {
    switch file.kind {
    case .record, .zoneLog, .shareLog, .index: file.zone == place.folder
    case .schema: true
    // Which tokens a device was given is kept there.
    case .device: file.path.count > 1 && file.path[1] == Account.defaultDevice(of: place.account)
    default: allowance(place, ExactName(""), nil, isRepaired: false, lost: false).fails || isAccount(of: place)
    }
  }

  /// Whether a list of zones may lack this one: of a guest who lost what it stands on.
  func mayHide(_ place: CorruptionTruth.Place) -> Bool {
    allowance(place, ExactName(""), nil, isRepaired: false, lost: false).isGone
      || file.kind == .record && file.zone == place.folder && place.scope == .shared
      || file.kind == .zoneProperties && file.zone == place.folder
  }

  func mayFailToList(_ place: CorruptionTruth.Place) -> Bool {
    if file.kind == .folderLock { return CorruptionMutation.things.contains(harm.mutation) && isInDatabase(of: place) }
    if file.kind == .databaseLog {
      // Whoever comes to a zone whose last commits could not be mentioned there has to mention them.
      return harm.mutation == .denied || file.text.hasSuffix("\(place.scope.name)/\(place.account)/changes.jsonl")
    }
    if file.kind == .tombstone {
      return file.text.contains("\(place.scope.name)/\(place.account)/") || mayFailToTell(place)
    }
    // One zone that can't be read makes the list one that nobody can tell.
    return mayFailToTell(place)
      || stage.truth.records.contains { other, _ in
        other.account == place.account && other.scope == place.scope && mayFailToTell(other)
      }
  }

  /// Whether a journal that somebody reads has a broken frame with a whole one of its generation behind ([journal-5]).
  var isDamagedJournal: Bool {
    guard journal.isRead, let bytes = harm.bytes, file.name == "log" else { return false }
    return CorruptionJournal(bytes).isDamaged(otherBoot: otherBoot)
  }

  private func isAccount(of place: CorruptionTruth.Place) -> Bool {
    file.kind == .account
      && (file.name == "\(place.account).json" || place.folder.contains("/\(file.name.dropLast(".json".count))/"))
  }
}
