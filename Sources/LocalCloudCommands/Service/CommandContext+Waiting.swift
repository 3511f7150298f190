import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage

/// The result of one look of a wait: the awaited thing, or a sentence on the present state.
enum Look<Value> {
  case met(Value)
  case unmet(String)

  /// The result of `body`. A thing that was not found is waited for. Other errors end the wait, and so does an account
  /// that the cloud does not have, as it is mistyped.
  init(_ body: () throws -> Look) throws {
    do { self = try body() } catch {
      if (error as? ServiceError)?.cause == .unknownAccount { throw error }
      let failure = CommandFailure(error)
      guard failure.exitCode == .notFound else { throw error }
      self = .unmet(failure.message)
    }
  }
}

/// The option that limits a wait.
struct WaitOptions: OptionGroup {
  let timeout = Option<Double>(
    "timeout", "SECONDS", .seconds, help: "the longest wait, 30 otherwise; 0 looks once; status 124 if it is over")

  var options: [any OptionDeclaration] { [timeout] }

  func seconds(_ context: CommandContext) -> Double { context[timeout] ?? 30 }

  /// Waits until `look` finds the awaited thing, and returns it.
  ///
  /// - Throws: a failure with the exit code 124 and the last sentence of `look`; ``SilentExit`` after a signal.
  func wait<Value>(
    _ context: CommandContext, _ session: LastingSession?, watching watched: () throws -> WatchedFolders,
    checkingAgainAfter next: () throws -> Double = { .infinity }, until look: () throws -> Look<Value>
  ) throws -> Value {
    var found = ""
    var isNoticed = false
    return try run(context, session) { wait, seconds in
      try wait.run(in: session, seconds: seconds, watching: watched, checkingAgainAfter: next) { () throws -> Value? in
        switch try look() {
        case .met(let value): return value
        case .unmet(let text):
          found = text
          if !isNoticed, seconds > 0 { context.output.notice("waiting: \(text)") }
          isNoticed = true
          return nil
        }
      }
    } timedOut: {
      found
    }
  }

  /// Waits until no process has written to the folders for `quiet` seconds.
  func waitUntilQuiet(
    _ context: CommandContext, _ session: LastingSession, for quiet: Double,
    watching watched: () throws -> WatchedFolders
  ) throws {
    context.output.notice("waiting: until nothing is written for \(quiet.secondsText) s")
    try run(context, session) { wait, seconds in
      try wait.runUntilQuiet(in: session, for: quiet, seconds: seconds, watching: watched)
    } timedOut: {
      "something was written again and again"
    }
  }

  private func run<Value>(
    _ context: CommandContext, _ session: LastingSession?,
    _ body: (ChangeWait, Double) throws -> ChangeWait.Outcome<Value>, timedOut found: () -> String
  ) throws -> Value {
    let seconds = seconds(context)
    switch try context.interruptible(session, { try body($0, seconds) }) {
    case .met(let value): return value
    case .timedOut, .stopped:
      throw CommandFailure(
        .timedOut, code: "timedOut",
        seconds > 0 ? "waited \(seconds.secondsText) s: \(found())" : "\(found())",
        hint: seconds > 0 ? "--timeout SECONDS waits longer" : "--timeout SECONDS waits for it")
    }
  }
}

extension CommandContext {
  /// Opens a session for a wait that notifies the user when another cloud has replaced its cloud.
  func lastingSession(as role: SessionRole = .command) throws -> LastingSession {
    let session = try LastingSession { try self.session(as: role) }
    session.replaced = { [self] _ in noteReplacement() }
    return session
  }

  func noteReplacement() {
    output.notice("another cloud is here now, as after \"snapshot restore\": going on with it")
  }

  /// Runs a wait that an interrupt or a request to end the process stops. Throws ``SilentExit`` if one did.
  ///
  /// - Parameter session: if its cloud was removed, each error is that of a missing cloud: parts are removed first.
  func interruptible<Value>(
    _ session: LastingSession?, _ body: (ChangeWait) throws -> ChangeWait.Outcome<Value>
  ) throws -> ChangeWait.Outcome<Value> {
    let wait = ChangeWait()
    let interrupts = try Interrupts { wait.stop() }
    let outcome: ChangeWait.Outcome<Value>
    do { outcome = try body(wait) } catch {
      if !(error is BrokenPipe) { _ = try session?.reopenIfReplaced() }
      throw error
    }
    if case .stopped = outcome { throw SilentExit(interrupts.isTermination ? .terminated : .interrupted) }
    return outcome
  }
}

/// The zone that a command waits in. It need not exist yet, or be shared with the account.
struct AwaitedZone {
  let lastingSession: LastingSession
  let scope: DatabaseScope
  private let name: String?
  private let owner: String?

  var session: Session { lastingSession.current }

  init(_ name: String?, owner: String?, _ context: CommandContext) throws {
    lastingSession = try context.lastingSession()
    scope = context.scope(standard: owner == nil ? .private : .shared)
    (self.name, self.owner) = (name, owner)
  }

  init(_ options: ZoneOptions, _ context: CommandContext) throws {
    try self.init(context[options.zone], owner: context[options.owner], context)
  }

  /// Throws the error of a missing zone if several people may share it, and none does.
  func target() throws -> ZoneTarget {
    ZoneTarget(session: session, scope: scope, zone: try session.zone(named: name, owner: owner, in: scope))
  }

  func watchedFolders() throws -> WatchedFolders {
    let part: WatchedPart
    switch try Look<ZoneIdentifier>({ .met(try target().zone) }) {
    case .met(let zone): part = .zone(zone, scope)
    case .unmet: part = .database(scope)
    }
    return try session.service.watchedFolders(of: [part], by: session.caller)
  }
}
