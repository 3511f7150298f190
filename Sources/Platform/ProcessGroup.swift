import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The descriptor that the signal handler writes to: a signal handler can't capture values.
private let signalEnd = Atomic<Int32>(-1)

/// A command that runs in a process group of its own, with the streams of this process.
///
/// From `init` on, signals that would end or stop this process are collected, and ``run(_:_:)`` passes them to the
/// group. A signal that this process ignores stays ignored in both. When the command has ended, the other processes of
/// its group are ended, too.
///
/// The group gets the terminal's foreground from this process: at once if standard input and output are a terminal,
/// otherwise when the command needs it. Until then, the other programs of a pipeline have it, such as a pager.
///
/// `SIGKILL` can't be collected: if it ends this process, the command continues.
///
/// Threads: one instance at a time in a process, on one thread. While a command runs, this process may have no other
/// children with a status that is needed.
package final class ProcessGroup {
  private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM]
  private static let collected = ending + [SIGTSTP, SIGCONT, SIGCHLD]
  /// Seconds that the processes that a command leaves have to end after `SIGTERM`.
  private static let grace = 2.0

  private let pipe: WakePipe
  /// The process's terminal, wherever its streams lead; -1 without one.
  private let terminal = openPath("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
  /// Whether the group gets the foreground before it needs it.
  private let isAtTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1

  package init() throws(SystemError) {
    pipe = try WakePipe()
    signalEnd.store(pipe.writing, ordering: .sequentiallyConsistent)
    collectSignals()
  }

  deinit {
    for number in Self.collected where !Interrupts.isIgnored(number) { _ = signal(number, SIG_DFL) }
    signalEnd.store(-1, ordering: .sequentiallyConsistent)
    if terminal >= 0 { close(terminal) }
  }

  /// Runs a command to its end.
  ///
  /// - Parameters:
  ///   - words: the program and its arguments; at least one. The program is looked up in `PATH`.
  ///   - variables: the changes of the environment; nil removes a variable.
  /// - Returns: the exit status, or 128 plus the number of the signal that ended the command. After an earlier signal
  ///   the command is not started, and the number is that signal's.
  /// - Throws: an error if the program can't be started.
  package func run(_ words: [String], _ variables: [String: String?]) throws(SystemError) -> Int32 {
    // ``Interrupts`` may have had the signals since `init`.
    collectSignals()
    if let number = takeSignals().first(where: Self.ending.contains) { return 128 + number }
    let adopts = becomeSubreaper()
    let group = try startProgram(words, variables, inOwnGroup: true)
    // It may have been stopped because it was not in the foreground yet.
    if isAtTerminal { resume(group, inForeground: true) }
    let status = waitForEnd(of: group)
    endRest(of: group, adopts: adopts)
    takeTerminal(from: group)
    return status
  }

  // MARK: Signals

  private func collectSignals() {
    for number in Self.collected where number == SIGCHLD || !Interrupts.isIgnored(number) {
      _ = signal(number) { number in
        WakePipe.wake(signalEnd.load(ordering: .sequentiallyConsistent), UInt8(truncatingIfNeeded: number))
      }
    }
    // The process that started this one may have blocked it: then the command's end would not be noticed.
    var childEnds = sigset_t()
    sigemptyset(&childEnds)
    sigaddset(&childEnds, SIGCHLD)
    pthread_sigmask(SIG_UNBLOCK, &childEnds, nil)
  }

  /// The signals since the last call.
  private func takeSignals() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = retryingInterrupts { readBytes(pipe.reading, &bytes, bytes.count) }
    return bytes.prefix(max(0, count)).map { Int32($0) }
  }

  private func pass(_ number: Int32, to group: pid_t) {
    switch number {
    case SIGCHLD: break
    case SIGCONT: resume(group, inForeground: isAtTerminal)
    default: kill(-group, number)
    }
  }

  // MARK: The terminal

  private func isInForeground(_ group: pid_t) -> Bool { tcgetpgrp(terminal) == group }

  /// Continues the group. `inForeground`: gives it the foreground if this process has it.
  private func resume(_ group: pid_t, inForeground: Bool) {
    if inForeground, isInForeground(getpgrp()) { setForeground(group) }
    kill(-group, SIGCONT)
  }

  /// Takes the foreground back. Returns whether the group had it.
  @discardableResult
  private func takeTerminal(from group: pid_t) -> Bool {
    guard isInForeground(group) else { return false }
    setForeground(getpgrp())
    return true
  }

  private func setForeground(_ group: pid_t) {
    // A process in the background may do this only if it blocks the signal.
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    tcsetpgrp(terminal, group)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Handles that a signal has stopped the command.
  private func stopped(_ group: pid_t, by number: Int32) {
    switch number {
    case SIGTTIN where terminal >= 0, SIGTTOU where terminal >= 0:
      // It needs the terminal, or it looked before it was in the foreground, and stopped itself afterwards.
      if isInForeground(getpgrp()) || isInForeground(group) {
        resume(group, inForeground: true)
      } else {
        // In the background, this process's job stops as if a program in it had needed the terminal.
        kill(0, number)
      }
    case SIGTSTP, SIGSTOP:
      // The shell that started this process continues its whole job: this process, and the programs around it.
      if takeTerminal(from: group) { kill(0, SIGSTOP) } else if number == SIGTSTP { kill(getpid(), SIGSTOP) }
    default: break
    }
  }

  // MARK: Ends

  /// Waits for the command, and collects the status of each other child: a subreaper gets those of ended processes.
  private func waitForEnd(of command: pid_t) -> Int32 {
    while true {
      var status: Int32 = 0
      let child = waitpid(-1, &status, WNOHANG | WUNTRACED)
      if child <= 0 {
        _ = waitToRead([pipe.reading])
        for number in takeSignals() { pass(number, to: command) }
      } else if child == command {
        if status & 0xFF != 0x7F { return exitCode(ofWaitStatus: status) }
        stopped(command, by: (status >> 8) & 0xFF)
      }
    }
  }

  /// Ends the processes that are left in the group.
  ///
  /// - Parameter adopts: whether they become children of this process, so that their ends are reported. Otherwise they
  ///   are looked at every 10 milliseconds.
  private func endRest(of group: pid_t, adopts: Bool) {
    kill(-group, SIGTERM)
    kill(-group, SIGCONT)
    let limit = monotonicNanoseconds(after: Self.grace)
    while isPresent(group) {
      let now = monotonicNanoseconds()
      if now >= limit || takeSignals().contains(where: Self.ending.contains) {
        kill(-group, SIGKILL)
        while waitpid(-group, nil, 0) > 0 || errno == EINTR {}
        return
      }
      _ = waitToRead([pipe.reading], milliseconds: adopts ? Int32((limit - now) / 1_000_000) + 1 : 10)
    }
  }

  private func isPresent(_ group: pid_t) -> Bool {
    while waitpid(-group, nil, WNOHANG) > 0 {}
    return kill(-group, 0) == 0
  }

  /// Makes this process the parent of processes below it that lose theirs. Returns false if the system can't do so.
  private func becomeSubreaper() -> Bool {
    #if os(Linux)
      controlProcess(subreaper, 1, 0, 0, 0) == 0
    #else
      false
    #endif
  }
}

#if os(Linux)
  /// `PR_SET_CHILD_SUBREAPER`.
  private let subreaper: Int32 = 36

  // Swift imports no function with variable arguments.
  @_silgen_name("prctl") private func controlProcess(
    _ option: Int32, _ value: UInt, _ third: UInt, _ fourth: UInt, _ fifth: UInt
  ) -> Int32
#endif
