import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

extension ServiceError {
  /// Converts an error of a lower layer to the one that the caller gets.
  ///
  /// - Difference: a full disk is `quotaExceeded`, a cloud of a newer format `incompatibleVersion`, no cloud at the
  ///   root `badContainer`, a lock that is not granted in time `zoneBusy` with a retry-after; an underlying error of
  ///   domain `LocalCloudErrorDomain` has the text of the disk's error.
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

  /// The error for an interrupted request of several commits: some are done, and repeating the request does the rest.
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
        .serverRejectedRequest,
        error.isWrite
          ? "The cloud's folder can't be written: \(error)." : "A part of the cloud can't be read: \(error).",
        cause: .storage,
        hint: "Check the owner and the permissions of \(error.isWrite ? "the folder" : error.path).", path: error.path)
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
    case .replaced(let path):
      self.init(
        .zoneBusy, "The cloud in \(path) was replaced during the request.", cause: .lockTimeout,
        hint: "Try again: nothing was saved.", path: path, retryAfter: 0.1)
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
    case .snapshotExists(let name):
      self.init(
        .serverRejectedRequest, "There is a snapshot '\(name)' already.",
        hint: "Choose another name, or replace it with --replace.")
    case .snapshotMissing(let name):
      self.init(
        .unknownItem, "There is no snapshot '\(name)'",
        hint: "`localcloud snapshot list` shows the snapshots there are.")
    case .badSnapshotFile(let line, let reason):
      self.init(
        .invalidArguments, "The file holds no whole snapshot: line \(line): \(reason).",
        hint: "Export the snapshot again; nothing was imported.")
    case .snapshotFileTooNew(let found, let known):
      self.init(
        .incompatibleVersion,
        "The file of the snapshot has version \(found); this version reads files up to \(known).",
        cause: .formatTooNew,
        hint: "Import it with the newer version of the tool that exported it; nothing was imported.")
    case .snapshotDamaged(let name, let reason):
      self.init(
        .internalError, "The snapshot '\(name)' is damaged: \(reason).", cause: .damage,
        hint: "Delete it with `localcloud snapshot delete`, and restore another one; the cloud itself was not changed.")
    }
  }

  static let keyHint = "`localcloud check` lists what is wrong; \"account reset-keys\" starts over with new keys."
}

extension ServiceError {
  /// - Difference: encrypted values need the system's libcrypto; where it is missing, they fail with `internalError`,
  ///   and all other requests work.
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
