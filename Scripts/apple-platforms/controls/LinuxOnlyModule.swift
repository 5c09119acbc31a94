// no such module 'FoundationNetworking'
import Foundation
import FoundationNetworking
