import CloudKit

#if os(Linux)
  import Combine
#endif

/// A mistake, and the text on standard error when the process ends.
struct Mistake {
  /// Nil if Apple's systems raise no exception either. Then only the text is printed.
  var exception: String? = "CKException"
  /// The whole text. `…` stands for a variable part.
  var reason: String
  var make: () -> Void

  /// Whether a line ends with exactly this text.
  func isSaid(in errors: String) -> Bool {
    let beginning = exception.map { "*** Terminating app due to uncaught exception '\($0)', reason: '" } ?? ""
    let wanted = "Fatal error: \(beginning)\(reason)\(exception == nil ? "" : "'")"
    let parts = wanted.components(separatedBy: "…")
    return errors.components(separatedBy: "\n").contains { line in
      guard let range = line.range(of: parts[0]) else { return false }
      let rest = line[range.upperBound...]
      return parts.count == 1 ? rest.isEmpty : rest.hasSuffix(parts[1])
    }
  }
}

let invalidArgument = "NSInvalidArgumentException"

func note() -> CKRecord { CKRecord(recordType: "Note") }

func share(_ permission: CKShare.ParticipantPermission = .none) -> CKShare {
  let share = CKShare(rootRecord: note())
  share.publicPermission = permission
  return share
}

func person(_ role: CKShare.ParticipantRole = .privateUser) -> CKShare.Participant {
  let person = CKShare.Participant.oneTimeURLParticipant()
  person.role = role
  return person
}

/// A share with another owner than the current user.
func foreignShare() -> CKShare {
  let share = share()
  share.owner.role = .privateUser
  return share
}

func query(_ format: String) {
  _ = CKQuery(recordType: "Note", predicate: NSPredicate(format: format))
}

func strictQuery(_ format: String) {
  setenv("LOCALCLOUD_STRICT", "on", 1)
  query(format)
}

func subscription(_ options: CKQuerySubscription.Options) {
  _ = CKQuerySubscription(
    recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "a", options: options)
}

/// Sets a property while the operation runs.
func changeWhileRunning() {
  let operation = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "none")])
  let done = DispatchSemaphore(value: 0)
  operation.perRecordResultBlock = { _, _ in operation.recordIDs = [] }
  operation.fetchRecordsResultBlock = { _ in done.signal() }
  CKContainer.default().privateCloudDatabase.add(operation)
  done.wait()
}

func addTwice() {
  let operation = CKFetchRecordsOperation(recordIDs: [])
  CKContainer.default().privateCloudDatabase.add(operation)
  CKContainer.default().privateCloudDatabase.add(operation)
}

struct Unsupported: CKRecordValueProtocol {}

final class OwnFetch: CKFetchRecordsOperation, @unchecked Sendable {}

final class OwnParticipant: CKShareParticipant, @unchecked Sendable {}

final class KeylessCoder: NSCoder {
  override var allowsKeyedCoding: Bool { false }
}

let recordMistakes: [Mistake] = [
  Mistake(reason: "key (__a) contains invalid characters") { note()["__a"] = 1 },
  Mistake(reason: "key (a b) contains invalid characters") { note()["a b"] = 1 },
  Mistake(reason: "Field key must not be nil or empty") { note()[""] = 1 },
  Mistake(reason: "Field key is longer than 255 characters") { note()[String(repeating: "a", count: 256)] = 1 },
  Mistake(
    exception: invalidArgument,
    reason: "Invalid value type for CKRecord: Unsupported. Values must be strings, numbers, dates, data, locations, "
      + "references, assets, or arrays of these"
  ) { note()["a"] = Unsupported() },
  Mistake(reason: "References and assets cannot be stored in encryptedValues: a") {
    note().encryptedValues["a"] = CKAsset(fileURL: URL(fileURLWithPath: "/a"))
  },
  Mistake(reason: "recordName must not be nil or empty") { _ = CKRecord.ID(recordName: "") },
  Mistake(reason: "recordName is longer than 255 characters") {
    _ = CKRecord.ID(recordName: String(repeating: "a", count: 256))
  },
  Mistake(reason: "zoneName must not be nil or empty") { _ = CKRecordZone(zoneName: "") },
  Mistake(reason: "ownerName must not be nil or empty") { _ = CKRecordZone.ID(zoneName: "a", ownerName: "") },
  Mistake(reason: "recordType must not be nil or empty") { _ = CKRecord(recordType: "") },
  Mistake(reason: "recordType (AppMessage.Message) contains invalid characters") {
    _ = CKRecord(recordType: "AppMessage.Message")
  },
  Mistake(exception: invalidArgument, reason: "Non-file URL") {
    _ = CKAsset(fileURL: URL(string: "https://example.org/a")!)
  },
  Mistake(reason: "A parent reference must have the action CKReferenceActionNone") {
    note().parent = CKRecord.Reference(recordID: CKRecord.ID(recordName: "p"), action: .deleteSelf)
  },
  Mistake(reason: "CloudKit objects can only be encoded with a keyed archiver") {
    note().encodeSystemFields(with: KeylessCoder())
  },
]

let sharingMistakes: [Mistake] = [
  Mistake(reason: "publicPermission cannot be set to CKShareParticipantPermissionUnknown") {
    share().publicPermission = .unknown
  },
  Mistake(
    reason: "The share and its root record must be in the same zone: s:(Other:__defaultOwner__), "
      + "r:(_defaultZone:__defaultOwner__)"
  ) {
    let root = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "r"))
    let shareID = CKRecord.ID(recordName: "s", zoneID: CKRecordZone.ID(zoneName: "Other"))
    _ = CKShare(rootRecord: root, shareID: shareID)
  },
  Mistake(
    reason: "Participants cannot be added to a share whose publicPermission is not CKShareParticipantPermissionNone"
  ) { share(.readOnly).addParticipant(person()) },
  Mistake(
    reason: "Participants cannot be removed from a share whose publicPermission is not CKShareParticipantPermissionNone"
  ) { share(.readOnly).removeParticipant(person()) },
  Mistake(reason: "The participant is already on another share; remove it from there first") {
    let person = person()
    share().addParticipant(person)
    share().addParticipant(person)
  },
  Mistake(reason: "Only private users and administrators can be added to a share") {
    share().addParticipant(person(.publicUser))
  },
  Mistake(reason: "The participant is not on this share") { share().removeParticipant(person()) },
  Mistake(reason: "The owner cannot be removed from a share") {
    let share = share()
    share.removeParticipant(share.owner)
  },
  Mistake(reason: "Only the owner or an administrator of a share can handle requests for access") {
    foreignShare().allowsAccessRequests = true
  },
  Mistake(reason: "Only the owner or an administrator of a share can handle requests for access") {
    foreignShare().denyRequesters([])
  },
  Mistake(reason: "OwnParticipant cannot be made") { OwnParticipant.oneTimeURLParticipant() },
]

let operationMistakes: [Mistake] = [
  Mistake(reason: "The operation was added before: …") { addTwice() },
  Mistake(reason: "recordIDs can't be set while the operation runs: …") { changeWhileRunning() },
  Mistake(reason: "OwnFetch inherits a factory that makes CKFetchRecordsOperation only") {
    OwnFetch.fetchCurrentUserRecordOperation()
  },
  Mistake(
    exception: invalidArgument,
    reason: "You must specify at least one of firesOnRecordCreation, firesOnRecordUpdate and firesOnRecordDeletion in "
      + "the options of a CKQuerySubscription"
  ) { subscription([]) },
  Mistake(reason: "Not an error of CKErrorDomain: other") {
    _ = CKError(_nsError: NSError(domain: "other", code: 1))
  },
]

let queryMistakes: [Mistake] = [
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
  Mistake(reason: #"Unexpected expression: title ENDSWITH "a""#) { strictQuery("title ENDSWITH 'a'") },
  Mistake(exception: invalidArgument, reason: #"Unable to parse the format string "title ==" (line 1, column …"#) {
    query("title ==")
  },
  Mistake(exception: invalidArgument, reason: "Collections more than 100 levels deep in a predicate") {
    let list = (0..<100).reduce("a" as Any) { inner, _ in [inner] }
    _ = NSPredicate(format: "a == %@", argumentArray: [list])
  },
]

#if os(Linux)
  // With an Objective-C runtime the compiler bridges errors, and Combine is Apple's.
  let linuxMistakes: [Mistake] = [
    Mistake(reason: "There is no error to bridge") { _ = CKError._unconditionallyBridgeFromObjectiveC(nil) },
    Mistake(exception: nil, reason: "A demand cannot be negative") { _ = Subscribers.Demand.max(-1) },
    Mistake(exception: nil, reason: "A length cannot be negative") { _ = [1].publisher.prefix(-1) },
    Mistake(exception: nil, reason: "A count cannot be negative") { _ = [1].publisher.dropFirst(-1) },
  ]
#else
  let linuxMistakes: [Mistake] = []
#endif

let mistakes = recordMistakes + sharingMistakes + operationMistakes + queryMistakes + linuxMistakes

/// Runs this program for one mistake. Returns its standard error, and whether the process was stopped by a signal.
func run(_ index: Int) throws -> (errors: String, isStopped: Bool) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
  process.arguments = ["\(index)"]
  process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
  let errors = Pipe()
  process.standardError = errors
  try process.run()
  let said = errors.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (String(decoding: said, as: UTF8.self), process.terminationReason == .uncaughtSignal)
}

if let index = CommandLine.arguments.dropFirst().first.flatMap(Int.init) {
  mistakes[index].make()
  exit(0)
}

// Correct queries do not stop the process.
query("title == 'a' AND NOT count == 1")
query("1 < count")
query("title ENDSWITH 'a'")

var failures = 0
for (index, mistake) in mistakes.enumerated() {
  let (errors, isStopped) = try run(index)
  if isStopped, mistake.isSaid(in: errors) { continue }
  failures += 1
  FileHandle.standardError.write(Data("\(index): \(mistake.reason)\nended by a signal: \(isStopped)\n\(errors)\n".utf8))
}
exit(failures == 0 ? 0 : 1)
