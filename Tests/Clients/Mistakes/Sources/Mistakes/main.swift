import CloudKit

/// A mistake, and what stands on standard error when the process ends over it.
struct Mistake {
  var exception = "CKException"
  var reason: String
  var make: () -> Void
}

func note() -> CKRecord { CKRecord(recordType: "Note") }

func share(_ permission: CKShare.ParticipantPermission = .none) -> CKShare {
  let share = CKShare(rootRecord: note())
  share.publicPermission = permission
  return share
}

func query(_ format: String) {
  _ = CKQuery(recordType: "Note", predicate: NSPredicate(format: format))
}

struct Unsupported: CKRecordValueProtocol {}

let mistakes: [Mistake] = [
  Mistake(reason: "Field key starts with an underscore, which is reserved: _a") { note()["_a"] = 1 },
  Mistake(reason: "Field key must start with a letter and hold only letters, digits and underscores: a b") {
    note()["a b"] = 1
  },
  Mistake(reason: "Field key must not be nil or empty") { note()[""] = 1 },
  Mistake(exception: "NSInvalidArgumentException", reason: "Unsupported") { note()["a"] = Unsupported() },
  Mistake(reason: "References and assets cannot be stored in encryptedValues: a") {
    note().encryptedValues["a"] = CKAsset(fileURL: URL(fileURLWithPath: "/a"))
  },
  Mistake(reason: "recordName must not be nil or empty") { _ = CKRecord.ID(recordName: "") },
  Mistake(reason: "recordName is longer than 255 characters") {
    _ = CKRecord.ID(recordName: String(repeating: "a", count: 256))
  },
  Mistake(reason: "zoneName must not be nil or empty") { _ = CKRecordZone(zoneName: "") },
  Mistake(reason: "recordType must not be nil or empty") { _ = CKRecord(recordType: "") },
  Mistake(exception: "NSInvalidArgumentException", reason: "Non-file URL") {
    _ = CKAsset(fileURL: URL(string: "https://example.org/a")!)
  },
  Mistake(
    exception: "NSInvalidArgumentException",
    reason: "You must specify at least one of firesOnRecordCreation, firesOnRecordUpdate and firesOnRecordDeletion"
  ) {
    _ = CKQuerySubscription(recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "a", options: [])
  },
  Mistake(reason: "A parent reference must have the action CKReferenceActionNone") {
    note().parent = CKRecord.Reference(recordID: CKRecord.ID(recordName: "p"), action: .deleteSelf)
  },
  Mistake(reason: "publicPermission cannot be set to CKShareParticipantPermissionUnknown") {
    share().publicPermission = .unknown
  },
  Mistake(reason: "The owner cannot be removed from a share") {
    let share = share()
    share.removeParticipant(share.owner)
  },
  Mistake(reason: "Not an error of CKErrorDomain: other") {
    _ = CKError(_nsError: NSError(domain: "other", code: 1))
  },
  // Of a query.
  Mistake(reason: "recordType must not be nil or empty") {
    _ = CKQuery(recordType: "", predicate: NSPredicate(value: true))
  },
  Mistake(
    reason: #"Invalid predicate: title == "a" OR title == "b" "#
      + #"(Error Domain=CKErrorDomain Code=12 "Invalid predicate title == "a" OR title == "b"")"#
  ) { query("title == 'a' OR title == 'b'") },
  Mistake(
    reason: #"Invalid predicate: count > 1 AND (title == "a" OR title == "b") "#
      + #"(Error Domain=CKErrorDomain Code=12 "Invalid predicate title == "a" OR title == "b"")"#
  ) { query("count > 1 AND (title == 'a' OR title == 'b')") },
  Mistake(
    reason: #"Invalid predicate: "title" == "b" (Error Domain=CKErrorDomain Code=12 "#
      + #""Invalid left expression in <"title" == "b">: <"title"> is not an evaluated object expression")"#
  ) { query("'title' == 'b'") },
  Mistake(exception: "NSInvalidArgumentException", reason: "Unable to parse the format string") { query("title ==") },
]

/// Runs this program for one mistake; what it said, and whether it was stopped.
func run(_ place: Int) throws -> (errors: String, isStopped: Bool) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
  process.arguments = ["\(place)"]
  process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
  let errors = Pipe()
  process.standardError = errors
  try process.run()
  let said = errors.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (String(decoding: said, as: UTF8.self), process.terminationReason == .uncaughtSignal)
}

if let place = CommandLine.arguments.dropFirst().first.flatMap(Int.init) {
  mistakes[place].make()
  exit(0)
}

// What is no mistake goes on.
query("title == 'a' AND NOT count == 1")
query("1 < count")
query("title ENDSWITH 'a'")

var failures = 0
for (place, mistake) in mistakes.enumerated() {
  let (errors, isStopped) = try run(place)
  let line = "*** Terminating app due to uncaught exception '\(mistake.exception)', reason: '"
  let isReasonSaid = errors.components(separatedBy: "\n").contains { $0.contains(line) && $0.contains(mistake.reason) }
  if isStopped, isReasonSaid { continue }
  failures += 1
  FileHandle.standardError.write(Data("\(place): \(mistake.reason)\nended by a signal: \(isStopped)\n\(errors)\n".utf8))
}
exit(failures == 0 ? 0 : 1)
