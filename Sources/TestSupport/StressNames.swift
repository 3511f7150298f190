import CloudStore

/// What the processes of a stress run and their coordinator have to agree on.
package enum StressNames {
  package enum Mode: String, Sendable {
    /// New records, one a call.
    case singles
    /// Ten records that always bear one stamp, saved together again and again.
    case batches
    /// Follows the zone's feed and looks at the batches.
    case reader
    /// Changes the record that everybody else changes too, once.
    case contest
  }

  package static let zone = "Shared"
  package static let root = "root"
  package static let contested = "contested"

  package static func single(_ writer: Int, _ index: Int) -> String { "w\(writer)-\(index)" }

  package static func batch(_ writer: Int) -> [String] { (0..<10).map { "b\(writer)-\($0)" } }

  package static func end(_ writer: Int) -> String { "end-\(writer)" }
}
