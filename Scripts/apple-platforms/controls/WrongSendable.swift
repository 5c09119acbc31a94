// stored property 'timer' of 'Sendable'-conforming class 'Owner' has non-Sendable type 'Timer'
import Foundation

final class Owner: Sendable {
  let timer: Timer
  init(_ timer: Timer) { self.timer = timer }
}
