import CHiredis
public import Escapement

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A connection to Redis or Valkey.
public final class RedisConnection: BlockingConnection {
  private let context: UnsafeMutablePointer<redisContext>

  /// Connects to a server on this machine.
  public init(port: Int32) throws {
    let timeout = timeval(tv_sec: 5, tv_usec: 0)
    guard let context = redisConnectWithTimeout("127.0.0.1", port, timeout) else {
      throw ServerError("There is no memory for a connection.")
    }
    guard context.pointee.err == 0, redisSetTimeout(context, timeout) == REDIS_OK else {
      let message = Self.message(of: context)
      redisFree(context)
      throw ServerError(message)
    }
    self.context = context
  }

  deinit { redisFree(context) }

  /// Performs a command as a script.
  public func perform(_ command: StoreCommand) throws -> [Int64] {
    let arguments = ["1", command.key] + command.arguments.map(String.init)
    do {
      return try call(["EVALSHA", command.luaDigest] + arguments).numbers
    } catch let error as ServerError where error.description.hasPrefix("NOSCRIPT") {
      return try call(["EVAL", command.luaScript] + arguments).numbers
    }
  }

  /// Performs any command.
  @discardableResult public func call(_ arguments: [String]) throws -> RedisReply {
    let texts = arguments.map { strdup($0) }
    defer { for text in texts { free(text) } }
    var pointers = texts.map { UnsafePointer<CChar>($0) }
    let answer = redisCommandArgv(context, Int32(pointers.count), &pointers, nil)
    guard let reply = answer?.assumingMemoryBound(to: redisReply.self) else {
      throw ServerError(Self.message(of: context))
    }
    defer { freeReplyObject(reply) }
    return try RedisReply(reply.pointee)
  }

  private static func message(of context: UnsafeMutablePointer<redisContext>) -> String {
    withUnsafeBytes(of: context.pointee.errstr) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// A reply of Redis.
public enum RedisReply {
  case number(Int64)
  case text(String)
  case array([RedisReply])
  case none

  init(_ reply: redisReply) throws {
    var text: String {
      let bytes = UnsafeRawBufferPointer(start: reply.str, count: reply.len)
      return String(decoding: bytes, as: UTF8.self)
    }
    switch reply.type {
    case REDIS_REPLY_INTEGER: self = .number(reply.integer)
    case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: self = .text(text)
    case REDIS_REPLY_ARRAY:
      self = .array(try (0..<reply.elements).map { try RedisReply(reply.element[$0]!.pointee) })
    case REDIS_REPLY_ERROR: throw ServerError(text)
    default: self = .none
    }
  }

  /// The numbers of an array.
  var numbers: [Int64] {
    guard case .array(let replies) = self else { return [] }
    return replies.compactMap { if case .number(let number) = $0 { number } else { nil } }
  }

  /// The texts of an array.
  var texts: [String] {
    guard case .array(let replies) = self else { return [] }
    return replies.compactMap(\.text)
  }

  /// The text.
  public var text: String? { if case .text(let text) = self { text } else { nil } }
}
