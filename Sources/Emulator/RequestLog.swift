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

  /// The maximum seconds that a request waits for another process's line.
  private static let waitPolicy: Double = 1

  init(_ cloud: Cloud, _ settings: ServiceSettings) {
    file = RequestLogFile(of: cloud)
    clock = settings.clock
    command = settings.command
  }

  @Sendable func append(_ request: EndedRequest) {
    var line: JSONObject = [
      "command": .string(command), "milliseconds": .double(Double(request.nanoseconds / 1000) / 1000),
      "process": .integer(Int64(HostProcess.identifier)), "request": .string(request.operation.rawValue),
      "time": .string(Timestamp.text(milliseconds: (try? clock()) ?? systemTimeMilliseconds())),
    ]
    line["database"] = request.subject.scope.map { .string($0.name) }
    if !request.subject.items.isEmpty {
      line["items"] = .array(
        request.subject.items.map { item in
          var object = item.names
          object["error"] = item.error.map { .object(Self.object($0)) }
          return .object(object)
        })
    }
    if !request.faults.isEmpty { line["fault"] = .string(request.faults.joined(separator: ",")) }
    line["error"] = request.error.map { .object(Self.object($0)) }
    if let caller = request.caller {
      line["containerIdentifier"] = .string(caller.container)
      line["environment"] = .string(caller.environment.rawValue)
      if let account = caller.account {
        line["account"] = .string(account)
        line["device"] = .string(caller.device ?? Account.defaultDevice(of: account))
      }
      if let operation = caller.operation {
        line["operationID"] = .string(operation.id)
        if let kind = operation.kind { line["operation"] = .string(kind) }
        if let group = operation.group { line["group"] = .object(Self.object(group)) }
      }
    }
    var waitPolicy = LockWaitPolicy()
    waitPolicy.seconds = Self.waitPolicy
    try? file.append(line, waitPolicy)
  }

  private static func object(_ error: ServiceError) -> JSONObject {
    ["ckErrorCode": .integer(Int64(error.code.rawValue)), "message": .string(error.message)]
  }

  private static func object(_ group: OperationContext.Group) -> JSONObject {
    var object: JSONObject = ["operationGroupID": .string(group.id)]
    if let name = group.name { object["name"] = .string(name) }
    if group.quantity != 0 { object["quantity"] = .integer(Int64(group.quantity)) }
    if let size = group.expectedSendSize { object["expectedSendSize"] = .string(size) }
    if let size = group.expectedReceiveSize { object["expectedReceiveSize"] = .string(size) }
    return object
  }
}
