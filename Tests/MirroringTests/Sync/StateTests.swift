import LocalCloudObjectStore
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("The state of a mirroring")
struct StateTests {
  private var started: MirroringWorker.State {
    var state = MirroringWorker.State()
    _ = state.start()
    return state
  }

  private var setUp: MirroringWorker.State {
    var state = started
    _ = state.next()
    state.finishSetup(MirroredAccount(user: "_alice"))
    return state
  }

  /// The name of the next work.
  private func work(_ state: inout MirroringWorker.State) -> String {
    switch state.next() {
    case .end?: "end"
    case .job?: "request"
    case .run(let kind)?: "\(kind)"
    case nil: "none"
    }
  }

  private var job: MirroringWorker.Job { MirroringWorker.Job(run: { _ in }, cancel: { _ in }) }

  @Test("a started mirroring is set up first, then imports, then exports, and then rests [mirror-18]")
  func startedMirroringIsSetUpFirst() {
    var state = started
    #expect(work(&state) == "setup")
    // Nothing runs before the setup is done.
    #expect(work(&state) == "none")
    state.finishSetup(MirroredAccount(user: "_alice"))
    #expect(work(&state) == "import")
    #expect(work(&state) == "export")
    #expect(work(&state) == "none")
    #expect(state.wakeUp == nil)
  }

  @Test("requests run during a pause, runs only after it [mirror-39]")
  func requestsRunDuringAPause() {
    var state = setUp
    state.pauses.begin(100_000)
    #expect(work(&state) == "none")
    #expect(state.add(job) == true)
    #expect(work(&state) == "request")
    state.pauses.endUnlessRequested()
    #expect(work(&state) == "none")
    state.pauses.reset()
    #expect(work(&state) == "import")
  }

  @Test("a mirroring accepts requests only from its start to its stop, and its stop returns the waiting ones")
  func stopReturnsTheWaitingRequests() {
    var state = MirroringWorker.State()
    #expect(state.add(job) == false)
    #expect(state.start() == true)
    #expect(state.start() == false)
    #expect(state.add(job) == true)
    let waiting = state.stop()
    #expect(waiting.count == 1)
    #expect(state.add(job) == false)
    #expect(!state.isOver)
    #expect(work(&state) == "end")
    state.end()
    #expect(state.isOver)
    #expect(state.start() == false)
  }

  @Test("a mirroring that was stopped before its start never starts")
  func stoppedBeforeItsStart() {
    var state = MirroringWorker.State()
    _ = state.stop()
    #expect(state.start() == false)
    #expect(state.isOver)
  }

  @Test("a change of the account during a setup repeats the setup [mirror-16]")
  func accountChangesDuringTheSetup() {
    var state = started
    _ = state.next()
    state.accountChanged()
    state.finishSetup(MirroredAccount(user: "_alice"))
    #expect(state.account == nil)
    #expect(work(&state) == "setup")
  }

  @Test("a setup that fails for another reason than the account waits for a save [mirror-18]")
  func failedSetupWaitsForASave() {
    var state = started
    _ = state.next()
    state.fail(.setup, .lasting, retried: [.setup], isPublic: false)
    #expect(state.setup == .failed)
    #expect(work(&state) == "none")
    #expect(state.wakeUp == nil)
  }

  @Test("an account that the cloud refuses is set up again; if it is refused again, after a pause [mirror-16]")
  func refusedAccount() {
    var state = setUp
    state.fail(.import, .noAccount, retried: [.import], isPublic: false)
    #expect(state.pauses.end == nil)
    #expect(work(&state) == "setup")
    state.finishSetup(MirroredAccount(user: "_alice"))
    state.fail(.import, .noAccount, retried: [.import], isPublic: false)
    #expect(state.pauses.end != nil)
    #expect(work(&state) == "none")
  }

  @Test("a failure does not pause a device that came online during the run [mirror-40]")
  func onlineDuringTheRun() {
    var state = setUp
    _ = state.next()
    state.pauses.reset()
    state.pauses.isOnlineAgain = true
    state.fail(.import, .temporary(seconds: nil), retried: [.import], isPublic: false)
    #expect(state.pauses.end == nil)
    #expect(work(&state) == "import")
    // The next failure pauses.
    state.fail(.import, .temporary(seconds: nil), retried: [.import], isPublic: false)
    #expect(state.pauses.end != nil)
  }

  @Test("without notifications of sign-ins a setup without an account is retried after a pause [mirror-16]")
  func withoutNotificationsOfSignIns() {
    for isObserved in [true, false] {
      var state = started
      _ = state.next()
      state.observesAccount = isObserved
      state.fail(.setup, .noAccount, retried: [.setup], isPublic: false)
      #expect(state.wanted.contains(.setup) == !isObserved)
      #expect((state.pauses.end != nil) == !isObserved)
    }
  }
}
