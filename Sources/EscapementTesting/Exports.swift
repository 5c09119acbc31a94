@_exported public import EscapementClocks
@_exported public import EscapementVirtualTime
