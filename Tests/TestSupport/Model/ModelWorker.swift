import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// One member in a separate process. It answers the coordinator's requests.
package final class ModelWorker {
  let service: CloudService
  let caller: Caller
  let scope: DatabaseScope
  /// Alice's user record name; nil in Alice's own process.
  let owner: String?
  var copy = ModelCopy()

  /// Parses the root, the account, Alice's user record name, and a fault to plant or `-`.
  package init?(arguments: [String]) throws {
    guard arguments.count == 4 else { return nil }
    var settings = ServiceSettings()
    settings.lockTimeout = 60
    let fault = ModelFault(rawValue: arguments[3])
    service = try CloudService.open(
      root: arguments[0], settings: settings, fileSystem: fault?.fileSystem() ?? FileSystem())
    caller = Caller(account: arguments[1], container: TemporaryCloud.container)
    owner = arguments[1] == ReferenceModel.owner ? nil : arguments[2]
    scope = owner == nil ? .private : .shared
  }

  package func run() async throws {
    try await AnsweringProcess.run { (request: ModelRequest) in
      var answer = ModelAnswer()
      do {
        switch request {
        case .act(let step, let url): try act(step, url, &answer)
        case .look(let observation): answer.view = try look(observation)
        }
      } catch {
        answer.trouble = "\(error)"
      }
      return answer
    }
  }

  func zone(_ name: String) -> ZoneIdentifier { ZoneIdentifier(name: ExactName(name), owner: owner) }

  func id(_ name: String, _ zone: String) -> RecordIdentifier {
    RecordIdentifier(name: ExactName(name), zone: self.zone(zone))
  }

  /// The code of a service error. Throws any other error, and internal errors.
  func code(_ body: () throws -> Void) throws -> Int {
    do {
      try body()
      return ReferenceModel.Code.done
    } catch let error as ServiceError {
      if error.code == .internalError { throw error }
      return error.code.rawValue
    }
  }
}
