/// The conditions of the `#if` blocks around a place.
struct Conditions {
  /// For each block its conditions so far; nil after `#else`.
  private var blocks: [[String?]] = []

  mutating func directive(_ name: String, condition: String) {
    switch name {
    case "#if": blocks.append([condition])
    case "#elseif" where !blocks.isEmpty: blocks[blocks.count - 1].append(condition)
    case "#else" where !blocks.isEmpty: blocks[blocks.count - 1].append(nil)
    case "#endif": _ = blocks.popLast()
    default: break
    }
  }

  /// The condition under which the place is compiled.
  var current: Condition {
    let parts = blocks.flatMap { block in
      block.enumerated().compactMap { place, condition in
        condition.map { place == block.count - 1 ? "(\($0))" : "!(\($0))" }
      }
    }
    return Condition(parts.joined(separator: " && "))
  }
}

/// When code is compiled, as far as that is known without the compiler.
struct Condition: Equatable {
  enum Answer {
    case yes, no, unknown
  }

  /// Empty for code that always is.
  let text: String
  let answer: Answer

  init(_ text: String) {
    self.text = text
    var parser = ConditionParser(text)
    answer = text.isEmpty ? .yes : parser.alternatives()
  }
}

/// Works out what a condition is on Linux. Flags of the build are unknown.
private struct ConditionParser {
  private var tokens: ArraySlice<CodeToken>

  init(_ text: String) { tokens = CodeToken.all(in: SourceText(Array(text.utf8)))[...] }

  mutating func alternatives() -> Condition.Answer {
    var answer = conjunction()
    while skip("|", "|") {
      let other = conjunction()
      answer = answer == .yes || other == .yes ? .yes : answer == .no && other == .no ? .no : .unknown
    }
    return answer
  }

  private mutating func conjunction() -> Condition.Answer {
    var answer = operand()
    while skip("&", "&") {
      let other = operand()
      answer = answer == .no || other == .no ? .no : answer == .yes && other == .yes ? .yes : .unknown
    }
    return answer
  }

  private mutating func operand() -> Condition.Answer {
    guard let token = tokens.popFirst() else { return .unknown }
    if token.isPunctuation("!") {
      switch operand() {
      case .yes: return .no
      case .no: return .yes
      case .unknown: return .unknown
      }
    }
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
