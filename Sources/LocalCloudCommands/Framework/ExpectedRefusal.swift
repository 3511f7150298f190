import LocalCloudModel

/// The refusal that `--expect` names. It turns the outcome of a command around: the command has to be refused.
///
/// Wrong usage and interrupts are reported as without the option. Failures of the emulator itself, such as an account
/// that does not exist, never count as the expected refusal, whatever CloudKit calls them.
struct ExpectedRefusal {
  let code: ServiceError.Code

  /// Runs a command. Returns if it is refused with the expected code.
  func check(_ output: Output, _ command: () throws -> Void) throws {
    do {
      try command()
    } catch let exit as SilentExit {
      if exit.exitCode == .interrupted || exit.exitCode == .terminated { throw exit }
      throw failure("the command ended with status \(exit.exitCode.rawValue)")
    } catch is BrokenPipe {
      throw failure("the command was not refused")
    } catch {
      let found = CommandFailure(error)
      if found.exitCode == .usage { throw found }
      guard matches(found) else { throw failure("the command failed with \(Self.name(of: found)): \(found.message)") }
      output.notice("refused as expected: \(found.message) (\(Self.name(of: found)))")
      return
    }
    throw failure("the command succeeded")
  }

  private func failure(_ outcome: String) -> CommandFailure {
    CommandFailure(.failure, code: "notAsExpected", "expected \(code.name), but \(outcome)")
  }

  private func matches(_ failure: CommandFailure) -> Bool {
    guard failure.serverCode != nil else { return false }
    return failure.ckErrorCode == code.rawValue || Self.itemCodes(of: failure) == [code.name]
  }

  /// The codes of the items that failed. Items that fail only since another one did do not count.
  private static func itemCodes(of failure: CommandFailure) -> Set<String> {
    let codes = Set((failure.details["partialErrors"]?.array ?? []).compactMap { $0["code"]?.string })
    let own = codes.subtracting([ServiceError.Code.batchRequestFailed.name])
    return own.isEmpty ? codes : own
  }

  private static func name(of failure: CommandFailure) -> String {
    ([failure.code] + itemCodes(of: failure).sorted()).joined(separator: " of ")
  }
}

extension ValueType<ServiceError.Code> {
  /// A code of CloudKit's errors, by its name. The codes are too many for the list of words that help shows.
  static var errorCode: ValueType {
    ValueType { word in
      ServiceError.Code.allCases.first { $0.name == word }
    } reason: { word in
      let near = WordSuggestion.nearest(to: word, among: ServiceError.Code.allCases.map(\.name))
      return "is not the name of a CKError code" + (near.map { "; did you mean \"\($0)\"?" } ?? "")
    }
  }
}
