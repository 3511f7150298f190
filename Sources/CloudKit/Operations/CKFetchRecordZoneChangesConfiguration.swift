import Foundation
import Synchronization

// NOTE: Apple's name is CKFetchRecordZoneChangesOperation.ZoneConfiguration; the operation has it as a typealias.

/// The settings for one zone of a fetch of changes: the starting token, the page size and the keys.
// Sendable: the settings are one value behind a mutex.
open class CKFetchRecordZoneChangesConfiguration: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  struct Values: Sendable {
    var token: CKServerChangeToken?
    var resultsLimit = 0
    var desiredKeys: [CKRecord.FieldKey]?
  }

  private let storage: Mutex<Values>

  /// Makes a configuration that fetches from the beginning, with all keys, in pages of the server's choice.
  public override init() {
    storage = Mutex(Values())
    super.init()
  }

  init(values: Values) {
    storage = Mutex(values)
    super.init()
  }

  /// Makes a configuration.
  public convenience init(
    previousServerChangeToken: CKServerChangeToken? = nil, resultsLimit: Int? = nil,
    desiredKeys: [CKRecord.FieldKey]? = nil
  ) {
    self.init(
      values: Values(token: previousServerChangeToken, resultsLimit: resultsLimit ?? 0, desiredKeys: desiredKeys))
  }

  var values: Values { storage.withLock { $0 } }

  /// The token of an earlier fetch; this fetch continues from there. Nil fetches everything in the zone.
  open var previousServerChangeToken: CKServerChangeToken? {
    get { values.token }
    set { storage.withLock { $0.token = newValue } }
  }

  /// The maximum number of changes in a page; 0 lets the server choose.
  open var resultsLimit: Int {
    get { values.resultsLimit }
    set { storage.withLock { $0.resultsLimit = newValue } }
  }

  /// The keys to fetch; nil for all, empty for system fields only.
  open var desiredKeys: [CKRecord.FieldKey]? {
    get { values.desiredKeys }
    set { storage.withLock { $0.desiredKeys = newValue } }
  }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a configuration from an archive; nil if the archive does not hold one.
  public required init?(coder: NSCoder) {
    guard let archive = coder.decodePayload(Archive.self, forKey: Self.archiveKey) else { return nil }
    storage = Mutex(archive.values)
    super.init()
  }

  convenience init(archive: Archive) { self.init(values: archive.values) }

  /// Writes the configuration to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.encodePayload(archive, forKey: Self.archiveKey)
  }

  var archive: Archive {
    let values = values
    return Archive(token: values.token?.data, resultsLimit: values.resultsLimit, desiredKeys: values.desiredKeys)
  }

  /// Returns an independent copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    CKFetchRecordZoneChangesConfiguration(values: values)
  }

  struct Archive: Codable {
    var token: Data?
    var resultsLimit: Int
    var desiredKeys: [String]?

    fileprivate var values: Values {
      Values(
        token: token.map(CKServerChangeToken.init(data:)), resultsLimit: resultsLimit, desiredKeys: desiredKeys)
    }
  }

  private static let archiveKey = "CKFetchRecordZoneChangesConfiguration"
}

/// The old name of `CKFetchRecordZoneChangesConfiguration`.
@available(*, deprecated, renamed: "CKFetchRecordZoneChangesConfiguration")
public typealias CKFetchRecordZoneChangesOptions = CKFetchRecordZoneChangesConfiguration
