@_exported public import EscapementTesting
