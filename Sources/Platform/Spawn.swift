#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Runs a program to its end, with inherited streams; returns its status, or 128 plus the signal's number. For
/// measuring whole processes: it adds only the spawn itself.
package func runProgram(_ program: String, _ arguments: [String], _ variables: [String: String?] = [:])
  throws(SystemError) -> Int32
{
  let process = try startProgram([program] + arguments, variables)
  var status: Int32 = 0
  _ = retryingInterrupts { waitpid(process, &status, 0) }
  return exitCode(ofWaitStatus: status)
}

/// Replaces this process by a program that is looked up in `PATH`; returns only by an error.
///
/// - Parameters:
///   - words: the program and its arguments; at least one.
///   - variables: the changes of the environment; nil removes a variable.
package func replaceProcess(_ words: [String], _ variables: [String: String?]) throws(SystemError) -> Never {
  for (name, value) in variables {
    if let value { setenv(name, value, 1) } else { unsetenv(name) }
  }
  let arguments = copies(of: words)
  // The program would inherit that this process ignores it.
  let before = signal(SIGPIPE, SIG_DFL)
  execvp(arguments[0], arguments + [nil])
  let failure = SystemError.last("run", words[0])
  _ = signal(SIGPIPE, before)
  for argument in arguments { free(argument) }
  throw failure
}

/// Starts a program that is looked up in `PATH`, with inherited streams.
///
/// - Parameters:
///   - words: the program and its arguments; at least one.
///   - variables: the changes of the environment; nil removes a variable.
///   - inOwnGroup: makes it the leader of a new process group, that a broken pipe ends as usual.
func startProgram(
  _ words: [String], _ variables: [String: String?], inOwnGroup: Bool = false
) throws(SystemError) -> pid_t {
  let arguments = copies(of: words)
  var environment: [UnsafeMutablePointer<CChar>?] = []
  var pointer = environ
  while let entry = pointer.pointee {
    // By bytes: `=` and a combining mark after it form one character.
    let name = String(decoding: String(cString: entry).utf8.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    if !variables.keys.contains(name) { environment.append(strdup(entry)) }
    pointer += 1
  }
  for (name, value) in variables {
    if let value { environment.append(strdup("\(name)=\(value)")) }
  }
  environment.append(nil)
  defer { for string in environment + arguments { free(string) } }
  #if canImport(Darwin)
    var attributes: posix_spawnattr_t?
  #else
    var attributes = posix_spawnattr_t()
  #endif
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  if inOwnGroup {
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
  }
  var process = pid_t()
  var failure = posix_spawnp(&process, arguments[0], nil, &attributes, arguments + [nil], environment)
  if failure == ENOEXEC, words[0].utf8.contains(UInt8(ascii: "/")) {
    // A script whose first line names no interpreter. `execvp` has the shell run it, and so do shells.
    let shell: UnsafeMutablePointer<CChar> = strdup("/bin/sh")
    failure = posix_spawn(&process, shell, nil, &attributes, [shell] + arguments + [nil], environment)
    free(shell)
  }
  guard failure == 0 else { throw SystemError(code: failure, call: "run", path: words[0]) }
  return process
}

/// Copies of the words for the system. If they are the last arguments of this process, their bytes are copied: an
/// argument need not be UTF-8, and its text then has other characters.
private func copies(of words: [String]) -> [UnsafeMutablePointer<CChar>] {
  let own = CommandLine.arguments
  let start = own.count - words.count
  let areOwn = start > 0 && own[start...].elementsEqual(words)
  return words.enumerated().map { index, word -> UnsafeMutablePointer<CChar> in
    if areOwn, let bytes = CommandLine.unsafeArgv[start + index] { return strdup(bytes) }
    return strdup(word)
  }
}

/// The exit status in a status that `waitpid` reports, or 128 plus the number of the signal that ended the process.
func exitCode(ofWaitStatus status: Int32) -> Int32 {
  let signal = status & 0x7F
  return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
}
