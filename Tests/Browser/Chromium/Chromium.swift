import Foundation
import HubTestSupport

/// A headless Chromium, driven over its DevTools pipe; it ends with this object, and with this process.
public final class Chromium: Sendable {
    /// A program of Debian's Chromium packages.
    public enum Build: String, Sendable {
        /// The headless shell: half the memory; it supports no notifications and hides no tab.
        case headlessShell = "chromium-headless-shell"
        /// The whole browser.
        case full = "chromium"
    }

    /// The start options of a browser.
    public struct Options: Sendable {
        /// Indicates that audio starts only after a user gesture, as in people's browsers.
        public var requiresUserGesture = false
        /// A WAV file that all fake microphones play in a loop; nil: a short beep twice a second.
        public var microphoneFile: String?
        /// Further arguments for the command line.
        public var more: [String] = []

        /// Creates the default options.
        public init() {}
    }

    /// The path of the profile folder, removed when the browser has ended.
    public let profile: String
    let pipe: DevToolsPipe
    /// Indicates that scripts run without user activation, so that only keys and clicks count as a user gesture.
    let requiresUserGesture: Bool

    /// Starts a browser.
    ///
    /// - Parameters:
    ///   - build: The program to start.
    ///   - options: The start options.
    /// - Throws: ``BrowserError`` when the browser does not reply in time, or ``GuardedProcess/NotStarted``.
    public init(_ build: Build = .headlessShell, _ options: Options = Options()) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/callhub-browser-\(UUID().uuidString)"
        profile = folder
        requiresUserGesture = options.requiresUserGesture
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var words = [build.rawValue] + Self.words + ["--user-data-dir=\(folder)"] + options.more
        if !options.requiresUserGesture { words.append("--autoplay-policy=no-user-gesture-required") }
        if let file = options.microphoneFile { words.append("--use-file-for-fake-audio-capture=\(file)") }
        // Chromium's sandbox does not run as root.
        if geteuid() == 0 { words.append("--no-sandbox") }
        let process = try GuardedProcess(words + ["about:blank"], environment: ["HOME": folder], removing: folder)
        pipe = DevToolsPipe(process)
        try await pipe.send("Browser.getVersion")
    }

    /// Indicates that the browser has not ended.
    public var isRunning: Bool { !pipe.isOver }

    /// Opens a page in a browser context of its own, which shares no storage with other pages.
    ///
    /// - Parameters:
    ///   - width: The window's width in CSS pixels.
    ///   - height: The window's height in CSS pixels.
    ///   - permissions: The permissions to grant, by their names in the DevTools protocol.
    /// - Returns: A blank page.
    /// - Throws: ``BrowserError`` when the browser refuses, has ended or does not reply in time.
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
        // A further tab of a window has the window's size.
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
