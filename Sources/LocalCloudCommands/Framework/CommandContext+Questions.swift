/// Dialog with a user at a terminal: questions go to standard error, answers come from standard input.
extension CommandContext {
  /// Whether the command may ask questions: all standard streams are terminals, the format is not JSON, and
  /// `--no-input` is absent.
  package var mayAsk: Bool { !self[GlobalOptions.noInput] && !format.isJSON && input.isTerminal && output.isTerminal }

  /// Asks a question and returns the answer without surrounding spaces; nil at the end of the input (Ctrl-D). Throws
  /// ``SilentExit`` on an interrupt.
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

  /// Returns if the user agrees to `action` (`"delete zone Notes"`) or gave `--yes`. Throws if the user declines or if
  /// the command may not ask.
  package func confirm(_ action: String) throws {
    if self[GlobalOptions.yes] { return }
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
