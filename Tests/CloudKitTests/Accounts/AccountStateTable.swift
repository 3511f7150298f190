/// The result of each call in each account state, written by hand from [account-state-1] and [account-state-2]: `ok` or
/// the error code.
enum AccountStateTable {
  /// `nobody`: the device is signed out; `stranger`: an account that the cloud does not have.
  enum State: String, CaseIterable {
    case unknown, available, restricted, noAccount, notReady, nobody, stranger
  }

  struct Row: CustomStringConvertible {
    var database: String
    var call: String
    var answers: [State: Int?]

    var description: String { "\(database) \(call)" }
  }

  static let rows = text.split(separator: "\n").map { line in
    let words = line.split(separator: " ").map(String.init)
    precondition(words.count == 2 + State.allCases.count, "\(line)")
    return Row(
      database: words[0], call: words[1],
      answers: Dictionary(uniqueKeysWithValues: zip(State.allCases, words.dropFirst(2).map(Int.init))))
  }

  /// Calls of a row are made in sequence in each state. Calls that undo earlier ones are at the end.
  private static let text = """
    private   fetch            9    ok    9    9   36    9    9
    private   fetchNothing     9    ok    9    9   36    9    9
    private   fetchUser        9    ok    9    9   36    9    9
    private   save             9    ok    9    9   36    9    9
    private   delete           9    ok    9    9   36    9    9
    private   modifyNothing    9    ok    9    9   36    9    9
    private   query            9    ok    9    9   36    9    9
    private   allZones         9    ok    9    9   36    9    9
    private   zone             9    ok    9    9   36    9    9
    private   noZones          9    ok    9    9   36    9    9
    private   saveZone         9    ok    9    9   36    9    9
    private   deleteZone       9    ok    9    9   36    9    9
    private   zoneFeed         9    ok    9    9   36    9    9
    private   databaseFeed     9    ok    9    9   36    9    9
    shared    fetch            9    ok    9    9   36    9    9
    shared    fetchNothing     9    ok    9    9   36    9    9
    shared    save             9    ok    9    9   36    9    9
    shared    delete           9    ok    9    9   36    9    9
    shared    modifyNothing    9    ok    9    9   36    9    9
    shared    query            9    ok    9    9   36    9    9
    shared    allZones         9    ok    9    9   36    9    9
    shared    zone             9    ok    9    9   36    9    9
    shared    noZones          9    ok    9    9   36    9    9
    shared    saveZone         9    24    9    9   36    9    9
    shared    zoneFeed         9    ok    9    9   36    9    9
    shared    databaseFeed     9    ok    9    9   36    9    9
    shared    deleteZone       9    ok    9    9   36    9    9
    public    fetch           ok    ok   ok   ok   ok   ok    9
    public    fetchNothing    ok    ok   ok   ok   ok   ok    9
    public    fetchUser        9    ok    9    9   36    9    9
    public    save             9    ok    9    9   36    9    9
    public    delete           9    ok    9    9   36    9    9
    public    modifyNothing    9    ok    9    9   36    9    9
    public    query           ok    ok   ok   ok   ok   ok    9
    public    allZones        ok    ok   ok   ok   ok   ok    9
    public    zone            ok    ok   ok   ok   ok   ok    9
    public    noZones         ok    ok   ok   ok   ok   ok    9
    public    saveZone         9    24    9    9   36    9    9
    public    deleteZone       9    24    9    9   36    9    9
    public    zoneFeed        15    15   15   15   15   15    9
    public    databaseFeed    24    24   24   24   24   24   24
    container userRecordID     9    ok    9    9   36    9    9
    container participant      9    ok    9    9   36    9    9
    container noParticipants   9    ok    9    9   36    9    9
    container metadata         9    ok    9    9   36    9    9
    container noMetadata       9    ok    9    9   36    9    9
    container acceptNothing    9    ok    9    9   36    9    9
    container webToken         9    ok    9    9   36    9    9
    """
}
