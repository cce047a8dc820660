import Foundation
import HubStore
import HubTestSupport
import Testing

@testable import CommandLineTools
@testable import callhub

/// `callhub up --install`, with files of the test's own in place of the machine's.
struct ServiceInstallerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The `systemctl` of a test.
    private final class Systemctl: @unchecked Sendable {
        var commands: [String] = []
        var code: Int32 = 0
        /// The question that is answered by yes: `is-enabled`, `is-active`; nil: none.
        var isTrue: String?

        func run(_ arguments: [String]) -> Int32 {
            if arguments.contains("--quiet") { return arguments.first == isTrue ? 0 : 1 }
            commands.append(arguments.joined(separator: " "))
            return code
        }
    }

    private func installer(_ systemctl: Systemctl, program: String = "/usr/bin/env") -> ServiceInstaller {
        var installer = ServiceInstaller()
        installer.target = folder.path + "/target"
        installer.unitPath = folder.path + "/callhub.service"
        installer.packagedPaths = [folder.path + "/packaged.service"]
        (installer.isRoot, installer.hasSystemd, installer.program) = (true, true, program)
        installer.systemctl = { systemctl.run($0) }
        return installer
    }

    private func complaint(_ installer: ServiceInstaller, _ arguments: [String] = [], from: String? = nil) -> String? {
        do {
            _ = try installer.install(arguments, from: from)
            return nil
        } catch {
            return (error as? CommandFailure)?.message ?? "\(error)"
        }
    }

    private func unit() throws -> String {
        try String(contentsOfFile: folder.path + "/callhub.service", encoding: .utf8)
    }

    @Test func `the unit is written, enabled and started, and found again the next time`() throws {
        let systemctl = Systemctl()
        #expect(try installer(systemctl).install(["--domain", "a.example"]) == .written)
        #expect(systemctl.commands == ["daemon-reload", "enable --now callhub.service"])
        let text = try unit()
        #expect(text.contains("\nExecStart=/usr/bin/env up --domain a.example --data /var/lib/callhub\n"))
        #expect(try installer(systemctl).install(["--domain", "a.example"]) == .same)
        #expect(try unit() == text)
    }

    @Test func `another unit is left as it is`() throws {
        let systemctl = Systemctl()
        _ = try folder.write("[Service]\n", to: "callhub.service")
        #expect(complaint(installer(systemctl))?.contains("nothing was changed: remove it (sudo rm ") == true)
        #expect(try unit() == "[Service]\n" && systemctl.commands.isEmpty)
    }

    @Test func `the data of a server that has ended is copied for a service that has none, and never over its own`()
        throws
    {
        let systemctl = Systemctl()
        let source = folder.path + "/source"
        let sentence = "\(source) has no callhub.db; name the data directory of a server by --from."
        #expect(complaint(installer(systemctl), from: source) == sentence)
        let store = try Store(StoreSettings(source + "/callhub.db"))
        try FileManager.default.createDirectory(atPath: source + "/certificates", withIntermediateDirectories: false)
        _ = try folder.write("key", to: "source/certificates/authority.key")
        #expect(complaint(installer(systemctl), from: source)?.hasPrefix("a server is using \(source); end it") == true)
        store.close()
        #expect(systemctl.commands.isEmpty)
        #expect(throws: (any Error).self) { try unit() }
        #expect(try installer(systemctl).install([], from: source) == .written)
        let key = folder.path + "/target/certificates/authority.key"
        #expect(try String(contentsOfFile: key, encoding: .utf8) == "key")
        #expect(try StoreFile(folder.path + "/target/callhub.db", creatingIfMissing: false).accounts().isEmpty)
        #expect(FileManager.default.fileExists(atPath: source + "/callhub.db"))
        #expect(complaint(installer(systemctl), from: source)?.hasPrefix("the service has data already, in ") == true)
        #expect(systemctl.commands == ["daemon-reload", "enable --now callhub.service"])
    }

    @Test func `beside the unit of a package, that nobody uses, one with the options is written`() throws {
        let systemctl = Systemctl()
        _ = try folder.write("[Service]\n", to: "packaged.service")
        #expect(try installer(systemctl).install(["--port", "443"]) == .written)
        #expect(systemctl.commands == ["daemon-reload", "enable --now callhub.service"])
        #expect(try unit().contains("\nExecStart=/usr/bin/env up --port 443 --data /var/lib/callhub\n"))
        systemctl.isTrue = "is-enabled"
        #expect(try installer(systemctl).install(["--port", "443"]) == .same)
    }

    @Test(arguments: ["is-enabled", "is-active"])
    func `a service of a package that is in use is left as it is`(state: String) throws {
        let systemctl = Systemctl()
        systemctl.isTrue = state
        _ = try folder.write("[Service]\n", to: "packaged.service")
        let sentence = complaint(installer(systemctl))
        #expect(sentence?.hasPrefix("the package's service callhub is in use already, with /etc/callhub/") == true)
        #expect(systemctl.commands.isEmpty)
        #expect(throws: (any Error).self) { try unit() }
    }

    @Test func `without root, without systemd and where systemd fails there is one sentence, and what to do`() {
        let systemctl = Systemctl()
        var user = installer(systemctl)
        user.isRoot = false
        let sentence = complaint(user, ["--domain", "a.example"])
        #expect(sentence?.hasPrefix("a service is made by root: sudo ") == true)
        #expect(sentence?.hasSuffix(" up --install --domain a.example") == true)
        var bare = installer(systemctl)
        bare.hasSystemd = false
        #expect(complaint(bare)?.hasPrefix("this machine is not run by systemd") == true)
        #expect(systemctl.commands.isEmpty)
        systemctl.code = 1
        #expect(complaint(installer(systemctl))?.contains("`journalctl -u callhub -n 20` says why") == true)
    }

    @Test func `a program that the service's user cannot run is refused before anything is written`() throws {
        let systemctl = Systemctl()
        let program = try folder.write("", to: "callhub")
        #expect(complaint(installer(systemctl, program: program))?.contains("since /tmp is closed to others") == true)
        #expect(systemctl.commands.isEmpty)
        #expect(throws: (any Error).self) { try unit() }
        #expect(ServiceInstaller.unreadableFolder(of: "/usr/bin/env") == nil)
        #expect(ServiceInstaller.unreadableFolder(of: "/nowhere/callhub") == "/nowhere")
        #expect(ServiceInstaller.unreadableFolder(of: "/etc/shadow") == "/etc/shadow")
    }

    @Test func `the unit is that of config/callhub.service, but for the command and comments`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("config/callhub.service")
        func directives(_ text: String) -> [Substring] {
            text.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.hasPrefix("ExecStart=") }
        }
        let ours = ServiceUnit.text(program: "/usr/bin/callhub", arguments: [])
        #expect(try directives(ours) == directives(String(contentsOf: file, encoding: .utf8)))
        let home = ServiceUnit.text(program: "/home/ann/callhub", arguments: [])
        #expect(home.contains("\nProtectHome=read-only\n"))
    }

    @Test func `a word of the command is what systemd reads it as`() {
        #expect(ServiceUnit.word("--domain") == "--domain")
        #expect(ServiceUnit.word("a b") == "\"a b\"")
        #expect(ServiceUnit.word("50%$x\"\\") == "\"50%%$$x\\\"\\\\\"")
        #expect(ServiceUnit.word("") == "\"\"")
    }

    @Test func `systemd finds no fault in the unit`() async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else { return }
        _ = try installer(Systemctl()).install(["--port", "8443"])
        let check = try Program(
            ["verify", "--man=no", folder.path + "/callhub.service"],
            program: "/usr/bin/systemd-analyze",
            in: folder,
            withErrors: true
        )
        _ = await check.exitCode()
        #expect(!check.printed.contains("callhub.service"), "\(check.printed)")
    }
}
