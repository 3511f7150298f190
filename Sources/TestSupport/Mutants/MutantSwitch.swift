/// The variables that tell a process which fault is switched on, and where to record the faults it reaches.
package enum MutantSwitch {
  /// The variable with the fault's number.
  package static let variable = "PLANTED_FAULT"
  /// The variable with the path of a file. Each process appends a line for each planted fault that it reaches.
  package static let trace = "PLANTED_FAULT_TRACE"
  package static let fileName = "PlantedFault.swift"

  /// The source that is added to each target with faults.
  static func source(_ declarations: [String]) -> String {
    ([template] + declarations).joined(separator: "\n\n") + "\n"
  }

  private static let template = """
    #if canImport(Glibc)
      import Glibc
    #elseif canImport(Musl)
      import Musl
    #else
      import Darwin
    #endif
    import Synchronization

    private let chosenFault = getenv("\(variable)").flatMap { Int(String(cString: $0)) } ?? -1
    private let faultTrace = getenv("\(trace)").map { String(cString: $0) }
    private let reachedFaults = Mutex<Set<Int>>([])

    func plantedFault(_ number: Int) -> Bool {
      if let faultTrace, reachedFaults.withLock({ $0.insert(number).inserted }) {
        let file = open(faultTrace, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        if file >= 0 {
          let line = Array("\\(number)\\n".utf8)
          _ = write(file, line, line.count)
          close(file)
        }
      }
      return number == chosenFault
    }
    """
}
