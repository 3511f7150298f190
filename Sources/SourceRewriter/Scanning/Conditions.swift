/// The conditions of the `#if` blocks around a position.
struct Conditions {
  private struct Block {
    /// The clauses before the current one, each negated.
    var before = Condition.always
    /// The condition of the current clause; nil for an `#else` clause.
    var clause: Condition?

    mutating func begin(_ next: Condition?) {
      if let clause { before = before.and(clause.negated) }
      clause = next
    }
  }

  private var blocks: [Block] = []
  /// The condition under which the code at the position is compiled.
  private(set) var current = Condition.always

  mutating func directive(_ name: String, condition: String) {
    switch name {
    case "#if": blocks.append(Block(clause: Condition(clause: condition)))
    case "#elseif" where !blocks.isEmpty: blocks[blocks.count - 1].begin(Condition(clause: condition))
    case "#else" where !blocks.isEmpty: blocks[blocks.count - 1].begin(nil)
    case "#endif": _ = blocks.popLast()
    default: break
    }
    current = blocks.reduce(.always) { $0.and($1.before).and($1.clause ?? .always) }
  }
}

/// The condition under which code is compiled, as far as it is known without the compiler.
struct Condition: Equatable {
  enum Answer {
    case yes, no, unknown

    var negated: Answer {
      switch self {
      case .yes: .no
      case .no: .yes
      case .unknown: .unknown
      }
    }

    func and(_ other: Answer) -> Answer {
      self == .no || other == .no ? .no : self == .yes && other == .yes ? .yes : .unknown
    }

    func or(_ other: Answer) -> Answer { negated.and(other.negated).negated }
  }

  /// Empty for code that always is.
  let text: String
  let answer: Answer

  static let always = Condition(text: "", answer: .yes)

  private init(text: String, answer: Answer) {
    self.text = text
    self.answer = answer
  }

  /// The condition that follows `#if` or `#elseif`.
  init(clause: String) {
    text = "(\(clause))"
    var parser = ConditionParser(text)
    answer = parser.alternatives()
  }

  /// Of one clause.
  var negated: Condition { Condition(text: "!" + text, answer: answer.negated) }

  func and(_ other: Condition) -> Condition {
    let separator = text.isEmpty || other.text.isEmpty ? "" : " && "
    return Condition(text: text + separator + other.text, answer: answer.and(other.answer))
  }
}

/// Evaluates a condition for Linux. Flags of the build are unknown.
private struct ConditionParser {
  private var tokens: ArraySlice<CodeToken>

  init(_ text: String) { tokens = CodeToken.all(in: SourceText(Array(text.utf8)))[...] }

  mutating func alternatives() -> Condition.Answer {
    var answer = conjunction()
    while skip("|", "|") { answer = answer.or(conjunction()) }
    return answer
  }

  private mutating func conjunction() -> Condition.Answer {
    var answer = operand()
    while skip("&", "&") { answer = answer.and(operand()) }
    return answer
  }

  private mutating func operand() -> Condition.Answer {
    var isNegated = false
    while tokens.first?.isPunctuation("!") == true {
      tokens.removeFirst()
      isNegated.toggle()
    }
    let answer = positiveOperand()
    return isNegated ? answer.negated : answer
  }

  private mutating func positiveOperand() -> Condition.Answer {
    guard let token = tokens.popFirst() else { return .unknown }
    if token.isPunctuation("(") {
      let answer = alternatives()
      return tokens.popFirst()?.isPunctuation(")") == true ? answer : .unknown
    }
    guard tokens.first?.isPunctuation("(") == true else {
      return token.text == "true" ? .yes : token.text == "false" ? .no : .unknown
    }
    let argument = tokens.dropFirst().first?.text
    while let next = tokens.popFirst(), !next.isPunctuation(")") {}
    switch token.text {
    case "os": return argument == "Linux" ? .yes : .no
    case "targetEnvironment": return .no
    case "canImport":
      return argument.map(Self.appleModules.contains) == true
        ? .no : argument == "Foundation" || argument == "CoreData" ? .yes : .unknown
    default: return .unknown
    }
  }

  private static let appleModules: Set<String> = [
    "UIKit", "AppKit", "SwiftUI", "WatchKit", "Cocoa", "ObjectiveC", "Darwin", "WidgetKit", "MapKit", "CoreSpotlight",
    "Intents", "AppIntents", "PhotosUI", "UserNotifications", "BackgroundTasks", "SwiftData",
  ]

  private mutating func skip(_ first: String, _ second: String) -> Bool {
    guard tokens.first?.isPunctuation(first) == true, tokens.dropFirst().first?.isPunctuation(second) == true else {
      return false
    }
    tokens = tokens.dropFirst(2)
    return true
  }
}
