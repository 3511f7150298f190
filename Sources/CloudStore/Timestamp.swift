#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// ISO 8601 in UTC with milliseconds, as all dates for people are written.
package enum Timestamp {
  package static func text(milliseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      .formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
  }

  /// Milliseconds since 1970 of an ISO 8601 date with or without a fraction of seconds.
  package static func milliseconds(text: String) -> Int64? {
    for fraction in [true, false] {
      let style = Date.ISO8601FormatStyle(includingFractionalSeconds: fraction)
      if let date = try? style.parse(text) { return Int64((date.timeIntervalSince1970 * 1000).rounded()) }
    }
    return nil
  }
}
