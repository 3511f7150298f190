import FaultInjection
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@testable import LocalCloudCommands

@Suite("The command doctor")
struct DoctorCommandTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice")
    try cli.expect("zone", "save", "Z", as: "alice")
  }

  private func root() throws -> Directory { try Directory.open(path: cli.root, in: FileSystem()) }

  /// A machine without problems and warnings, on which no test depends on the real one.
  private func soundMachine() -> ExaminedMachine {
    var machine = ExaminedMachine()
    machine.limits = HostLimits(openFiles: 1024, watches: 65_536, watchingProcesses: 128)
    machine.freeSpace = { _ in Directory.FreeSpace(bytes: 1 << 40, files: 1_000_000) }
    machine.cryptography = { "OpenSSL 3" }
    return machine
  }

  /// The diagnosis of a check; of several, the first that is worst.
  private func diagnosis(
    _ check: String, _ machine: ExaminedMachine? = nil, stores: [String] = [], variables: [String: String] = [:]
  ) throws -> Diagnosis {
    let doctor = try doctor(machine ?? soundMachine(), stores: stores, variables: variables)
    let found = doctor.diagnoses.filter { $0.check == check }
    return try #require(found.max { $0.state < $1.state }, "\(doctor.diagnoses)")
  }

  private func doctor(
    _ machine: ExaminedMachine, stores: [String] = [], variables: [String: String] = [:]
  ) throws -> Doctor {
    var acting = ActingIdentity()
    acting.root = cli.root
    let settings: Result<Settings, ServiceError>
    do throws(ServiceError) {
      settings = .success(try Settings(acting, variable: { variables[$0] }))
    } catch { settings = .failure(error) }
    return Doctor(
      settings, root: cli.root, stores: stores, environment: { variables[$0] }, machine: machine)
  }

  @Test("a sound cloud on a sound machine has no warning, and the tree is as it was")
  func sound() throws {
    let before = try TreeContents(of: cli.root)
    let diagnoses = try doctor(soundMachine()).diagnoses
    #expect(diagnoses.filter { $0.state != .ok } == [])
    #expect(
      diagnoses.map(\.check) == [
        "cloud", "space", "locks", "owner", "permissions", "leftovers", "processes", "time", "clock", "limits",
        "watching", "libcrypto", "settings",
      ])
    #expect(try TreeContents(of: cli.root) - before == [])
  }

  @Test("the command prints a line for each check, and ends with 17 if there is a problem")
  func exitCode() throws {
    let root = try root()
    try root.writeStaged("clock.json", Array("{".utf8))
    let run = cli.run("doctor", "--format", "tsv")
    #expect(run.code == .problemsFound)
    #expect(run.output.contains("problem\tclock\t"))
    #expect(run.output.contains("localcloud clock reset"))
    let json = try JSONValue(parsing: cli.run("doctor", "--json").output)
    let clock = json["checks"]?.array?.first { $0["check"] == "clock" }
    #expect(clock?["state"] == "problem")
  }

  @Test("it examines a cloud without a marker, one of a newer format, and a folder without a cloud")
  func brokenClouds() throws {
    let root = try root()
    #expect(try diagnosis("cloud").state == .ok)
    try root.writeStaged("cloud.json", Array(#"{"formatVersion": 99}"#.utf8))
    #expect(try diagnosis("cloud").message.contains("99"))
    try root.writeStaged("cloud.json", Array("{".utf8))
    #expect(try diagnosis("cloud").advice?.contains("repair") == true)
    try root.remove("cloud.json")
    #expect(try diagnosis("cloud").state == .problem)
    #expect(cli.run("doctor").code == .problemsFound)
    let missing = cli.run("doctor", "--root", cli.root + "/missing")
    #expect(missing.code == .problemsFound)
    #expect(missing.output.contains("localcloud init"))
  }

  @Test("little space is a warning or a problem, and so is a file system that can't be written")
  func space() throws {
    for (bytes, files, isReadOnly, state) in [
      (1 << 40, nil, false, .ok), (100 << 20, nil, false, .warning), (1 << 20, nil, false, .problem),
      (1 << 40, 9_000, false, .warning), (1 << 40, 9, false, .problem), (1 << 40, 1_000_000, true, .problem),
    ] as [(Int, Int?, Bool, Diagnosis.State)] {
      var machine = soundMachine()
      machine.freeSpace = { _ in Directory.FreeSpace(bytes: bytes, files: files, isReadOnly: isReadOnly) }
      #expect(try diagnosis("space", machine).state == state, "\(bytes) \(String(describing: files))")
    }
  }

  @Test("a file system that does not lock or rename files is a problem, and no probe file is left")
  func locks() throws {
    for fault in [FileSystemCall.tryLock(""), .rename(from: "", to: ""), .createFile("")] {
      var machine = soundMachine()
      machine.fileSystem = FileSystem(observing: .allCalls) { call in
        switch (call, fault) {
        case (.tryLock(let path), .tryLock), (.rename(let path, _), .rename):
          path.contains(".doctor-") ? .skip : .proceed
        case (.createFile(let path), .createFile): path.contains(".doctor-") ? .fail(30) : .proceed
        default: .proceed
        }
      }
      #expect(try diagnosis("locks", machine).state == .problem, "\(fault)")
      #expect(try root().entries().allSatisfy { !$0.name.hasPrefix(".doctor-") })
    }
  }

  @Test("low limits and a missing libcrypto are warnings")
  func machine() throws {
    for limits in [
      HostLimits(openFiles: 64, watches: 65_536, watchingProcesses: 128),
      HostLimits(openFiles: 1024, watches: 100, watchingProcesses: 128),
      HostLimits(openFiles: 1024, watches: 65_536, watchingProcesses: 1),
    ] {
      var machine = soundMachine()
      machine.limits = limits
      #expect(try diagnosis("limits", machine).state == .warning)
    }
    var machine = soundMachine()
    machine.cryptography = { throw CryptographyError.unavailable(["libcrypto.so.3"]) }
    #expect(try diagnosis("libcrypto", machine).state == .warning)
  }

  @Test("a machine's clock before the newest change, and a fixed clock of the cloud, are warnings")
  func clocks() throws {
    var machine = soundMachine()
    machine.clock = { systemTimeMilliseconds() - 7_200_000 }
    #expect(try diagnosis("time", machine).state == .warning)
    try cli.expect("clock", "set", "2030-01-01T00:00:00Z")
    let fixed = try diagnosis("clock")
    #expect(fixed.state == .warning)
    #expect(fixed.message == "fixed at 2030-01-01T00:00:00.000Z")
    try cli.expect("clock", "offset", "1h")
    #expect(try diagnosis("clock").state == .ok)
  }

  @Test("leftovers of interrupted work, and notes of processes that have ended, are named once they are old")
  func leftovers() throws {
    let root = try root()
    try root.writeStaged(".clock.json.new", [])
    let zone = try #require(
      try root.directory(at: ["containers", "iCloud.example.Commands", "development", "private", "alice", "zones", "Z"])
    )
    try zone.writeStaged("lock", LockHolder(user: nil, command: "test", process: 4711).bytes)
    var machine = soundMachine()
    machine.hasProcess = { $0 != 4711 }
    #expect(try diagnosis("leftovers", machine).state == .ok)
    #expect(try diagnosis("processes", machine).message.contains("/Z/lock"))
    machine.clock = { systemTimeMilliseconds() + 3_600_000 }
    #expect(try diagnosis("leftovers", machine).message.contains(".clock.json.new"))
    machine.hasProcess = { _ in true }
    #expect(try diagnosis("processes", machine).state == .ok)
  }

  @Test("entries of another user are a warning")
  func owners() throws {
    var machine = soundMachine()
    machine.user += 1
    #expect(try diagnosis("owner", machine).state == .warning)
  }

  @Test("settings that are wrong, or name missing things, are named")
  func settings() throws {
    let cases: [([String: String], Diagnosis.State)] = [
      (["LOCALCLOUD_ACCOUNT": "alice", "LOCALCLOUD_DEVICE": "alice-device"], .ok),
      (["LOCALCLOUD_ACCOUNT": "zoe"], .problem), (["LOCALCLOUD_DEVICE": "tablet"], .warning),
      (["LOCALCLOUD_CONTAINER": "iCloud.example.Other"], .warning), (["LOCALCLOUD_CLOCK": "noon"], .problem),
      (["LOCALCLOUD_CLOCK": "2026-01-31T12:00:00Z"], .warning), (["LOCALCLOUD_HOMES": "/missing/homes"], .problem),
    ]
    for (variables, state) in cases {
      #expect(try diagnosis("settings", variables: variables).state == state, "\(variables)")
    }
    #expect(cli.run(["doctor"], variables: ["LOCALCLOUD_CLOCK": "noon"]).output.contains("LOCALCLOUD_CLOCK"))
  }

  @Test("the formats of stores that are named are examined")
  func stores() throws {
    let path = cli.root + "-notes.sqlite"
    defer { try? ScratchFolder.remove(path) }
    _ = try ObjectStore.ofNotes(path)
    #expect(try diagnosis("store", stores: [path]).state == .ok)
    #expect(try diagnosis("store", stores: [path, cli.root + "/missing.sqlite"]).state == .problem)
  }
}
