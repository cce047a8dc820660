import Foundation
import HubTestSupport

/// A Chromium without a screen, driven over its DevTools pipe; it ends with this object, and with this process.
public final class Chromium: Sendable {
    /// Which of Debian's programs.
    public enum Build: String, Sendable {
        /// Half the memory; knows no notifications and hides no tab.
        case headlessShell = "chromium-headless-shell"
        /// The whole browser.
        case whole = "chromium"
    }

    /// How a browser is started.
    public struct Options: Sendable {
        /// Whether sound begins only after the user has touched the page, as in people's browsers.
        public var needsTouch = false
        /// A WAV file that all microphones speak, again and again; nil: a short beep twice a second.
        public var microphoneFile: String?
        /// More words for its command line.
        public var more: [String] = []

        /// The plain ones.
        public init() {}
    }

    /// The folder of all that it keeps, gone with it.
    public let profile: String
    let pipe: DevToolsPipe
    /// Whether what tests run in a page is not taken for a touch: only their keys and clicks are.
    let needsTouch: Bool

    /// Starts one.
    ///
    /// - Parameters:
    ///   - build: Which program.
    ///   - options: How.
    /// - Throws: ``BrowserError``.
    public init(_ build: Build = .headlessShell, _ options: Options = Options()) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/callhub-browser-\(UUID().uuidString)"
        profile = folder
        needsTouch = options.needsTouch
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var words = [build.rawValue] + Self.words + ["--user-data-dir=\(folder)"] + options.more
        if !options.needsTouch { words.append("--autoplay-policy=no-user-gesture-required") }
        if let file = options.microphoneFile { words.append("--use-file-for-fake-audio-capture=\(file)") }
        // Only who is not root has the sandbox.
        if geteuid() == 0 { words.append("--no-sandbox") }
        let process = try GuardedProcess(words + ["about:blank"], environment: ["HOME": folder], removing: folder)
        pipe = DevToolsPipe(process)
        try await pipe.send("Browser.getVersion")
    }

    /// Whether it has not ended by itself.
    public var isRunning: Bool { !pipe.isOver }

    /// A page of a user of its own: nothing is stored beside what this page's user stores.
    ///
    /// - Parameters:
    ///   - width: CSS pixels.
    ///   - height: CSS pixels.
    ///   - permissions: Granted beforehand, by their names in the protocol.
    /// - Returns: A blank page.
    /// - Throws: ``BrowserError``.
    public func page(
        width: Int = 1280,
        height: Int = 800,
        permissions: [String] = ["audioCapture"]
    ) async throws -> ChromiumPage {
        let context = try await pipe.send("Target.createBrowserContext")["browserContextId"]
        try await pipe.send(
            "Browser.grantPermissions",
            ["permissions": .array(permissions.map { .string($0) }), "browserContextId": context]
        )
        return try await page(of: context, width: width, height: height, owns: true)
    }

    func page(of context: JSON, width: Int, height: Int, owns: Bool) async throws -> ChromiumPage {
        var wish: [String: JSON] = ["url": "about:blank", "browserContextId": context]
        // Another tab of a window has the window's size.
        if owns { wish.merge(["width": .number(Double(width)), "height": .number(Double(height))]) { $1 } }
        let target = try await pipe.send("Target.createTarget", .object(wish))["targetId"]
        let session = try await pipe.send("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"]
        let page = ChromiumPage(self, context: context, target: target, session: session.text ?? "", ownsContext: owns)
        try await page.begin()
        return page
    }

    private static let words = [
        "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run", "--disable-sync",
        "--disable-background-networking", "--disable-component-update", "--disable-breakpad", "--mute-audio",
        "--disable-dev-shm-usage", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
        "--password-store=basic", "--lang=en",
    ]
}
