import Intents
import UIKit

/// The app.
class AppDelegate: UIResponder, UIApplicationDelegate {
    let manager = CallManager()
    lazy var provider = ProviderDelegate(manager: manager)
    private var pushes: PushController?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        pushes = PushController(provider: provider)
        return true
    }

    func application(
        _ application: UIApplication,
        continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard let request = StartCallRequest(activity: userActivity) else { return false }
        manager.startCall(to: request.handle, type: request.type, video: request.isVideo)
        return true
    }

    func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        guard let request = StartCallRequest(url: url) else { return false }
        manager.startCall(to: request.handle, type: request.type)
        return true
    }
}
