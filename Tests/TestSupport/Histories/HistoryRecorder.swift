import Foundation
import LocalCloudPlatform

/// A line of a client's file: the begin of a request, its result, or the end of the client's process.
private struct HistoryLine: Codable {
  var time: UInt64
  var call: HistoryCall?
  var result: HistoryResult?
}

/// Appends the requests of one client to its file. Each line is written before the client continues, so that a kill
/// loses none.
package final class HistoryRecorder {
  private let file: File
  private var size: Int

  package init(client: Int, in folder: String) throws {
    file = try Directory.open(path: folder, in: FileSystem()).createFile("\(client).jsonl")
    size = try file.size()
  }

  /// Records a request and its result.
  package func record(_ call: HistoryCall, _ body: () -> HistoryResult) throws {
    try append(HistoryLine(time: monotonicNanoseconds(), call: call))
    let result = body()
    try append(HistoryLine(time: monotonicNanoseconds(), result: result))
  }

  private func append(_ line: HistoryLine) throws {
    let bytes = [UInt8](try JSONEncoder().encode(line)) + [UInt8(ascii: "\n")]
    try file.write(bytes, at: size)
    size += bytes.count
  }

  /// Reads the requests of a client.
  ///
  /// - Parameter death: the time after the end of the client's process, if it was killed. Its last request took effect
  ///   before, or never: the process's entry in a zone's journal is complete by then, or it is none.
  package static func operations(of client: Int, in folder: String, death: UInt64?) throws -> [HistoryOperation] {
    let bytes = try Directory.open(path: folder, in: FileSystem()).contents("\(client).jsonl") ?? []
    // After a kill the last line may be incomplete.
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
    var operations: [HistoryOperation] = []
    for line in lines {
      let line = try JSONDecoder().decode(HistoryLine.self, from: Data(line))
      if let call = line.call {
        operations.append(HistoryOperation(client: client, call, start: line.time, end: death, nil))
      } else if let last = operations.indices.last {
        operations[last].result = line.result
        operations[last].end = line.result == .unknown ? nil : line.time
      }
    }
    return operations
  }
}
