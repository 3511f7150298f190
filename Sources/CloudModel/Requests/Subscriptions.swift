/// A request to save and delete subscriptions; each succeeds or fails by itself.
package struct ModifySubscriptionsRequest: Sendable {
  package struct Save: Sendable {
    package var subscription: Subscription
    /// The error of a save that can't be expressed for the service.
    package var refusal: ServiceError?

    package init(_ subscription: Subscription, refusal: ServiceError? = nil) {
      self.subscription = subscription
      self.refusal = refusal
    }
  }

  package var scope: DatabaseScope
  package var saves: [Save]
  package var deletes: [String]

  package init(scope: DatabaseScope, saves: [Save] = [], deletes: [String] = []) {
    self.scope = scope
    self.saves = saves
    self.deletes = deletes
  }
}

/// The results, in the order of the request.
package struct ModifySubscriptionsResponse: Sendable {
  package var saves: [Result<Subscription, ServiceError>]
  package var deletes: [Result<Void, ServiceError>]

  package init(saves: [Result<Subscription, ServiceError>], deletes: [Result<Void, ServiceError>]) {
    self.saves = saves
    self.deletes = deletes
  }
}
