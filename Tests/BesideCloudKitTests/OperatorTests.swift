import Combine
import Foundation
import Testing

@Suite("Combine: operators")
struct OperatorTests {
  @Test("operators transform and select values")
  func operatorsTransformAndSelectValues() {
    let numbers = (1...6).publisher
    #expect(numbers.map { $0 * 2 }.recorded().values == [2, 4, 6, 8, 10, 12])
    #expect(["a", "bb"].publisher.map(\.count).recorded().values == [1, 2])
    #expect(["1", "x", "3"].publisher.compactMap { Int($0) }.recorded().values == [1, 3])
    #expect(numbers.filter { $0 % 2 == 0 }.recorded().values == [2, 4, 6])
    #expect([1, 1, 2, 1].publisher.removeDuplicates().recorded().values == [1, 2, 1])
    #expect(numbers.scan(0, +).recorded().values == [1, 3, 6, 10, 15, 21])
    #expect(numbers.first().recorded().values == [1])
    #expect(numbers.first { $0 > 3 }.recorded().values == [4])
    #expect(numbers.prefix(2).recorded().values == [1, 2])
    #expect(numbers.prefix(0).recorded().values == [])
    #expect(numbers.prefix(0).recorded().isFinished)
    #expect(numbers.prefix { $0 < 3 }.recorded().values == [1, 2])
    #expect(numbers.dropFirst(4).recorded().values == [5, 6])
    #expect(numbers.collect().recorded().values == [[1, 2, 3, 4, 5, 6]])
    #expect([1, nil].publisher.replaceNil(with: 0).recorded().values == [1, 0])
  }

  @Test("operators that end early cancel their upstream and complete once")
  func endingEarly() {
    let subject = PassthroughSubject<Int, Never>()
    var cancelled = 0
    let recorder = subject.handleEvents(receiveCancel: { cancelled += 1 }).prefix(2).recorded()
    for value in 1...3 { subject.send(value) }
    #expect(recorder.values == [1, 2])
    #expect(recorder.isFinished)
    #expect(cancelled == 1)
    #expect(subject.prefix(0).recorded().isFinished)
  }

  @Test("a subscription that has ended does not retain what handleEvents was given", arguments: [true, false])
  func endedSubscriptionReleasesItsClosures(isCancelled: Bool) {
    let subject = PassthroughSubject<Int, Never>()
    var released = 0
    var subscription: (any Subscription)?
    func subscribe() {
      let observer = ReleaseObserver { released += 1 }
      subject.handleEvents(receiveRequest: { _ in withExtendedLifetime(observer) {} })
        .subscribe(AnySubscriber<Int, Never>(receiveSubscription: { subscription = $0 }))
    }
    subscribe()
    subscription?.request(.max(1))
    #expect(released == 0)
    if isCancelled { subscription?.cancel() } else { subject.send(completion: .finished) }
    #expect(released == 1)
    subscription?.request(.max(1))
  }

  @Test("a demand of one value delivers one value, also after skipped ones")
  func demandOfOneValueDeliversOneValue() {
    #expect((1...9).publisher.filter { $0 % 3 == 0 }.recorded(first: .max(2)).values == [3, 6])
    #expect((1...9).publisher.dropFirst(2).recorded(first: .max(1)).values == [3])
    #expect((1...9).publisher.collect().recorded(first: .max(1)).values == [Array(1...9)])
    let replaced = Fail<Int, Failed>(error: Failed()).replaceError(with: 1).recorded(first: .none)
    #expect(replaced.values == [])
    #expect(replaced.ends.isEmpty)
    replaced.request(.max(1))
    #expect(replaced.values == [1])
    #expect(replaced.isFinished)
    #expect((1...9).publisher.merge(with: (11...19).publisher).recorded(first: .max(3)).values.count == 3)
    #expect((1...3).publisher.flatMap { Just($0) }.recorded(first: .max(1), each: .max(1)).values == [1, 2, 3])
    #expect((1...3).publisher.zip((4...9).publisher).recorded(first: .max(1)).values.map { $0.1 } == [4])
  }

  @Test("an endless sequence sends no more values than an operator behind it wants")
  func endlessSequenceSendsNoMoreValues() {
    let numbers = (1...).publisher
    #expect(numbers.map { $0 * 2 }.filter { $0 % 3 == 0 }.prefix(2).recorded().values == [6, 12])
    let caught = numbers.setFailureType(to: Failed.self).catch { _ in Empty<Int, Failed>() }
    #expect(caught.prefix(2).recorded().values == [1, 2])
    #expect(numbers.flatMap { Just($0) }.first { $0 > 3 }.recorded().values == [4])
    #expect(numbers.merge(with: Just(0), Just(-1)).prefix(3).recorded().values == [1, 2, 3])
    let pairs = numbers.zip(numbers, numbers).recorded(first: .max(2))
    #expect(pairs.values.map { [$0.0, $0.1, $0.2] } == [[1, 1, 1], [2, 2, 2]])
    pairs.request(.max(1))
    #expect(pairs.values.count == 3)
  }

  @Test("the operators' types have the names of Apple's framework")
  func namesOfAppleFramework() {
    let converted = PassthroughSubject<String, Never>().removeDuplicates().filter { !$0.isEmpty }.map(\.count)
    typealias Filtered = Publishers.Filter<Publishers.RemoveDuplicates<PassthroughSubject<String, Never>>>
    #expect(type(of: converted) == Publishers.Map<Filtered, Int>.self)
    let scheduled = PassthroughSubject<Int, Never>().debounce(for: .milliseconds(1), scheduler: RunLoop.main)
      .receive(on: DispatchQueue.main)
    typealias Debounced = Publishers.Debounce<PassthroughSubject<Int, Never>, RunLoop>
    #expect(type(of: scheduled) == Publishers.ReceiveOn<Debounced, DispatchQueue>.self)
  }

  @Test("operators throw, map, replace and catch errors")
  func operatorsThrowMapReplaceAndCatchErrors() {
    let thrown = (1...3).publisher.tryMap { if $0 == 2 { throw Failed() } else { $0 } }
    #expect(thrown.recorded().values == [1])
    #expect(thrown.mapError { $0 as? Failed ?? Failed() }.recorded().ends == [.failure(Failed())])
    #expect(thrown.replaceError(with: 9).recorded().values == [1, 9])
    #expect(thrown.catch { _ in Just(7) }.recorded().values == [1, 7])
    #expect(thrown.catch { _ in [7, 8].publisher }.recorded(first: .max(2)).values == [1, 7])
    #expect(Just(1).setFailureType(to: Failed.self).recorded().values == [1])
  }

  @Test("combineLatest sends the latest values, and ends when all publishers have ended")
  func combineLatest() {
    let a = PassthroughSubject<Int, Failed>()
    let b = PassthroughSubject<String, Failed>()
    let recorder = a.combineLatest(b).map { "\($0)\($1)" }.recorded()
    a.send(1)
    a.send(2)
    b.send("x")
    b.send("y")
    a.send(3)
    a.send(completion: .finished)
    b.send("z")
    #expect(recorder.values == ["2x", "2y", "3y", "3z"])
    #expect(recorder.ends.isEmpty)
    b.send(completion: .finished)
    #expect(recorder.isFinished)
    let three = Just(1).combineLatest(Just(2), Just(3)) { $0 + $1 + $2 }
    #expect(three.recorded().values == [6])
  }

  @Test("zip pairs values in order, and ends when no further pair is possible")
  func zipPairsValuesInOrderAndEnds() {
    let a = PassthroughSubject<Int, Failed>()
    let b = PassthroughSubject<Int, Failed>()
    let recorder = a.zip(b) { [$0, $1] }.recorded()
    a.send(1)
    a.send(2)
    a.send(completion: .finished)
    b.send(3)
    #expect(recorder.values == [[1, 3]])
    #expect(recorder.ends.isEmpty)
    b.send(4)
    #expect(recorder.values == [[1, 3], [2, 4]])
    #expect(recorder.isFinished)
  }

  @Test("zip pairs many waiting values in order")
  func zipPairsManyWaitingValues() {
    let a = PassthroughSubject<Int, Never>()
    let b = PassthroughSubject<Int, Never>()
    let recorder = a.zip(b) { [$0, $1] }.recorded()
    for value in 0..<200 { a.send(value) }
    for value in 0..<100 { b.send(value) }
    for value in 200..<1000 { a.send(value) }
    for value in 100..<1000 { b.send(value) }
    #expect(recorder.values == (0..<1000).map { [$0, $0] })
  }

  @Test("merge sends all values; one publisher's error ends it and cancels the others")
  func mergeSendsAllValues() {
    let a = PassthroughSubject<Int, Failed>()
    let b = PassthroughSubject<Int, Failed>()
    var cancelled = 0
    let recorder = a.merge(with: b.handleEvents(receiveCancel: { cancelled += 1 })).recorded()
    a.send(1)
    b.send(2)
    a.send(completion: .failure(Failed()))
    b.send(3)
    #expect(recorder.values == [1, 2])
    #expect(recorder.ends == [.failure(Failed())])
    #expect(cancelled == 1)
    #expect(Publishers.MergeMany([PassthroughSubject<Int, Never>]()).recorded().isFinished)
    #expect(Publishers.MergeMany((1...3).map { Just($0) }).recorded().values == [1, 2, 3])
  }

  @Test("flatMap limits its concurrent publishers; switchToLatest uses only the last one")
  func flatMapLimitsItsConcurrentPublishers() {
    let inner = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    let two = (0..<3).publisher.flatMap(maxPublishers: .max(2)) { inner[$0] }.recorded()
    for (place, subject) in inner.enumerated() { subject.send(place) }
    inner[0].send(completion: .finished)
    inner[2].send(20)
    #expect(two.values == [0, 1, 20])
    inner[1].send(completion: .finished)
    #expect(two.ends.isEmpty)
    inner[2].send(completion: .finished)
    #expect(two.isFinished)

    let searches = PassthroughSubject<Int, Never>()
    let results = (0..<2).map { _ in PassthroughSubject<String, Never>() }
    let latest = searches.map { results[$0] }.switchToLatest().recorded()
    searches.send(0)
    results[0].send("a")
    searches.send(1)
    results[0].send("late")
    results[1].send("b")
    searches.send(completion: .finished)
    #expect(latest.values == ["a", "b"])
    #expect(latest.ends.isEmpty)
    results[1].send(completion: .finished)
    #expect(latest.isFinished)
  }

  @Test("after a publisher failed, flatMap asks for no further one and sends nothing more")
  func flatMapAfterAFailure() {
    let outer = PassthroughSubject<Int, Failed>()
    let inner = (0..<3).map { _ in PassthroughSubject<Int, Failed>() }
    var requests: [Subscribers.Demand] = []
    let recorder = outer.handleEvents(receiveRequest: { requests.append($0) })
      .flatMap(maxPublishers: .max(2)) { inner[$0] }.recorded()
    for index in 0..<2 { outer.send(index) }
    inner[0].send(1)
    inner[0].send(completion: .failure(Failed()))
    outer.send(2)
    for subject in inner { subject.send(2) }
    #expect(requests == [.max(2)])
    #expect(recorder.values == [1])
    #expect(recorder.ends == [.failure(Failed())])
  }

  @Test("share subscribes once for all subscribers, from the first to the last")
  func shareSubscribesOnceForAllSubscribers() {
    let subject = PassthroughSubject<Int, Never>()
    var events: [String] = []
    let shared = subject.handleEvents(
      receiveSubscription: { _ in events.append("subscribed") }, receiveCancel: { events.append("cancelled") }
    ).share()
    let a = shared.recorded()
    let b = shared.recorded()
    subject.send(1)
    a.cancel()
    subject.send(2)
    b.cancel()
    #expect(a.values == [1])
    #expect(b.values == [1, 2])
    #expect(events == ["subscribed", "cancelled"])
  }
}
