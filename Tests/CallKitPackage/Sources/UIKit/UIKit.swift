// swift-format-ignore-file
#if os(Linux)
@_exported import Foundation
import Intents

open class UIResponder: NSObject {}
public protocol UIUserActivityRestoring {}
public protocol UIApplicationDelegate: AnyObject {}
open class UIApplication: NSObject {
    public struct LaunchOptionsKey: Hashable {}
    public struct OpenURLOptionsKey: Hashable {}
}
open class UIImage: NSObject {
    public init?(named name: String) { return nil }
    public func pngData() -> Data? { nil }
}
#endif
