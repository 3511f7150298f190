import CloudStore
import Platform
import Storage

extension ServiceError {
  /// What the caller is told of an error from below.
  ///
  /// - Difference: a full disk is `quotaExceeded`, a cloud of a newer format `incompatibleVersion`, no cloud at the root
  ///   `badContainer`, a lock that is not to be had in time `zoneBusy` with a retry-after; the disk's own words stand in
  ///   an underlying error of domain `LocalCloudErrorDomain`.
  package init(describing error: any Error) {
    switch error {
    case let error as ServiceError:
      self = error
    case let error as StorageError:
      self.init(error)
    case let error as StoreError:
      self.init(error)
    case let error as SystemError:
      self.init(error)
    case let error as CryptographyError:
      self.init(error)
    case let error as ZoneKeys.Lost:
      self.init(.internalError, "A key is not to be had: \(error.reason).", cause: .damage, hint: Self.keyHint)
    default:
      self.init(.internalError, "unexpected error: \(error)")
    }
  }

  /// For what is done in several commits: some of it is done, and the rest is done by asking again.
  static func halfDone(_ what: String, _ error: any Error, hint: String) -> ServiceError {
    let error = ServiceError(describing: error)
    return ServiceError(
      .serverResponseLost, "\(what): \(error.message)", cause: error.cause, hint: "\(hint): that does the rest.",
      path: error.path)
  }

  private init(_ error: SystemError) {
    if error.isNoSpace {
      self.init(
        .quotaExceeded, "The disk is full: \(error).", cause: .diskFull,
        hint:
          "Free space on the disk that holds \(error.path), or remove test clouds that nobody needs; nothing was saved.",
        path: error.path)
    } else if error.isDenied {
      self.init(
        .serverRejectedRequest, "The cloud's folder can't be written: \(error).", cause: .storage,
        hint: "Check the owner and the permissions of the folder.", path: error.path)
    } else if error.isForeign {
      self.init(
        .internalError, "Something else lies where a part of the cloud belongs: \(error.path): \(error.reason).",
        cause: .damage,
        hint: "`localcloud check` lists all that is wrong; `localcloud repair` makes the rest usable again.",
        path: error.path)
    } else if error.isOutOfWatches {
      self.init(
        .serviceUnavailable, "No more folders can be watched: \(error).", cause: .storage,
        hint: "End programs that watch folders, or raise fs.inotify.max_user_watches and max_user_instances.",
        path: error.path)
    } else if error.isMissing {
      self.init(
        .internalError, "A part of the cloud is missing: \(error.path).", cause: .damage,
        hint: "`localcloud check` lists all that is wrong; `localcloud repair` makes the rest usable again.",
        path: error.path)
    } else {
      self.init(.serviceUnavailable, "The disk failed: \(error).", cause: .storage, path: error.path)
    }
  }

  private init(_ error: StorageError) {
    switch error {
    case .busy(let path, let holder, let waited):
      let who = holder?.text ?? "another process"
      self.init(
        .zoneBusy, "Gave up after \(waited.secondsText) s of waiting for \(who).", cause: .lockTimeout,
        hint: "Try again, or raise the lock timeout.", path: path, retryAfter: 1)
    case .damaged(let path, let reason):
      self.init(
        .internalError, "A file of the cloud is damaged: \(path): \(reason).", cause: .damage,
        hint: "`localcloud check` lists all that is wrong; `localcloud repair` makes the rest usable again.", path: path
      )
    case .formatTooNew(let path, let found, let known):
      self.init(
        .incompatibleVersion, "The cloud has format \(found); this version knows formats up to \(known).",
        cause: .formatTooNew, hint: "Use the newer version of the tool that made it.", path: path)
    case .nameCollision(let path, let name):
      self.init(
        .serverRejectedRequest, "The file of \(name) already holds something of another name.", cause: .storage,
        hint: "Does the disk ignore case? Put the cloud on one that does not.", path: path)
    case .uncertain(let path, let reason):
      self.init(
        .serverResponseLost, "Whether it was saved can't be told: \(reason).", cause: .storage,
        hint: "Look after the disk, then fetch and compare.", path: path)
    case .pending(let path, let holder, let waited):
      let who = holder?.text ?? "another process"
      self.init(
        .serverResponseLost,
        "Whether it was saved can't be told yet: for \(waited.secondsText) s it has waited for \(who), which commits it.",
        hint: "Let that process go on, or end it, and fetch then; it is lost only if the machine goes down before.",
        path: path)
    case .unapplied(let path, let reason):
      self.init(.serviceUnavailable, "\(path): \(reason).", cause: .storage, path: path, retryAfter: 1)
    }
  }

  private init(_ error: StoreError) {
    switch error {
    case .notACloud(let path):
      self.init(
        .badContainer, "There is no cloud in \(path).", cause: .noCloud,
        hint: "Make one with `localcloud init --root \(path)`, or point LOCALCLOUD_ROOT to one.", path: path)
    case .alreadyACloud(let path):
      self.init(.serverRejectedRequest, "There is a cloud in \(path) already.", path: path)
    case .insideACloud(let path, let root):
      self.init(
        .serverRejectedRequest, "The folder \(path) lies in the cloud \(root).",
        hint: "Name a folder outside of it.", path: path)
    case .folderNotEmpty(let path):
      self.init(
        .serverRejectedRequest, "The folder \(path) is not empty, and no cloud.",
        hint: "Name a folder that is empty or not there yet.", path: path)
    case .zoneMissing(let path):
      self = .zoneNotFound(ZoneIdentifier(name: path.zone))
    case .assetGone(let path):
      self.init(
        .assetNotAvailable, "The asset is gone: its record was changed meanwhile.", hint: "Fetch the record again.",
        path: path, retryAfter: 1)
    }
  }

  // MARK: iCloud's own refusals, each with the server's number and words

  static func zoneNotFound(_ zone: ZoneIdentifier) -> ServiceError {
    ServiceError(.zoneNotFound, "Zone '\(zone.name)' does not exist", internalCode: 2036)
  }

  /// Of a zone whose encrypted values nobody can read any more.
  static func encryptedDataReset(_ zone: ZoneIdentifier) -> ServiceError {
    var error = ServiceError(
      .zoneNotFound, "Zone '\(zone.name)' is gone: the keys of its encrypted data were reset", internalCode: 2036,
      hint: "Delete the zone, or save it again, then upload what is to be in it.")
    error.isEncryptedDataReset = true
    return error
  }

  /// Of a zone that its owner deleted with all of the app's data.
  static func userDeletedZone(_ zone: ZoneIdentifier) -> ServiceError {
    ServiceError(
      .userDeletedZone, "Zone '\(zone.name)' is gone: the user deleted the app's data",
      hint: "Delete the zone, or save it again if the person wants the data back in iCloud.")
  }

  static let keyHint = "`localcloud check` lists what is wrong; \"account reset-keys\" starts over with new keys."

  package static func unknownItem(_ name: ExactName) -> ServiceError {
    var error = ServiceError(.unknownItem, "Record not found: '\(name)'", internalCode: 2003)
    error.words = "Record not found"
    return error
  }

  /// Of a type that the schema lacks.
  static func typeNotFound(_ type: String) -> ServiceError {
    ServiceError(
      .unknownItem, "Did not find record type: \(type)", internalCode: 2003,
      hint: "`localcloud schema export` shows the types there are, `localcloud schema import` adds some.")
  }

  package static func invalid(_ message: String) -> ServiceError {
    ServiceError(.invalidArguments, message, internalCode: 2006)
  }

  /// Refused because of what the schema is, or would be.
  static func schema(_ message: String) -> ServiceError {
    ServiceError(.invalidArguments, message, internalCode: 2006, cause: .schema)
  }

  static func limitExceeded(_ message: String) -> ServiceError {
    ServiceError(.limitExceeded, message, internalCode: 2023)
  }

  /// Nothing to do with the disk, which can be full, too.
  static func storageFull(of account: String) -> ServiceError {
    ServiceError(
      .quotaExceeded, "Quota exceeded", internalCode: 2035,
      hint: "The storage of \(account) is full: `localcloud account set \(account) --storage available` makes room.")
  }

  static func notPermitted(_ action: String) -> ServiceError {
    ServiceError(.permissionFailure, "\(action) operation not permitted", internalCode: 2007)
  }

  /// A dead link; also what whoever may not know of a share is told.
  static let shareNotFound = ServiceError(.unknownItem, "Share not found", internalCode: 2003)

  static let missingRoot = invalid("An added share is being saved without its rootRecord in the same operation")

  static let tooManyParticipants = ServiceError(
    .tooManyParticipants, "A share has at most \(NameRules.maximumParticipants) participants", internalCode: 2032)

  static func alreadyShared(_ name: ExactName) -> ServiceError {
    ServiceError(.alreadyShared, "Record '\(name)', or one above or below it, is shared already", internalCode: 2037)
  }

  static let batchFailed = ServiceError(
    .batchRequestFailed, "Atomic failure: another item of this zone's batch failed", internalCode: 2024)

  static let tokenExpired = ServiceError(
    .changeTokenExpired, "The change token can't be used here any more; fetch from nil", internalCode: 2026)

  /// The refusal of what a later version will have: `serverRejectedRequest`, with an underlying error of domain
  /// `LocalCloudErrorDomain` that says so.
  package static func notYet(_ what: String) -> ServiceError {
    ServiceError(
      .serverRejectedRequest, "LocalCloudKit does not support \(what) yet.", cause: .notYetSupported,
      hint: "See the table of differences, which the README points to.")
  }
}

extension ServiceError {
  /// - Difference: encrypted values need the system's libcrypto; where it is missing, they fail with `internalError`, and
  ///   everything else works.
  init(_ error: CryptographyError) {
    switch error {
    case .unavailable(let names):
      self.init(
        .internalError,
        "Encrypted values need libcrypto of OpenSSL, which is not here (\(names.joined(separator: ", "))).",
        cause: .missingLibrary,
        hint: "Install it (Debian, Ubuntu: libssl3; Fedora: openssl-libs; Alpine: libcrypto3), or name its file in "
          + "LOCALCLOUD_LIBCRYPTO.")
    case .failed(let reason):
      self.init(
        .internalError, "Something else lies where a key belongs: \(reason).", cause: .damage,
        hint: "`localcloud check` lists all that is wrong; `localcloud repair` makes the rest usable again.")
    }
  }
}
