/// A number that is the same for the same words in the same order, on every machine (after FNV-1a).
struct Fingerprint: Sendable, Hashable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func mix(_ word: UInt64) {
    value = (value ^ word) &* 0x100_0000_01B3
    // The multiplication alone does not carry a bit downwards.
    value ^= value >> 32
  }
}
