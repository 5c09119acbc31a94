@_exported public import EscapementClocks
@_exported public import EscapementVirtualTime
@_exported public import _EscapementCore
@_exported public import _EscapementDates
