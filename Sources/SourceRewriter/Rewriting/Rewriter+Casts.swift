extension Rewriter {
  /// `as! NSFetchRequest<X>` and `as? NSFetchRequest<X>` become operators of module CoreData: on Linux a class with
  /// another parameter is another class, so that the cast itself fails.
  mutating func casts() {
    for cast in declarations.casts {
      edits.replace(cast.keyword, with: cast.isForced ? " ⇢! " : " ⇢? ")
      edits.insert(".self", at: cast.typeEnd)
    }
    // The macros take a condition apart at its operators, and do not know the precedence of these. They leave a
    // subscript whole.
    for condition in declarations.castConditions {
      edits.insert("[", at: condition.lowerBound)
      edits.insert("][0]", at: condition.upperBound)
    }
  }
}

/// A cast to a class of fetch requests.
struct FetchRequestCast {
  /// `as!` or `as?`.
  var keyword: Range<Int>
  var isForced: Bool
  var typeEnd: Int

  static func all(in code: [CodeToken], _ brackets: Brackets) -> [FetchRequestCast] {
    code.indices.compactMap { index in
      guard code[index].kind == .word, code[index].text == "as", index + 3 < code.count else { return nil }
      let mark = code[index + 1]
      guard !mark.isAfterSpace, mark.isPunctuation("!") || mark.isPunctuation("?") else { return nil }
      var name = index + 2
      if code[name].text == "CoreData", code[name + 1].isPunctuation(".") { name += 2 }
      guard name + 1 < code.count, code[name].text == "NSFetchRequest", code[name + 1].isPunctuation("<") else {
        return nil
      }
      let end = brackets.end(name + 1)
      // Without its `>` it is no type; one that goes on is another type.
      guard end > name + 2, code[end - 1].isPunctuation(">") else { return nil }
      if end < code.count, !code[end].isFirstOnLine, !code[end].isAfterSpace,
        ["?", "!", "."].contains(where: code[end].isPunctuation)
      {
        return nil
      }
      return FetchRequestCast(
        keyword: code[index].range.lowerBound..<mark.range.upperBound, isForced: mark.text == "!",
        typeEnd: code[end - 1].range.upperBound)
    }
  }
}

extension FetchRequestCast {
  /// The conditions of `#expect` and `#require` that have a cast in them, each without a comment that follows it.
  ///
  /// - Parameter casts: all casts of the code, in order.
  static func conditions(
    with casts: [FetchRequestCast], in code: [CodeToken], _ brackets: Brackets
  ) -> [Range<Int>] {
    if casts.isEmpty { return [] }
    var (castsBefore, rest) = ([0], casts[...])
    for token in code {
      if rest.first?.keyword.lowerBound == token.range.lowerBound { rest.removeFirst() }
      castsBefore.append(casts.count - rest.count)
    }
    return code.indices.compactMap { index in
      guard code[index].kind == .pound, ["#expect", "#require"].contains(code[index].text), index + 1 < code.count,
        code[index + 1].isPunctuation("(")
      else { return nil }
      let (first, close) = (index + 2, brackets.end(index + 1) - 1)
      // An argument with a label is a closure, not a condition.
      if first + 1 < close, code[first + 1].isPunctuation(":") { return nil }
      var end = first
      while end < close, !code[end].isPunctuation(",") { end = min(brackets.end(end), close) }
      guard first < end, castsBefore[first] < castsBefore[end] else { return nil }
      return code[first].range.lowerBound..<code[end - 1].range.upperBound
    }
  }
}
