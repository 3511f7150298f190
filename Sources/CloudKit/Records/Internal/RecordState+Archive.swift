import Foundation

extension RecordState {
  /// The content of a record's archive. Values and pending changes are missing if only system fields were encoded.
  struct Archive: Codable {
    var recordType: String
    var recordID: CKRecordID.Archive
    var changeTag: String?
    var creationDate: Double?
    var creator: CKRecordID.Archive?
    var modificationDate: Double?
    var lastModifier: CKRecordID.Archive?
    var parent: CKReference.Archive?
    var share: CKReference.Archive?
    var shareState: ShareState.Archive?
    var values: [String: ClientValue.Archive]?
    var encryptedValues: [String: ClientValue.Archive]?
    var changedKeys: [String]?
    var changedEncryptedKeys: [String]?
    var isParentChanged: Bool?
    var isShareChanged: Bool?
    var serverValues: [String: ClientValue.Archive]?
    var serverEncryptedValues: [String: ClientValue.Archive]?
    var serverParent: CKReference.Archive?
    /// Also present if the archive has only system fields. Nil in archives of earlier versions; there a share with all
    /// fields counts as unedited.
    var serverShareState: ShareState.Archive?
  }

  func archive(systemFieldsOnly: Bool) -> Archive {
    var archive = Archive(
      recordType: recordType, recordID: recordID.archive, changeTag: changeTag,
      creationDate: creationDate?.timeIntervalSinceReferenceDate, creator: creator?.archive,
      modificationDate: modificationDate?.timeIntervalSinceReferenceDate, lastModifier: lastModifier?.archive,
      parent: parent?.archive, share: share?.archive, shareState: shareState?.archive,
      serverShareState: serverValues?.shareState?.archive)
    if systemFieldsOnly { return archive }
    archive.values = values.mapValues(\.archive)
    archive.encryptedValues = encryptedValues.mapValues(\.archive)
    archive.changedKeys = edits.keys.sorted()
    archive.changedEncryptedKeys = encryptedEdits.keys.sorted()
    archive.isParentChanged = isParentChanged
    archive.isShareChanged = isShareChanged
    archive.serverValues = serverValues?.values.mapValues(\.archive)
    archive.serverEncryptedValues = serverValues?.encryptedValues.mapValues(\.archive)
    archive.serverParent = serverValues?.parent?.archive
    return archive
  }

  /// Nil if the archive contains something that a record cannot hold.
  init?(archive: Archive) {
    guard ClientNameRules.problem(recordType: archive.recordType, isServerMade: true) == nil,
      let recordID = CKRecordID(archive: archive.recordID)
    else { return nil }
    self.init(recordType: archive.recordType, recordID: recordID)
    changeTag = archive.changeTag
    creationDate = archive.creationDate.map(Date.init(timeIntervalSinceReferenceDate:))
    modificationDate = archive.modificationDate.map(Date.init(timeIntervalSinceReferenceDate:))
    do {
      creator = try archive.creator.map(Self.checked(CKRecordID.init(archive:)))
      lastModifier = try archive.lastModifier.map(Self.checked(CKRecordID.init(archive:)))
      let parent = try archive.parent.map(Self.checked(CKReference.init(archive:)))
      let share = try archive.share.map(Self.checked(CKReference.init(archive:)))
      if archive.isParentChanged == true { setParent(parent) } else { self.parent = parent }
      if archive.isShareChanged == true { setShare(share) } else { self.share = share }
      shareState = try archive.shareState.map(Self.checked { ShareState(archive: $0, shareID: recordID) })
      let isShare = shareState != nil
      let values = try (archive.values ?? [:]).mapValues(Self.checked(ClientValue.init(archive:)))
      let encrypted = try (archive.encryptedValues ?? [:]).mapValues(Self.checked(ClientValue.init(archive:)))
      let changed = (archive.changedKeys ?? [], archive.changedEncryptedKeys ?? [])
      for key in [Array(values.keys), Array(encrypted.keys), changed.0, changed.1].joined() {
        if ClientNameRules.problem(fieldKey: key, ofShare: isShare) != nil { return nil }
      }
      self.values = values
      self.encryptedValues = encrypted
      for key in changed.0 { set(values[key], forKey: key) }
      for key in changed.1 { setEncrypted(encrypted[key], forKey: key) }
      if archive.serverValues != nil || archive.serverShareState != nil {
        serverValues = ServerValues(
          values: try (archive.serverValues ?? [:]).mapValues(Self.checked(ClientValue.init(archive:))),
          encryptedValues: try (archive.serverEncryptedValues ?? [:])
            .mapValues(Self.checked(ClientValue.init(archive:))),
          parent: try archive.serverParent.map(Self.checked(CKReference.init(archive:))),
          shareState: try (archive.serverShareState ?? archive.shareState)
            .map(Self.checked { ShareState(archive: $0, shareID: recordID) }))
      }
    } catch {
      return nil
    }
  }

  private struct Damaged: Error {}

  private static func checked<Archive, Value>(_ make: @escaping (Archive) -> Value?) -> (Archive) throws -> Value {
    { archive in
      guard let value = make(archive) else { throw Damaged() }
      return value
    }
  }
}
