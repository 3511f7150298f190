import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Writes one line per request into `requests.jsonl` in the cloud's root, if `LOCALCLOUD_LOG` is `on`. A request that
/// can't be logged is still performed.
struct RequestLog: Sendable {
  private let file: RequestLogFile
  private let clock: @Sendable () throws -> Int64
  private let command: String
  private let program = HostProcess.programName
  private let waitPolicy: LockWaitPolicy

  /// The maximum seconds that a request waits for another process's line.
  private static let waitSeconds: Double = 1

  init(_ cloud: Cloud, _ settings: ServiceSettings) {
    file = RequestLogFile(of: cloud)
    clock = settings.clock
    command = settings.command
    waitPolicy = LockWaitPolicy(seconds: Self.waitSeconds, command: settings.command)
  }

  @Sendable func append(_ request: EndedRequest) {
    let milliseconds = (try? clock()) ?? systemTimeMilliseconds()
    try? file.append(line(of: request, endedAt: milliseconds), waitPolicy)
  }

  /// The members are written in the order of their keys: a document that is only made to be written costs more than the
  /// writing.
  private func line(of request: EndedRequest, endedAt milliseconds: Int64) -> [UInt8] {
    let (caller, subject) = (request.caller, request.subject)
    let (account, operation) = (caller?.account, caller?.operation)
    var line = RequestLine()
    line.text("account", account)
    line.text("command", command)
    line.text("containerIdentifier", caller?.container)
    line.text("database", subject.scope?.name)
    line.text("device", account.map { caller?.device ?? Account.defaultDevice(of: $0) })
    line.text("environment", caller?.environment.rawValue)
    line.error(request.error)
    line.text("fault", request.faults.isEmpty ? nil : request.faults.joined(separator: ","))
    line.group(operation?.group)
    line.items(subject.items)
    line.number("milliseconds", Double(request.nanoseconds / 1000) / 1000)
    line.text("operation", operation?.kind)
    line.text("operationID", operation?.id)
    line.text("outcome", request.outcome)
    line.number("process", Int64(HostProcess.identifier))
    line.text("program", program)
    line.text("request", request.operation.rawValue)
    line.text("time", Timestamp.text(milliseconds: milliseconds))
    line.zones(subject.items)
    return line.finish()
  }
}

extension EndedRequest {
  /// `failed` as a whole, `partial` if single items failed, or `ok`.
  fileprivate var outcome: String {
    if error != nil { return "failed" }
    return subject.items.contains { $0.error != nil } ? "partial" : "ok"
  }
}
