import FaultInjection
import Foundation
import LocalCloudPlatform
import TestSupport

/// A Radicale server on the loopback interface, with its storage in a temporary folder. It is terminated on deinit.
final class RadicaleServer {
  private let python: String
  private let folder: TemporaryFolder
  private let process: ChildProcess
  private let port: Int
  /// Radicale's version. `isSyncing` is whether it syncs files.
  let version: String
  let isSyncing: Bool
  private var puts = 0

  /// Starts the server. Nil if this Python has no Radicale 3.
  init?(python: String) throws {
    self.python = python
    let look = try ChildProcess(python, ["-c", Self.look])
    let words = look.wait() == 0 ? look.output.split(whereSeparator: \.isWhitespace) : []
    guard words.count == 3, words[0].hasPrefix("3."), let port = Int(words[2]) else { return nil }
    (version, isSyncing, self.port) = (String(words[0]), words[1] == "True", port)
    folder = try Leftovers.folder("radicale")
    process = try ChildProcess(
      python,
      [
        "-m", "radicale", "--config", "", "--server-hosts", "127.0.0.1:\(port)", "--auth-type", "none",
        "--rights-type", "authenticated", "--storage-type", "multifilesystem", "--storage-filesystem-folder",
        folder.path, "--logging-level", "error",
      ])
    _ = try client("open", 0)
  }

  deinit {
    process.signal(.terminate)
    _ = process.wait()
  }

  /// Puts `count` new cards with one request each. Returns the seconds and the number of connections used.
  func put(_ count: Int) throws -> (seconds: Double, connections: Int) {
    puts += 1
    let words = try client("put-\(puts)", count).split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let seconds = Double(words[0]), let connections = Int(words[1]) else {
      throw UnexpectedResult(text: "Radicale's client said nothing")
    }
    return (seconds, connections)
  }

  private func client(_ turn: String, _ count: Int) throws -> String {
    let child = try ChildProcess(python, ["-c", Self.client, "\(port)", turn, "\(count)"])
    let status = child.wait()
    guard status == 0 else {
      throw UnexpectedResult(text: "Radicale's client ended with \(status): \(child.errors) \(process.errors)")
    }
    return child.output
  }

  /// Prints the version, whether files are synced, and a free port.
  private static let look = """
    import socket, radicale, radicale.config
    place = socket.socket()
    place.bind(("127.0.0.1", 0))
    syncing = radicale.config.load().get("storage", "_filesystem_fsync")
    print(radicale.VERSION, syncing, place.getsockname()[1])
    """

  /// Waits for the server and makes the address book, or puts cards. It measures inside the script, without Python's
  /// start.
  private static let client = """
    import base64, http.client, sys, time
    port, turn, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    headers = {"Authorization": "Basic " + base64.b64encode(b"alice:alice").decode()}
    card = {"Content-Type": "text/vcard; charset=utf-8"}
    opened = 0
    class Connection(http.client.HTTPConnection):
        def connect(self):
            global opened
            super().connect()
            opened += 1
    connection = Connection("127.0.0.1", port, timeout=60)
    def request(method, path, body=b"", more={}):
        connection.request(method, path, body, {**headers, **more})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 201:
            sys.exit("%s %s: %d %s" % (method, path, answer.status, text))
    if turn == "open":
        for attempt in range(300):
            try:
                connection.connect()
                break
            except OSError:
                time.sleep(0.1)
        request("MKCOL", "/alice/book/", b'''<?xml version="1.0" encoding="utf-8"?>
    <mkcol xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><set><prop>
    <resourcetype><collection/><C:addressbook/></resourcetype></prop></set></mkcol>''')
    else:
        connection.connect()
        start = time.perf_counter()
        for number in range(count):
            name = "%s-%d" % (turn, number)
            text = "BEGIN:VCARD\\r\\nVERSION:3.0\\r\\nUID:%s\\r\\nFN:Person %d\\r\\nN:%d;Person;;;\\r\\n" \\
                "NOTE:A note of some length\\\\, as people write them.\\r\\nEND:VCARD\\r\\n" % (name, number, number)
            request("PUT", "/alice/book/%s.vcf" % name, text.encode(), card)
        print(time.perf_counter() - start, opened)
    """
}
