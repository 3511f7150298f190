import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage

/// Reports the progress of each save's uploads, at every hundredth.
struct UploadProgress {
  private let report: @Sendable (Int, Double) -> Bool
  /// Not integers: an identifier of an exported asset may name any sizes, and their sum need not fit in an `Int`.
  private var sizes: [Int: Double] = [:]
  private var done: [Int: Int] = [:]
  private var reported: [Int: Double] = [:]
  private var saves: [AssetSource: [Int]] = [:]

  init(_ files: [Int: [AssetSource]], report: @escaping @Sendable (Int, Double) -> Bool) {
    self.report = report
    for (save, sources) in files {
      for source in Set(sources) {
        saves[source, default: []].append(save)
        sizes[save, default: 0] += Double(Self.size(source))
      }
    }
  }

  private static func size(_ source: AssetSource) -> Int {
    switch source {
    case .file(let path): (try? UserFile.contentStamp(path).size) ?? 0
    case .exported(let exported): ContentName(exported.fileChecksum)?.size ?? 0
    }
  }

  /// Adds uploaded bytes of a file. Throws `operationCancelled` if `report` returns false.
  mutating func advance(_ source: AssetSource, by count: Int) throws(ServiceError) {
    for save in saves[source] ?? [] {
      done[save, default: 0] += count
      let fraction = Double(done[save, default: 0]) / max(sizes[save] ?? 0, 1)
      guard fraction < 1, fraction - (reported[save] ?? 0) >= 0.01 else { continue }
      reported[save] = fraction
      if !report(save, fraction) { throw .cancelled }
    }
  }
}
