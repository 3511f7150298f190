/// The exit status of a command. Scripts rely on the numbers: the meaning of a number never changes.
package struct ExitCode: RawRepresentable, Hashable, Sendable {
  package var rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let success = ExitCode(rawValue: 0)
  package static let failure = ExitCode(rawValue: 1)
  package static let noStore = ExitCode(rawValue: 10)
  package static let locked = ExitCode(rawValue: 11)
  package static let unknownFormat = ExitCode(rawValue: 12)
  package static let notFound = ExitCode(rawValue: 13)
  package static let conflict = ExitCode(rawValue: 14)
  package static let refused = ExitCode(rawValue: 15)
  package static let schemaRefused = ExitCode(rawValue: 16)
  package static let problemsFound = ExitCode(rawValue: 17)
  package static let tryLater = ExitCode(rawValue: 18)
  package static let storage = ExitCode(rawValue: 19)
  package static let unread = ExitCode(rawValue: 20)
  package static let usage = ExitCode(rawValue: 64)
  package static let unsupported = ExitCode(rawValue: 69)
  package static let internalError = ExitCode(rawValue: 70)
  package static let timedOut = ExitCode(rawValue: 124)
  package static let wrapperFailed = ExitCode(rawValue: 125)
  package static let notExecutable = ExitCode(rawValue: 126)
  package static let commandNotFound = ExitCode(rawValue: 127)
  package static let interrupted = ExitCode(rawValue: 130)
  package static let terminated = ExitCode(rawValue: 143)

  /// The meaning of each code, in numeric order: the single table for `help exit-codes` and all manuals.
  package static let meanings: [(code: ExitCode, meaning: String)] = [
    (.success, "success; the condition is true; no differences"),
    (.failure, "a failure without a code of its own"),
    (.noStore, "no cloud here, or it is not initialised"),
    (.locked, "a lock was not obtained in time"),
    (.unknownFormat, "the cloud's format version is unknown or too new"),
    (.notFound, "a named thing was not found"),
    (.conflict, "conflict: the record changed on the server side"),
    (.refused, "account or permission refused"),
    (.schemaRefused, "schema refused"),
    (.problemsFound, "check, repair, doctor, schema diff, store check: problems or differences were found"),
    (.tryLater, "the service answered \"try later\" (throttled, busy, offline); --json gives the seconds"),
    (.storage, "storage cannot be read or written"),
    (.unread, "check, repair, store check: some of it could not be read; no other problems were found"),
    (.usage, "wrong usage"),
    (.unsupported, "not supported yet"),
    (.internalError, "a mistake in localcloud itself; please report it"),
    (.timedOut, "wait, push watch: the time of --timeout ran out"),
    (.wrapperFailed, "exec, as, shell: localcloud itself failed before it started the command"),
    (.notExecutable, "exec, as, shell: the command cannot be executed"),
    (.commandNotFound, "exec, as, shell: the command was not found"),
    (.interrupted, "stopped by an interrupt; the state is consistent"),
    (.terminated, "stopped by a termination signal; the state is consistent"),
  ]

  package var meaning: String? { ExitCode.meanings.first { $0.code == self }?.meaning }
}
