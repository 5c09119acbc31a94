// type 'Key' does not conform to protocol 'EnvironmentKey'
import SwiftUI

struct Key: EnvironmentKey {
  static func defaultValue() -> Int { 0 }
}
