// value of type 'any URLProtocolClient' has no member 'urlProtocolDidFinish'
import Foundation

func finish(_ loading: URLProtocol) { loading.client?.urlProtocolDidFinish(loading) }
