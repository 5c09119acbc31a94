// Users of a clock call the methods of its instants without a further import.
@_exported public import protocol _EscapementCore.OffsetInstant
