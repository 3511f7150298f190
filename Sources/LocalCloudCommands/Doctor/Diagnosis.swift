import LocalCloudPlatform
import LocalCloudStorage

/// One finding of ``Doctor``: the state of one part of the machine or the cloud.
package struct Diagnosis: Sendable, Equatable {
  package enum State: String, Sendable, Comparable {
    case ok, warning, problem

    private var rank: Int {
      switch self {
      case .ok: 0
      case .warning: 1
      case .problem: 2
      }
    }

    package static func < (left: State, right: State) -> Bool { left.rank < right.rank }
  }

  /// The name of the check, a stable word.
  package var check: String
  package var state: State
  package var message: String
  /// The next step for the user.
  package var advice: String?

  init(_ check: String, _ state: State, _ message: String, advice: String? = nil) {
    (self.check, self.state, self.message, self.advice) = (check, state, message, advice)
  }

  var document: JSONObject {
    [
      "advice": advice.map { .string($0) } ?? .null, "check": .string(check), "message": .string(message),
      "state": .string(state.rawValue),
    ]
  }
}

/// The machine as ``Doctor`` sees it. Tests replace parts of it.
package struct ExaminedMachine: Sendable {
  package var fileSystem = FileSystem()
  package var limits = HostLimits.current
  /// The machine's clock, in milliseconds since 1970.
  package var clock: @Sendable () -> Int64 = systemTimeMilliseconds
  package var freeSpace: @Sendable (Directory) throws -> Directory.FreeSpace = { try $0.freeSpace() }
  package var cryptography: @Sendable () throws -> String = { try Cryptography.systemVersion() }
  package var hasProcess: @Sendable (Int32) -> Bool = HostProcess.exists
  package var user = HostProcess.userIdentifier

  package init() {}
}
