import Foundation
import LocalCloudModel
import Synchronization

/// Operations with a common purpose. The operations of a group succeed or fail independently.
// Sendable: the ID is a constant, all other state is one value behind a mutex.
open class CKOperationGroup: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The expected amount of data of a group's operations.
  public enum TransferSize: Int, Sendable {
    /// Not known.
    case unknown = 0

    /// Less than a megabyte.
    case kilobytes = 1

    /// Some megabytes.
    case megabytes = 2

    /// Tens of megabytes.
    case tensOfMegabytes = 3

    /// Hundreds of megabytes.
    case hundredsOfMegabytes = 4

    /// Some gigabytes.
    case gigabytes = 5

    /// Tens of gigabytes.
    case tensOfGigabytes = 6

    /// Hundreds of gigabytes.
    case hundredsOfGigabytes = 7
  }

  fileprivate struct Settings {
    var configuration: CKOperationConfiguration?
    var name: String?
    var quantity = 0
    var sendSize = TransferSize.unknown
    var receiveSize = TransferSize.unknown

    init() {}
  }

  /// Identifies the group: 16 upper-case hexadecimal digits.
  public let operationGroupID: String

  private let settings: Mutex<Settings>

  /// Makes a group with a new ID.
  public override init() {
    operationGroupID = CKOperation.newID()
    settings = Mutex(Settings())
    super.init()
  }

  private init(copying group: CKOperationGroup) {
    operationGroupID = group.operationGroupID
    var settings = group.settings.withLock { $0 }
    settings.configuration = settings.configuration?.copy() as? CKOperationConfiguration
    self.settings = Mutex(settings)
    super.init()
  }

  /// A group with the same ID and a copy of the settings.
  open func copy(with zone: NSZone? = nil) -> Any { CKOperationGroup(copying: self) }

  /// The settings for operations of the group that do not set them themselves. Setting the property stores a copy.
  open var defaultConfiguration: CKOperation.Configuration! {
    get {
      settings.withLock { settings in
        if settings.configuration == nil { settings.configuration = CKOperationConfiguration() }
        return settings.configuration
      }
    }
    set {
      let copy = newValue?.copy() as? CKOperationConfiguration
      settings.withLock { $0.configuration = copy }
    }
  }

  /// A name for logs.
  open var name: String? {
    get { settings.withLock { $0.name } }
    set { settings.withLock { $0.name = newValue } }
  }

  /// A number for the app's use, for example the number of records to fetch.
  open var quantity: Int {
    get { settings.withLock { $0.quantity } }
    set { settings.withLock { $0.quantity = newValue } }
  }

  /// The expected amount of data to send.
  open var expectedSendSize: CKOperationGroup.TransferSize {
    get { settings.withLock { $0.sendSize } }
    set { settings.withLock { $0.sendSize = newValue } }
  }

  /// The expected amount of data to receive.
  open var expectedReceiveSize: CKOperationGroup.TransferSize {
    get { settings.withLock { $0.receiveSize } }
    set { settings.withLock { $0.receiveSize = newValue } }
  }

  // MARK: Coding

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a group from an archive.
  ///
  /// - Difference: an archive without one gives a group with a new ID; the unarchiver's `error` is set.
  public required init(coder aDecoder: NSCoder) {
    let archive = aDecoder.decodePayload(Archive.self, forKey: Self.archiveKey)
    if archive == nil { aDecoder.reportDamage(forKey: Self.archiveKey) }
    operationGroupID = archive?.operationGroupID ?? CKOperation.newID()
    settings = Mutex(Settings(archive))
    super.init()
  }

  /// Writes ID, settings and expectations to a keyed archive.
  ///
  /// - Difference: the container of the default configuration is not archived.
  open func encode(with coder: NSCoder) {
    coder.encodePayload(archive, forKey: Self.archiveKey)
  }

  /// Restores a persisted group.
  init(archive: Archive) {
    operationGroupID = archive.operationGroupID
    settings = Mutex(Settings(archive))
    super.init()
  }

  var archive: Archive {
    let settings = settings.withLock { $0 }
    return Archive(
      operationGroupID: operationGroupID,
      configuration: settings.configuration.map { CKOperationConfiguration.Archive($0.values) }, name: settings.name,
      quantity: settings.quantity, sendSize: settings.sendSize.rawValue, receiveSize: settings.receiveSize.rawValue)
  }

  struct Archive: Codable {
    var operationGroupID: String
    var configuration: CKOperationConfiguration.Archive?
    var name: String?
    var quantity: Int
    var sendSize: Int
    var receiveSize: Int
  }

  private static let archiveKey = "CKOperationGroup"

  // MARK: For the log of requests

  var context: OperationContext.Group {
    let settings = settings.withLock { $0 }
    return OperationContext.Group(
      id: operationGroupID, name: settings.name, quantity: settings.quantity,
      expectedSendSize: settings.sendSize.word, expectedReceiveSize: settings.receiveSize.word)
  }
}

extension CKOperationGroup.Settings {
  fileprivate init(_ archive: CKOperationGroup.Archive?) {
    configuration = (archive?.configuration).map { CKOperationConfiguration(values: $0.values) }
    name = archive?.name
    quantity = archive?.quantity ?? 0
    sendSize = (archive?.sendSize).flatMap(CKOperationGroup.TransferSize.init) ?? .unknown
    receiveSize = (archive?.receiveSize).flatMap(CKOperationGroup.TransferSize.init) ?? .unknown
  }
}

extension CKOperationGroup.TransferSize {
  /// The name of the case for the log; nil for `.unknown`.
  fileprivate var word: String? { self == .unknown ? nil : "\(self)" }
}
