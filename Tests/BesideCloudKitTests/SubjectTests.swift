import Combine
import Testing

@Suite("Combine: subjects and sources")
struct SubjectTests {
  @Test("a subscriber gets at most its demand; a passthrough subject drops other values, a current value waits")
  func subscriberGetsAtMostItsDemand() {
    let passing = PassthroughSubject<Int, Never>()
    let a = passing.recorded(first: .none)
    passing.send(1)
    a.request(.max(2))
    for value in 2...4 { passing.send(value) }
    #expect(a.values == [2, 3])

    let current = CurrentValueSubject<Int, Never>(1)
    let b = current.recorded(first: .none)
    for value in 2...3 { current.send(value) }
    #expect(b.values == [])
    b.request(.max(1))
    #expect(b.values == [3])
    current.value = 4
    current.value = 5
    b.request(.unlimited)
    #expect(b.values == [3, 5])
    #expect(current.value == 5)
  }

  @Test("a subscriber's returned demand is added after each value")
  func returnedDemand() {
    #expect((1...5).publisher.recorded(first: .max(1), each: .max(1)).values == [1, 2, 3, 4, 5])
    #expect((1...5).publisher.recorded(first: .max(2)).values == [1, 2])
  }

  @Test("a completion is sent once, to current and later subscribers, and ends the values")
  func completionIsSentOnceToCurrent() {
    let subject = CurrentValueSubject<Int, Failed>(1)
    let early = subject.recorded()
    subject.send(completion: .failure(Failed()))
    subject.send(2)
    subject.send(completion: .finished)
    #expect(early.values == [1])
    #expect(early.ends == [.failure(Failed())])
    let late = subject.recorded()
    #expect(late.values == [])
    #expect(late.ends == [.failure(Failed())])
    #expect(subject.value == 1)
  }

  @Test("a cancelled subscriber gets no values, also if it cancels itself")
  func cancelledSubscriberGetsNoValues() {
    let subject = PassthroughSubject<Int, Never>()
    var received: [Int] = []
    var bag: AnyCancellable?
    bag = subject.sink {
      received.append($0)
      if $0 == 2 { bag?.cancel() }
    }
    for value in 1...3 { subject.send(value) }
    #expect(received == [1, 2])
    _ = subject.sink { received.append($0) }  // released at once, which cancels
    subject.send(4)
    #expect(received == [1, 2])
  }

  @Test("a value that a subscriber sends arrives after the current one, for all subscribers")
  func valueThatASubscriberSendsArrives() {
    let subject = PassthroughSubject<Int, Never>()
    var first: [Int] = []
    var second: [Int] = []
    let bag = [
      subject.sink {
        first.append($0)
        if $0 < 3 { subject.send($0 + 1) }
      },
      subject.sink { second.append($0) },
    ]
    subject.send(1)
    #expect(first == [1, 2, 3])
    #expect(second == [1, 2, 3])
    withExtendedLifetime(bag) {}
  }

  @Test("a queued value is released after its delivery, and its deinit may use the subscription")
  func queuedValueIsReleasedAfterItsDelivery() {
    let log = Shared(Recorder<String, Never>())
    let hasEnded = ends {
      let subject = PassthroughSubject<ReleaseObserver, Never>()
      var subscription: (any Subscription)?
      var count = 0
      subject.subscribe(
        AnySubscriber<ReleaseObserver, Never>(
          receiveSubscription: {
            subscription = $0
            $0.request(.unlimited)
          },
          receiveValue: { _ in
            count += 1
            _ = log.value.receive("received \(count)")
            guard count == 1 else { return .none }
            for number in 2...4 {
              subject.send(
                ReleaseObserver {
                  _ = log.value.receive("released \(number)")
                  subscription?.request(.max(1))
                })
            }
            return .none
          }))
      subject.send(ReleaseObserver {})
      subscription?.cancel()
    }
    #expect(hasEnded)
    let later = (2...4).flatMap { ["received \($0)", "released \($0)"] }
    #expect(log.value.values == ["received 1"] + later)
  }

  @Test("a current value subject releases its first value once another one has replaced it")
  func firstValueIsReleased() {
    var released = 0
    let subject = CurrentValueSubject<ReleaseObserver, Never>(ReleaseObserver { released += 1 })
    #expect(released == 0)
    subject.value = ReleaseObserver {}
    #expect(released == 1)
    subject.send(completion: .finished)
  }

  @Test("Just, Empty, Fail, Deferred, Result, Optional and sequences send their values and completions")
  func justEmptyFailDeferredResultOptional() {
    let just = Just(1).recorded(first: .none)
    #expect(just.values == [])
    #expect(just.ends.isEmpty)
    just.request(.max(1))
    #expect(just.values == [1])
    #expect(just.isFinished)
    #expect(Empty<Int, Never>().recorded().isFinished)
    #expect(Empty<Int, Never>(completeImmediately: false).recorded().ends.isEmpty)
    #expect(Fail<Int, Failed>(error: Failed()).recorded().ends == [.failure(Failed())])
    #expect([Int]().publisher.recorded(first: .none).isFinished)
    var made = 0
    let deferred = Deferred {
      made += 1
      return Just(made)
    }
    #expect(made == 0)
    #expect(deferred.recorded().values + deferred.recorded().values == [1, 2])
    #expect(Optional<Int>.none.publisher.recorded().isFinished)
    #expect(Optional(1).publisher.recorded().values == [1])
    #expect(Result<Int, Failed>.failure(Failed()).publisher.recorded().ends == [.failure(Failed())])
  }

  @Test("a future starts its work at once, and all subscribers get its first result")
  func futureStartsItsWorkAtOnce() {
    var promise: Future<Int, Failed>.Promise?
    var starts = 0
    let future = Future<Int, Failed> {
      starts += 1
      promise = $0
    }
    let early = future.recorded()
    let unasked = future.recorded(first: .none)
    let gone = future.recorded()
    gone.cancel()
    promise?(.success(1))
    promise?(.failure(Failed()))
    let late = future.recorded()
    #expect(starts == 1)
    #expect(early.values == [1])
    #expect(early.isFinished)
    #expect(unasked.values == [])
    #expect(unasked.ends.isEmpty)
    unasked.request(.max(1))
    #expect(unasked.values == [1])
    #expect(unasked.isFinished)
    #expect(gone.values == [])
    #expect(gone.ends.isEmpty)
    #expect(late.values == [1])
    #expect(late.isFinished)
  }

  @Test("a subject subscribed to a publisher sends the publisher's values and completion")
  func subjectAsSubscriber() {
    let source = PassthroughSubject<Int, Never>()
    let subject = CurrentValueSubject<Int, Never>(0)
    let recorder = subject.recorded()
    let bag = source.subscribe(subject)
    source.send(1)
    bag.cancel()
    source.send(2)
    #expect(recorder.values == [0, 1])
    #expect(recorder.ends.isEmpty)
  }
}
