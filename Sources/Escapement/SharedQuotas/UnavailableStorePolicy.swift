/// The decision of a ``SharedQuotaLimiter`` while the store does not answer.
public enum UnavailableStorePolicy: Hashable, Sendable {
  /// No permits are granted, and callers are told to come back after this time. This is for limits
  /// that must hold.
  case deny(retryAfter: Duration)
  /// All permits are granted. This is for limits that protect against rare abuse.
  case allow
  /// Each process grants its part of the quota, so that together so many processes do not grant
  /// more than the quota.
  ///
  /// What the store granted before does not count. So in the time in which the empty quota fills,
  /// before and after the store became unavailable, there may be twice as many permits.
  case localShare(processes: Int)
}
