import LocalCloudModel
import LocalCloudPlatform

/// Reports the progress of each save's uploads, at every hundredth.
struct UploadProgress {
  private let report: @Sendable (Int, Double) -> Bool
  private var sizes: [Int: Int] = [:]
  private var done: [Int: Int] = [:]
  private var reported: [Int: Double] = [:]
  private var saves: [String: [Int]] = [:]

  init(_ files: [Int: [String]], report: @escaping @Sendable (Int, Double) -> Bool) {
    self.report = report
    for (save, paths) in files {
      for path in Set(paths) {
        saves[path, default: []].append(save)
        sizes[save, default: 0] += (try? UserFile.contentStamp(path).size) ?? 0
      }
    }
  }

  /// Adds uploaded bytes of a file. Throws `operationCancelled` if `report` returns false.
  mutating func advance(_ path: String, by count: Int) throws(ServiceError) {
    for save in saves[path] ?? [] {
      done[save, default: 0] += count
      let fraction = Double(done[save, default: 0]) / Double(max(sizes[save] ?? 0, 1))
      guard fraction < 1, fraction - (reported[save] ?? 0) >= 0.01 else { continue }
      reported[save] = fraction
      if !report(save, fraction) { throw .cancelled }
    }
  }
}
