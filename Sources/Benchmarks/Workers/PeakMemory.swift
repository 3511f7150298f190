import Foundation

/// The peak memory of this process.
enum PeakMemory {
  static func bytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let kilobytes = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).compactMap({ Int($0) }).first else {
      throw UnexpectedResult(text: "the system does not say how much memory was used")
    }
    return kilobytes * 1024
  }
}
