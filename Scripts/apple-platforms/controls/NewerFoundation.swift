// 'ObservationToken' is only available in macOS 26 or newer
import Foundation

func forget(_ token: NotificationCenter.ObservationToken, _ center: NotificationCenter) {
  center.removeObserver(token)
}
