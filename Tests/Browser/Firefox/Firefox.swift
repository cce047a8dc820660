import Foundation
import HubTestSupport

/// A headless Firefox, driven over WebDriver BiDi; it ends with this object, and with this process.
///
/// Firefox plays audio only with an audio device, so it gets a PulseAudio server of its own with a null sink.
public final class Firefox: Sendable {
    private let process: GuardedProcess
    private let sound: GuardedProcess
    let socket: BiDiSocket

    /// Starts a sound server and a Firefox.
    ///
    /// - Throws: ``BrowserError`` when one of them does not start, or an error of the file system or of the socket.
    public init() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/callhub-firefox-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/profile", withIntermediateDirectories: true)
        let preferences = Self.preferences.map { "user_pref(\"\($0)\", \($1));\n" }.joined()
        try Data(preferences.utf8).write(to: URL(filePath: folder + "/profile/user.js"))
        let soundFolder = FileManager.default.temporaryDirectory.path + "/callhub-sound-\(UUID().uuidString)"
        let server = try await Self.soundServer(in: soundFolder)
        sound = server
        let process = try GuardedProcess(
            ["firefox-esr", "--profile", folder + "/profile", "--no-remote", "--remote-debugging-port", "0"],
            environment: [
                "MOZ_HEADLESS": "1", "HOME": folder, "XDG_RUNTIME_DIR": folder,
                "PULSE_SERVER": "unix:\(soundFolder)/native",
            ],
            removing: folder
        )
        self.process = process
        let line = await process.output.line(within: .seconds(60)) { $0.contains("WebDriver BiDi listening on") }
        guard let port = line?.split(separator: ":").last.flatMap({ Int($0.prefix { $0.isNumber }) }) else {
            throw BrowserError("Firefox did not start: \(process.output.text)")
        }
        socket = try BiDiSocket(port: port)
        try await socket.send("session.new", ["capabilities": [:]])
        try await socket.send("session.subscribe", ["events": ["log.entryAdded", "network.beforeRequestSent"]])
    }

    /// Opens a page in a user context of its own.
    ///
    /// - Returns: A blank page.
    /// - Throws: ``BrowserError`` when Firefox refuses, has ended or does not reply in time.
    public func page() async throws -> FirefoxPage {
        let user = try await socket.send("browser.createUserContext")["userContext"]
        let context = try await socket.send("browsingContext.create", ["type": "tab", "userContext": user])["context"]
        return FirefoxPage(self, user: user, context: context)
    }

    private static func soundServer(in folder: String) async throws -> GuardedProcess {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let server = try GuardedProcess(
            [
                "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-target=stderr",
                "--log-level=info", "-L", "module-null-sink sink_name=nowhere",
                "-L", "module-native-protocol-unix socket=\(folder)/native auth-anonymous=1",
            ],
            environment: ["HOME": folder, "XDG_RUNTIME_DIR": folder, "PULSE_RUNTIME_PATH": folder],
            removing: folder
        )
        let isThere = await server.output.line(within: .seconds(20)) { $0.contains("Daemon startup complete") }
        guard isThere != nil else { throw BrowserError("no sound server: \(server.output.text)") }
        return server
    }

    private static let preferences = [
        "media.navigator.streams.fake": "true", "media.navigator.permission.disabled": "true",
        "media.autoplay.default": "0", "media.autoplay.blocking_policy": "0", "remote.active-protocols": "1",
        "browser.shell.checkDefaultBrowser": "false", "datareporting.policy.dataSubmissionEnabled": "false",
        "toolkit.telemetry.enabled": "false", "app.update.disabledForTesting": "true",
        "network.captive-portal-service.enabled": "false", "network.connectivity-service.enabled": "false",
    ]
}
