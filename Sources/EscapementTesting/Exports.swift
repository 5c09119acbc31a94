@_exported public import EscapementVirtualTime
