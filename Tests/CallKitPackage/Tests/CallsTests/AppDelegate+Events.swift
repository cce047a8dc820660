// No file imports both Testing and UIKit: Swift Testing has a part of its own for the real UIKit.
import Foundation
import Intents
import UIKit

@testable import Calls

extension AppDelegate {
    /// Launches the app.
    func launch() -> Bool {
        application(UIApplication(), didFinishLaunchingWithOptions: nil)
    }

    /// Has the app continue an activity, such as a tap in Recents.
    func resume(_ activity: NSUserActivity) -> Bool {
        application(UIApplication(), continue: activity) { _ in }
    }

    /// Has the app open a link.
    func open(_ link: String) -> Bool {
        URL(string: link).map { application(UIApplication(), open: $0) } ?? false
    }
}
