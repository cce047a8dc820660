import Foundation
import HubTestSupport
import Testing

/// Tests of the warning at start when the limit of open files is too low for the settings.
struct DescriptorTests {
    private static let warning = "fewer connections than limits.maximumConnections"

    /// A hub under limits of open files, as `ulimit` sets them.
    private static func hub(_ limits: String, _ folder: TemporaryFolder) throws -> Program {
        let settings = try folder.write("{ limits: { maximumConnections: 900 } }", to: "few.json5")
        let script = "\(limits) && exec \"$0\" serve --listen 127.0.0.1:0 --config \(settings)"
        return try Program(["-c", script, Program.path], program: "/bin/sh", in: folder, withErrors: true)
    }

    @Test func `a low limit of open files is warned about, with both numbers and the remedy`() async throws {
        let folder = try TemporaryFolder()
        let program = try Self.hub("ulimit -n 300", folder)
        let line = try await program.line(with: Self.warning)
        #expect(line.contains("raise ulimit -n (LimitNOFILE), or lower the setting"))
        // Of 300 descriptors, 64 are for files and databases, and 64 for refusing connections when the hub is full.
        for field in ["connections=172", "maximumConnections=900", "ulimit=1028"] { #expect(line.contains(field)) }
        program.send(signal: SIGTERM)
        #expect(await program.exitCode() == 0)
    }

    @Test(arguments: ["ulimit -n 1028", "ulimit -Sn 200"])
    func `a limit that is sufficient, or that the hub can raise, causes no warning`(_ limits: String) async throws {
        let folder = try TemporaryFolder()
        let program = try Self.hub(limits, folder)
        try await program.line(with: "listens on")
        program.send(signal: SIGTERM)
        #expect(await program.exitCode() == 0)
        #expect(!program.printed.contains(Self.warning))
    }
}
