#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Runs a program to its end, with inherited streams; returns its status, or 128 plus the signal's number. For
/// measuring whole processes: it adds only the spawn itself.
package func runProgram(_ program: String, _ arguments: [String], _ variables: [String: String] = [:])
  throws(SystemError) -> Int32
{
  var strings = ([program] + arguments).map { strdup($0) }
  strings.append(nil)
  var environment: [UnsafeMutablePointer<CChar>?] = []
  var pointer = environ
  while let entry = pointer.pointee {
    let name = String(cString: entry).prefix { $0 != "=" }
    if variables[String(name)] == nil { environment.append(strdup(entry)) }
    pointer += 1
  }
  for (name, value) in variables { environment.append(strdup("\(name)=\(value)")) }
  environment.append(nil)
  defer { for string in strings + environment { free(string) } }
  var process = pid_t()
  let failure = posix_spawn(&process, program, nil, nil, strings, environment)
  guard failure == 0 else { throw SystemError(code: failure, call: "spawn", path: program) }
  var status: Int32 = 0
  _ = retryingInterrupts { waitpid(process, &status, 0) }
  let signal = status & 0x7F
  return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
}
