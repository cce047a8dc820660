import Foundation
import HubTestSupport
import Testing

/// Tests of the systemd unit that the packages install, by systemd itself.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")))
struct UnitFileTests {
    private let folder: TemporaryFolder

    /// Writes the unit of a package; the program is another one, which is there.
    init() async throws {
        folder = try TemporaryFolder()
        let script = repository.appending(path: "packages/unit.sh").path()
        let maker = try Program(["/usr/bin/true", "/etc/callhub/callhub.json5"], program: script, in: folder)
        #expect(await maker.exitCode() == 0)
        try Data(maker.printed.utf8).write(to: folder.url.appending(path: "callhub.service"))
    }

    @Test func `it runs the packaged program with the packaged settings`() throws {
        let unit = try String(contentsOf: folder.url.appending(path: "callhub.service"), encoding: .utf8)
        let command = "ExecStart=/usr/bin/true serve --config /etc/callhub/callhub.json5 --data /var/lib/callhub\n"
        #expect(unit.contains(command))
        #expect(unit.contains("\nStateDirectory=callhub\n"))
        #expect(!unit.contains("/usr/local") && !unit.contains("/etc/callhub.json5"))
    }

    @Test func `systemd finds no fault in it`() async throws {
        let arguments = ["verify", "--man=no", "callhub.service"]
        let verifier = try Program(arguments, program: "/usr/bin/systemd-analyze", in: folder, withErrors: true)
        #expect(await verifier.exitCode() == 0)
        #expect(verifier.printed.isEmpty)
    }

    @Test func `its exposure is at most 1.9 of 10`() async throws {
        let arguments = ["security", "--offline=yes", "--threshold=19", "--no-pager", "callhub.service"]
        let assessor = try Program(arguments, program: "/usr/bin/systemd-analyze", in: folder, withErrors: true)
        #expect(await assessor.exitCode() == 0)
        #expect(assessor.printed.contains("Overall exposure level for callhub.service"))
    }
}
