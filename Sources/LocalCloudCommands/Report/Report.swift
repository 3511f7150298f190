import LocalCloudModel

/// The contents of a report: a cloud as a page shows it, in texts for people. Every text may come from a hostile
/// source.
///
/// Its size is bounded by ``ReportBudget``, whatever the size of the cloud.
struct Report: Equatable {
  /// The path of the cloud's root.
  var root = ""
  /// The account that the report has the view of; nil for that of the tree's files.
  var viewer: String?
  /// The parts of the cloud that the report is limited to, for example `container iCloud.com.example.Notes`.
  var selection: [String] = []
  var people: [Person] = []
  var devices: [Device] = []
  var databases: [Database] = []
  var shares: [Share] = []
  /// The number of shares that are left out.
  var moreShares = 0
  var stores: [Store] = []
  /// Nil if there is no log.
  var requests: [Request]?
  /// The number of requests in the log before ``requests``.
  var earlierRequests = 0
  /// The number of accounts and zones that are left out.
  var morePeople = 0
  var moreZones = 0
  /// The parts that could not be read, with the reason.
  var problems: [String] = []

  struct Person: Equatable {
    var name: String
    var fullName: String?
    var addresses: [String] = []
    /// The account's status; nil if it is available.
    var status: String?
    var isStorageFull = false
  }

  struct Device: Equatable {
    var name: String
    var account: String?
    /// The fault of the network; nil for a device that is online.
    var network: String?
  }

  struct Database: Equatable {
    var container: String
    var environment: String
    /// `public`, `private` or `shared`.
    var scope: String
    /// The account that the database belongs to; nil for the public database.
    var account: String?
    var zones: [Zone] = []
  }

  struct Zone: Equatable {
    var name: String
    /// The owner's account, for a zone of a shared database.
    var owner: String?
    /// The number of records without shares; nil if it is not known.
    var total: Int?
    /// The people that a share of the whole zone admits.
    var sharedWith: [String] = []
    var records: [Record] = []
    /// The number of records that are left out; nil if it is not known.
    var more: Int? = 0
    /// The command that lists all records.
    var command = ""

    /// The number of records as far as it is known.
    var count: Int { total ?? records.count }
  }

  struct Record: Equatable {
    /// The number in the page, unique to the record.
    var anchor: Int
    var type: String
    var name: String
    /// Nil for a record without a parent.
    var parent: Reference?
    /// The number of the share that the record is in, among ``Report/shares``.
    var share: Int?
    /// Whether the record is in a share, also in one that is left out.
    var isShared = false
    var changed = ""
    var changedBy = ""
    var fields: [Field] = []
  }

  struct Field: Equatable {
    var name: String
    var type: String
    var isEncrypted = false
    var value: Value
  }

  struct Reference: Equatable {
    var name: String
    /// The record's number, whether the page shows the record or not.
    var anchor: Int
  }

  indirect enum Value: Equatable {
    case text(String)
    /// The beginning of a text, and its whole length in characters.
    case cut(String, length: Int)
    /// An encrypted value that stays closed.
    case closed
    case reference(Reference)
    /// An image as a data URL shows it.
    case image(ImageType, base64: String, label: String)
    case asset(String)
    /// Elements of a list, and the number of those that are left out.
    case list([Value], more: Int)
  }

  struct Share: Equatable {
    var title: String?
    /// The root record's name; nil for a share of the whole zone.
    var root: Reference?
    var container: String
    var environment: String
    var zone: String
    var owner: String
    /// The access of accounts with the link, as ``ShareText`` describes it; nil if only invited people may join.
    var publicAccess: String?
    var link: String?
    /// Without the owner.
    var participants: [Participant] = []
    var moreParticipants = 0
    /// The accounts that ask for access.
    var requesters: [String] = []
    var blocked: [String] = []
  }

  struct Participant: Equatable {
    var name: String
    var role: String
    var permission: SharePermission
    var acceptance: AcceptanceStatus
  }

  struct Store: Equatable {
    var path: String
    /// The account that the store is mirrored for; nil for a store that is not mirrored.
    var account: String?
    var container: String?
    var isMirrored = true
    /// The process that mirrors it now.
    var holder: String?
    var waiting: [Waiting] = []
    var moreWaiting = 0
    var newLinks = 0
    var deletedLinks = 0

    struct Waiting: Equatable {
      var change: String
      var object: String
      var record: String
      var zone: String
      var properties: String
    }
  }

  struct Request: Equatable {
    var time: String
    /// The device; for a request without an account, `no account`.
    var device: String
    var account: String?
    var request: String
    var database: String
    var items: String
    var program: String
    /// Nil for a request without errors.
    var error: String?
    /// The number of equal requests that follow each other.
    var times = 1
  }
}

/// The types of images that a page shows.
enum ImageType: String {
  case png = "image/png"
  case jpeg = "image/jpeg"
  case gif = "image/gif"
  case webp = "image/webp"

  /// The type of the image that the bytes begin; nil for other bytes. SVG is left out, because it is markup.
  init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8)) {
      self = .gif
    } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      self = .webp
    } else {
      return nil
    }
  }
}
