import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStore

/// The origin of the bytes of a saved asset.
enum AssetSource: Hashable {
  /// The path of a client's file.
  case file(String)
  /// Another record; the server copies them.
  case exported(ExportedAsset)
}

extension AssetValue {
  var source: AssetSource? { exported.map(AssetSource.exported) ?? file.map(AssetSource.file) }
}

/// The files that the saves of one zone bring, and the assets that the server copies for them. Each is uploaded once,
/// before the zone's lock is acquired, also if several fields name it. Used by one thread.
final class AssetIntake {
  private let service: CloudService
  private let caller: Caller
  private let store: ZoneStore
  /// The files of each save, by the save's index in the request.
  private let files: [Int: [AssetSource]]
  private var progress: UploadProgress?
  private var uploads: AssetUploads?
  private var results: [AssetSource: Result<AssetUpload, ServiceError>] = [:]
  /// Files that must be uploaded, whatever content the records hold.
  let wanted: [AssetSource]

  init(
    _ request: ModifyRecordsRequest, _ indexes: [Int], in store: ZoneStore, _ service: CloudService, _ caller: Caller
  ) {
    self.service = service
    self.caller = caller
    self.store = store
    var files: [Int: [AssetSource]] = [:]
    var wanted: [AssetSource] = []
    for index in indexes {
      let fields = request.saves[index].fields.filter { $0.value?.canHoldAssets == true }
      // The order is always the same, as the uploads' names follow from it.
      for (_, value) in fields.sorted(by: { $0.key < $1.key }) {
        for asset in value?.assets ?? [] {
          guard let file = asset.source else { continue }
          files[index, default: []].append(file)
          // A record that already holds the content needs no file.
          if asset.name == nil { wanted.append(file) }
        }
      }
    }
    self.files = files
    self.wanted = wanted
    if !files.isEmpty { progress = request.progress.map { UploadProgress(files, report: $0) } }
  }

  // MARK: Uploading

  /// Uploads files into the zone. A file that can't be uploaded becomes the failure of the saves that name it.
  func upload(_ files: [AssetSource]) throws {
    for file in files where results[file] == nil { results[file] = try upload(file) }
    if results.values.contains(where: { !$0.isFailure }) { try uploads?.makeDurable() }
  }

  private func upload(_ source: AssetSource) throws -> Result<AssetUpload, ServiceError> {
    do { return .success(try copy(source)) } catch let error as ServiceError where error.code == .operationCancelled {
      throw error
    } catch let error as StoreError {
      // The zone was deleted since the request began: no save of it can succeed.
      guard case .zoneMissing = error else { return .failure(ServiceError(describing: error)) }
      throw error
    } catch {
      return .failure(ServiceError(describing: error))
    }
  }

  private func copy(_ source: AssetSource) throws -> AssetUpload {
    switch source {
    case .file(let path): try copy(path)
    case .exported(let exported): try copy(exported)
    }
  }

  private func copy(_ exported: ExportedAsset) throws -> AssetUpload {
    let content = try service.records.content(of: exported, by: caller)
    do {
      return try openUploads().write { write in
        try content.read { bytes in
          try write(bytes)
          try progress?.advance(.exported(exported), by: bytes.count)
        }
      }
    } catch StoreError.assetGone {
      throw ServiceError.noSource(exported.key)
    }
  }

  private func copy(_ path: String) throws -> AssetUpload {
    let (file, before) = try reading(path) { () throws(SystemError) in
      let file = try UserFile.open(path)
      return (file, try file.contentStamp())
    }
    var offset = 0
    let upload = try openUploads().add {
      // A file that another process appends to continuously has no end. Its growth is enough to detect the change.
      if offset > before.size { return [] }
      let bytes = try reading(path) { () throws(SystemError) in
        try file.read(at: offset, count: AssetUploads.chunk)
      }
      offset += bytes.count
      try progress?.advance(.file(path), by: bytes.count)
      return bytes
    }
    let isSame = (try? file.contentStamp()) == before && (try? UserFile.contentStamp(path)) == before
    guard isSame, upload.size == before.size else { throw ServiceError.assetFileModified(path) }
    return upload
  }

  private func reading<Result>(_ path: String, _ body: () throws(SystemError) -> Result) throws(ServiceError) -> Result
  {
    do { return try body() } catch { throw .assetUnreadable(path, error) }
  }

  private func openUploads() throws -> AssetUploads {
    if let uploads { return uploads }
    let new = try AssetUploads(in: store, count: files.reduce(0) { $0 + $1.value.count }) { service.newIdentifier(8) }
    uploads = new
    return new
  }

  /// Ends the uploads. Call it at the end, also after an error.
  func end() { uploads?.end() }

  // MARK: Results

  /// Whether the upload of a client's file failed. A copy on the server fails its save only.
  var hasFailed: Bool {
    results.contains { source, result in
      if case .file = source { result.isFailure } else { false }
    }
  }

  /// The upload of a file; nil if it was not uploaded yet. Throws the error of a failed upload.
  func upload(of file: AssetSource) throws -> AssetUpload? { try results[file]?.get() }

  /// The error of the first failed upload among a save's files; nil if there is none.
  func failure(of index: Int) -> ServiceError? {
    for file in files[index] ?? [] {
      if case .failure(let error) = results[file] { return error }
    }
    return nil
  }
}
