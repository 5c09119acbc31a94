// Users of a scope call the methods of its instants and sleepers without a further import.
@_exported public import enum EscapementClocks.SleepClock
@_exported public import struct EscapementClocks.SleepingTask
@_exported public import protocol _EscapementCore.OffsetInstant
