import CloudModel
import CloudStore
import Platform

/// The files that the saves of one zone bring along. Each is uploaded once, before the zone's lock is taken, whatever
/// number of fields it is for. For one thread.
final class AssetIntake {
  private let service: CloudService
  private let store: ZoneStore
  /// The files of each save, by its place in the request.
  private let files: [Int: [String]]
  private var progress: UploadProgress?
  private var uploads: AssetUploads?
  private var results: [String: Result<AssetUpload, ServiceError>] = [:]
  /// Files that have to be uploaded whatever their records hold.
  let wanted: [String]

  init(_ request: ModifyRecordsRequest, _ places: [Int], in store: ZoneStore, _ service: CloudService) {
    self.service = service
    self.store = store
    var files: [Int: [String]] = [:]
    var wanted: [String] = []
    for place in places {
      let fields = request.saves[place].fields.filter { $0.value?.canHoldAssets == true }
      // In the same order every time: what they are called follows from it.
      for (_, value) in fields.sorted(by: { $0.key < $1.key }) {
        for asset in value?.assets ?? [] {
          guard let file = asset.file else { continue }
          files[place, default: []].append(file)
          // A record that holds the bytes already needs none.
          if asset.name == nil { wanted.append(file) }
        }
      }
    }
    self.files = files
    self.wanted = wanted
    if !files.isEmpty { progress = request.progress.map { UploadProgress(files, report: $0) } }
  }

  // MARK: Uploading

  /// Brings files into the zone. One that can't be brought is the failure of the saves that name it.
  func upload(_ files: [String]) throws {
    for file in files where results[file] == nil { results[file] = try upload(file) }
    if results.values.contains(where: { !$0.isFailure }) { try uploads?.makeDurable() }
  }

  private func upload(_ path: String) throws -> Result<AssetUpload, ServiceError> {
    do { return .success(try copy(path)) } catch let error as ServiceError where error.code == .operationCancelled {
      throw error
    } catch {
      return .failure(ServiceError(describing: error))
    }
  }

  private func copy(_ path: String) throws -> AssetUpload {
    let (file, before) = try reading(path) { () throws(SystemError) in
      let file = try UserFile.open(path)
      return (file, try file.contentStamp())
    }
    var offset = 0
    let upload = try openUploads().add {
      // What is written to all the time has no end; that it grew is enough to know.
      if offset > before.size { return [] }
      let bytes = try reading(path) { () throws(SystemError) in
        try file.read(at: offset, count: AssetUploads.chunk)
      }
      offset += bytes.count
      try progress?.advance(path, by: bytes.count)
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

  /// To be called at the end, whatever came of it.
  func end() { uploads?.end() }

  // MARK: Asking

  /// Whether a file could not be brought.
  var hasFailed: Bool { results.values.contains(where: \.isFailure) }

  /// Nil for a file that was not uploaded so far.
  func upload(of file: String) throws -> AssetUpload? { try results[file]?.get() }

  /// Why a save can't be done.
  func failure(of place: Int) -> ServiceError? {
    for file in files[place] ?? [] {
      if case .failure(let error) = results[file] { return error }
    }
    return nil
  }
}
