#if MockServer
  @_exported public import EscapementMockHTTP
#endif
