import Testing

@testable import parity

@Suite("Normalisation of answers")
final class NormalizerTests {
  private var normalizer = Normalizer(container: "iCloud.example.Parity")

  private func line(_ answer: JSON) -> String { normalizer.normalize(answer).line }

  @Test("equal tags of a record have one placeholder, and other tags and other records have others")
  func tags() {
    let tags = ["Z/a 1", "Z/a 2", "Z/a 1", "Z/b 1"].map { JSON.marked(.tag, $0) }
    #expect(line(.list(tags)) == #"["<tag 1>","<tag 2>","<tag 1>","<tag 3>"]"#)
  }

  @Test("dates that first appear in one step are equal, and later steps show whether a date is an old one")
  func dates() {
    #expect(line(.list([.marked(.date, "10"), .marked(.date, "11")])) == #"["<date 1>","<date 1>"]"#)
    #expect(line(.list([.marked(.date, "11"), .marked(.date, "12")])) == #"["<date 1>","<date 2>"]"#)
    #expect(line(.list([.marked(.date, "10"), .marked(.date, "12")])) == #"["<date 1>","<date 2>"]"#)
  }

  @Test("placeholders are numbered in the order of the keys of an object, and over all steps")
  func order() {
    #expect(
      line(.object(["b": .marked(.token, "x"), "a": .marked(.token, "y")])) == #"{"a":"<token 1>","b":"<token 2>"}"#)
    #expect(line(.object(["c": .marked(.token, "x")])) == #"{"c":"<token 2>"}"#)
    #expect(line(.marked(.duration, "2.5")) == #""<duration 1>""#)
  }

  @Test("texts keep everything but UUIDs, users, links, the container, operations and addresses of a run")
  func texts() {
    let share = "Share-01234567-89AB-CDEF-0123-456789abcdef"
    let user = "_0123456789abcdef0123456789abcdef"
    #expect(line(.text("Z/\(share)")) == #""Z/Share-<uuid 1>""#)
    #expect(line(.text("\(user):Z of \(user)")) == #""<user 1>:Z of <user 1>""#)
    #expect(line(.text("https://www.icloud.com/share/0aBc#Title")) == #""<url 1>#Title""#)
    #expect(line(.text("https://www.icloud.com/share/0aBc")) == #""<url 1>""#)
    #expect(
      line(.text("op = 0123456789ABCDEF at 0x1f in iCloud.example.Parity"))
        == #""op = <operation 1> at <address> in <container>""#)
    #expect(line(.text("__defaultOwner__ parity-a 14/2004")) == #""__defaultOwner__ parity-a 14/2004""#)
  }

  @Test("numbers, empty values and null stay")
  func otherValues() {
    let values: JSON = .list([.null, .bool(true), .integer(-1), .number(2.5), .list([]), .object([:]), .text("")])
    #expect(line(values) == #"[null,true,-1,2.5,[],{},""]"#)
  }
}
