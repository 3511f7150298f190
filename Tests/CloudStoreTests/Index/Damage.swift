import LocalCloudStore

@testable import LocalCloudStorage

/// Why `body` says that something is damaged; nil where it goes through, and another error's own text.
func reasonOfDamage<Result>(_ body: () throws -> Result) -> String? {
  do {
    _ = try body()
    return nil
  } catch StorageError.damaged(_, let reason) {
    return reason
  } catch {
    return "another error: \(error)"
  }
}
