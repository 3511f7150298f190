import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport

/// The arguments of a worker process, read from the front.
struct WorkerArguments {
  private var rest: ArraySlice<String>

  init(_ arguments: ArraySlice<String>) { rest = arguments }

  mutating func text() throws -> String {
    guard let text = rest.popFirst() else { throw UsageError(message: "an argument is missing") }
    return text
  }

  /// All arguments that are left.
  mutating func all() -> [String] {
    defer { rest = [] }
    return Array(rest)
  }

  mutating func int() throws -> Int {
    guard let number = Int(try text()) else { throw UsageError(message: "not a number") }
    return number
  }

  mutating func double() throws -> Double {
    guard let number = Double(try text()) else { throw UsageError(message: "not a number") }
    return number
  }

  /// Reads root, account, zone, and owner or `-`.
  mutating func client() throws -> ZoneClient {
    var settings = ServiceSettings()
    settings.lockTimeout = 120
    let service = try CloudService.open(root: try text(), settings: settings)
    let (account, zone, owner) = (try text(), try text(), try text())
    return ZoneClient(service, account: account, zone: ExactName(zone), owner: owner == "-" ? nil : owner)
  }
}
