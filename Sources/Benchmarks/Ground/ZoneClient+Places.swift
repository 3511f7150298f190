import CloudService
import TestSupport

extension ZoneClient {
  /// Of a zone of one's own.
  func folder(in cloud: TemporaryCloud) -> String { cloud.zonePath(zone.name.string, of: caller.account ?? "") }

  /// What ``WorkerArguments/client()`` makes the same client of, in another process.
  func arguments(in cloud: TemporaryCloud) -> [String] {
    [cloud.path, caller.account ?? "", zone.name.string, zone.owner ?? "-"]
  }

  /// The zone of a stress run, as one of the people who share it.
  static func sharing(_ stage: StressStage, as account: String) -> ZoneClient {
    ZoneClient(
      stage.service, account: account, zone: .init(StressNames.zone), owner: account == "alice" ? nil : stage.owner)
  }
}
