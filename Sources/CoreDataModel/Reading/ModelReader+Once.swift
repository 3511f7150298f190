import Synchronization

extension ModelReader {
  private struct Key: Hashable {
    var bytes: [UInt8]
    var file: String
    var versionName: String
  }

  private static let readings = Mutex<[Key: ModelReading]>([:])

  /// Reads a model, and caches it for the process: a migration in steps opens each version of a model many times, and
  /// reading one takes much longer than comparing its bytes.
  package static func readOnce(
    _ bytes: [UInt8], file: String, versionName: String
  ) throws(ModelFailure) -> ModelReading {
    let key = Key(bytes: bytes, file: file, versionName: versionName)
    if let known = readings.withLock({ $0[key] }) { return known }
    let reading = try read(bytes, file: file, versionName: versionName)
    readings.withLock { $0[key] = reading }
    return reading
  }

  /// Whether a model was read before.
  package static func isRead(_ bytes: [UInt8], file: String, versionName: String) -> Bool {
    readings.withLock { $0[Key(bytes: bytes, file: file, versionName: versionName)] != nil }
  }
}
