import Foundation

/// How many rounds a test takes: `ESCAPEMENT_ROUNDS` looks for what is seldom.
package func rounds(_ usual: Int) -> Int {
  ProcessInfo.processInfo.environment["ESCAPEMENT_ROUNDS"].flatMap(Int.init) ?? usual
}
