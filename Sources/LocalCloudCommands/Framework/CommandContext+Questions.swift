/// Talk with a person at a terminal: questions on standard error, answers from standard input.
extension CommandContext {
  /// Whether there is somebody to ask, who did not say that nothing may be asked.
  package var mayAsk: Bool { !flag("no-input") && !format.isJSON && input.isTerminal && output.isTerminal }

  /// The answer, without the spaces around it; nil where there will be no more (Ctrl-D). An interrupt ends the command.
  package func ask(_ question: StyledText) throws -> String? {
    output.say(question + " ", terminator: "")
    switch input.readLine() {
    case .text(let text):
      return text.trimmed
    case .end:
      output.say("")
      return nil
    case .interrupted:
      output.say("")
      throw SilentExit(.interrupted)
    }
  }

  /// Returns if the user agrees to `action` (`"delete zone Notes"`); throws if not, or if nobody may be asked.
  package func confirm(_ action: String) throws {
    if flag("yes") { return }
    guard mayAsk else {
      throw CommandFailure(
        .usage, code: "confirmationNeeded", "will not \(action) without being told to",
        hint: "add --yes to do it without a question")
    }
    let answer = try ask("\(action)? [y/N]")?.lowercased()
    guard answer == "y" || answer == "yes" else {
      throw CommandFailure(.failure, code: "declined", "did not \(action)")
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    func isSpace(_ character: Character) -> Bool { character.isWhitespace }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}
