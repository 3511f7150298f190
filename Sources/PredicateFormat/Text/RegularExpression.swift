/// A regular expression for `MATCHES`: the syntax of ICU without back references, look-around and possessive
/// quantifiers.
///
/// All alternatives are followed simultaneously, so the steps of a match are at most proportional to the length of the
/// text times the size of the expression.
struct RegularExpression {
  indirect enum Node {
    case empty
    case scalar(ScalarSet)
    case sequence([Node])
    case choice([Node])
    case repetition(Node, Int, Int?)
    case assertion(Assertion)
  }

  enum Assertion {
    case textStart, textEnd, textEndBeforeBreak, lineStart, lineEnd, wordBoundary, noWordBoundary
  }

  enum Instruction {
    case scalar(ScalarSet, steps: Int)
    case split(Int, Int)
    case jump(Int)
    case assertion(Assertion)
    case match
  }

  static let maximumInstructions = 20_000

  /// Only ``Node/empty`` compiles to no instructions, so ``maximumInstructions`` bounds repetitions.
  private var program: [Instruction] = []

  init(_ pattern: String, ignoresCase: Bool) throws(PredicateEvaluationError) {
    var parser = RegularExpressionParser(pattern, ignoresCase: ignoresCase)
    try emit(parser.whole())
    program.append(.match)
  }

  static func failure(_ message: String) -> PredicateEvaluationError {
    PredicateEvaluationError(.pattern, "Can't do regex matching: \(message)")
  }

  // MARK: Compiling

  private mutating func append(_ instruction: Instruction) throws(PredicateEvaluationError) {
    guard program.count < Self.maximumInstructions else { throw Self.failure("the expression is too large") }
    program.append(instruction)
  }

  private mutating func emit(_ node: Node) throws(PredicateEvaluationError) {
    switch node {
    case .empty: break
    case .scalar(let set): try append(.scalar(set, steps: set.steps))
    case .assertion(let assertion): try append(.assertion(assertion))
    case .sequence(let nodes): for node in nodes { try emit(node) }
    case .choice(let nodes):
      var ends: [Int] = []
      for node in nodes.dropLast() {
        let split = program.count
        try append(.split(split + 1, 0))
        try emit(node)
        ends.append(program.count)
        try append(.jump(0))
        program[split] = .split(split + 1, program.count)
      }
      if let last = nodes.last { try emit(last) }
      for end in ends { program[end] = .jump(program.count) }
    case .repetition(let node, let least, let most):
      for _ in 0..<least { try emit(node) }
      if let most {
        for _ in least..<most {
          let split = program.count
          try append(.split(split + 1, 0))
          try emit(node)
          program[split] = .split(split + 1, program.count)
        }
      } else {
        let split = program.count
        try append(.split(split + 1, 0))
        try emit(node)
        try append(.jump(split))
        program[split] = .split(split + 1, program.count)
      }
    }
  }

  // MARK: Matching

  /// Whether the whole text matches. Each visited instruction is charged.
  func matches(
    _ text: String, charge: (Int) throws(PredicateEvaluationError) -> Void
  ) throws(PredicateEvaluationError) -> Bool {
    let scalars = Array(text.unicodeScalars)
    try charge((scalars.count + program.count) / 16)
    var seen = [Int](repeating: -1, count: program.count)
    var threads: [Int] = []
    try follow([0], 0, scalars, &seen, &threads, charge)
    for (position, scalar) in scalars.enumerated() {
      if threads.isEmpty { return false }
      var next: [Int] = []
      for thread in threads {
        guard case .scalar(let set, let steps) = program[thread] else { continue }
        try charge(steps)
        if set.contains(scalar) { next.append(thread + 1) }
      }
      threads = []
      try follow(next, position + 1, scalars, &seen, &threads, charge)
    }
    return threads.contains { if case .match = program[$0] { true } else { false } }
  }

  /// Finds the instructions that wait for a scalar, starting at `starts` and without consuming a scalar.
  private func follow(
    _ starts: [Int], _ position: Int, _ scalars: [Unicode.Scalar], _ seen: inout [Int], _ threads: inout [Int],
    _ charge: (Int) throws(PredicateEvaluationError) -> Void
  ) throws(PredicateEvaluationError) {
    var open = starts
    while let instruction = open.popLast() {
      guard seen[instruction] != position else { continue }
      seen[instruction] = position
      try charge(1)
      switch program[instruction] {
      case .scalar, .match: threads.append(instruction)
      case .jump(let target): open.append(target)
      case .split(let one, let other): open += [one, other]
      case .assertion(let assertion): if holds(assertion, position, scalars) { open.append(instruction + 1) }
      }
    }
  }

  private func holds(_ assertion: Assertion, _ position: Int, _ scalars: [Unicode.Scalar]) -> Bool {
    let before = position > 0 ? scalars[position - 1] : nil
    let after = position < scalars.count ? scalars[position] : nil
    switch assertion {
    case .textStart: return before == nil
    case .textEnd: return after == nil
    case .textEndBeforeBreak:
      return after == nil || (position + 1 == scalars.count && ScalarSet.lineBreaks.contains(scalars[position]))
    case .lineStart: return before == nil || before == "\n"
    case .lineEnd: return after == nil || after == "\n"
    case .wordBoundary, .noWordBoundary:
      let isBoundary = before.map(ScalarSet.word.contains) ?? false != (after.map(ScalarSet.word.contains) ?? false)
      return isBoundary == (assertion == .wordBoundary)
    }
  }
}
