/// What becomes of ticks that were missed.
public enum MissedTicks: Sendable, Hashable, CaseIterable { case skip, burst, delay }
