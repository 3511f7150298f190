import LocalCloudStorage

/// The reason of the damage that `body` throws; nil if it does not throw; the text of another error.
package func reasonOfDamage<Result>(_ body: () throws -> Result) -> String? {
  do {
    _ = try body()
    return nil
  } catch StorageError.damaged(_, let reason) {
    return reason
  } catch {
    return "another error: \(error)"
  }
}
