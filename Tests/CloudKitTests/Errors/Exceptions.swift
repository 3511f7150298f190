import Testing

/// The output of an exit test that ``expectException(_:_:_:sourceLocation:)`` needs.
let saying: [any PartialKeyPath<ExitTest.Result> & Sendable] = [\.standardErrorContent]

/// Expects that the process ended with this exception, and printed the line that Apple's platforms print. `…` in the
/// reason stands for a variable part.
func expectException(
  _ reason: String, named name: String = "CKException", _ result: ExitTest.Result?,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  let beginning = "*** Terminating app due to uncaught exception '\(name)', reason: '"
  let reasons = text.split(separator: "\n").compactMap { line -> Substring? in
    guard let range = line.firstRange(of: beginning), line.hasSuffix("'") else { return nil }
    return line[range.upperBound...].dropLast()
  }
  let parts = reason.split(separator: "…", omittingEmptySubsequences: false)
  let isSaid = reasons.contains { said in
    guard parts.count > 1 else { return said == reason }
    return said.hasPrefix(parts[0]) && said.dropFirst(parts[0].count).hasSuffix(parts[1])
  }
  // On Linux the line is printed a second time, after the backtrace.
  let isJust = Set(reasons).count == 1 && isSaid && parts.count <= 2
  #expect(isJust, "expected: \(reason)\n\(text)", sourceLocation: sourceLocation)
}
