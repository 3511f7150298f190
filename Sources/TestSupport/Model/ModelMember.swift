import Foundation

/// The director's side of a member: a process that gets requests and answers them.
final class ModelMember {
  let name: String
  private let process: ChildProcess

  struct Silent: Error, CustomStringConvertible {
    var description: String
  }

  init(_ name: String, _ process: ChildProcess) throws {
    self.name = name
    self.process = process
    guard process.nextLine(seconds: 60) == "ready" else { throw silent }
  }

  private var silent: Silent { Silent(description: "\(name) does not answer: \(process.errors.suffix(2000))") }

  func ask(_ request: ModelRequest) throws {
    let line = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
    guard process.tell(line) else { throw silent }
  }

  func answer() throws -> ModelAnswer {
    guard let line = process.nextLine(seconds: 120) else { throw silent }
    return try JSONDecoder().decode(ModelAnswer.self, from: Data(line.utf8))
  }

  func look(_ glance: ModelGlance) throws -> ModelView {
    try ask(.look(glance))
    let answer = try answer()
    guard let view = answer.view else { throw Silent(description: "\(name) can't look: \(answer.trouble ?? "")") }
    return view
  }

  func leave() {
    process.hangUp()
    process.kill()
    _ = process.wait()
  }
}
