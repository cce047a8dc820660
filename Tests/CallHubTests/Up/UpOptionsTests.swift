import HubACME
import HubConfiguration
import HubServer
import HubTestSupport
import Testing

@testable import CommandLineTools
@testable import callhub

/// The command line of `callhub up`, without running a hub.
struct UpOptionsTests {
    private func settings(_ arguments: [String], _ state: (Int) -> PortState = { _ in .free }) throws -> ServeSettings {
        let given = try Arguments(arguments, options: UpOptions.all)
        return try UpOptions.settings(given, try UpOptions.ports(given, state: state))
    }

    private func settings(_ arguments: String...) throws -> ServeSettings { try settings(arguments) }

    private func complaint(_ arguments: String...) -> String? {
        do {
            _ = try settings(arguments)
            return nil
        } catch let error as UsageError {
            return error.message
        } catch let error as SettingsError {
            return error.faults.joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }

    @Test func `without options it is https for all, with accounts, and its metrics are for this machine`() throws {
        let settings = try settings()
        #expect(settings.authMode == .accounts && settings.tls.own && settings.tls.acme.domains.isEmpty)
        let transport = settings.hub.transport
        #expect(transport.host == "*" && transport.port == 443 && transport.redirectPort == 80)
        #expect(!transport.isBehindProxy && transport.publicURL == nil)
        #expect(settings.hub.metrics.addresses == AddressRange.loopback)
        #expect(settings.hub.log.level == .warning)
        #expect(try self.settings("--log-level", "info").hub.log.level == .info)
    }

    @Test func `links for others are 1 to 20`() throws {
        for text in ["0", "21", "", "-1", "+1", "1.5", "2147483648", "9223372036854775807", "18446744073709551615"] {
            let given = try Arguments(["--invite", text], options: UpOptions.all)
            let fault = #expect(throws: UsageError.self) { try UpOptions.invitations(given) }
            #expect(fault?.message == "--invite is \"\(text)\"; it must be a whole number from 1 to 20.")
        }
        for (text, number) in [("1", 1), ("20", 20)] {
            #expect(try UpOptions.invitations(Arguments(["--invite", text], options: UpOptions.all)) == number)
        }
        #expect(try UpOptions.invitations(Arguments([], options: UpOptions.all)) == 0)
        let given = try Arguments(["--install", "--invite", "1"], options: UpOptions.all)
        let fault = #expect(throws: UsageError.self) { try UpOptions.checkCombinations(given) }
        #expect(fault?.message.contains(" invite account --data /var/lib/callhub`.") == true)
    }

    @Test func `backups are in the data directory`() throws {
        let folder = try TemporaryFolder()
        var settings = try settings()
        try settings.resolve(dataDirectory: folder.path + "/data")
        #expect(settings.backup.folder == folder.path + "/data/backups")
    }

    @Test func `a domain is that of the certificate, and of the links`() throws {
        let settings = try settings("--domain", "Calls.example.org.", "--domain", "b.example.org")
        #expect(settings.tls.acme.domains == ["Calls.example.org.", "b.example.org"])
        #expect(settings.hub.transport.publicURL == "https://calls.example.org/")
        // From the Internet the port may be another one.
        #expect(try self.settings("--domain", "a.example", "--port", "8443").hub.transport.publicURL == nil)
        #expect(complaint("--domain", "*.example.org")?.contains("is a wildcard") == true)
        #expect(complaint("--domain", "*.example.org", "--port", "8443")?.contains("is a wildcard") == true)
        #expect(complaint("--domain", "10.0.0.1", "--behind-proxy")?.contains("is an address") == true)
    }

    @Test func `behind a proxy it is http for this machine alone`() throws {
        let settings = try settings("--behind-proxy", "--domain", "calls.example.org")
        let transport = settings.hub.transport
        #expect(transport.isBehindProxy && transport.host == "127.0.0.1" && transport.port == 8080)
        #expect(transport.redirectPort == nil && !settings.tls.makesOwn)
        #expect(transport.publicURL == "https://calls.example.org/" && transport.hosts == ["calls.example.org"])
        #expect(try self.settings("--behind-proxy", "--port", "9000").hub.transport.port == 9000)
        #expect(try self.settings("--behind-proxy").hub.transport.publicURL == nil)
        #expect(complaint("--behind-proxy", "--redirect-port", "80")?.contains("the proxy redirects") == true)
    }

    @Test func `a port without the right for it, or for http one that is taken, is replaced, and a sentence says so`()
        throws
    {
        func ports(_ arguments: String..., state: @escaping (Int) -> PortState) throws -> UpPorts {
            try UpOptions.ports(Arguments(arguments, options: UpOptions.all), state: state)
        }
        let unprivileged = try ports { $0 < 1024 ? .forbidden : .free }
        #expect(unprivileged.secure == 8443 && unprivileged.redirect == 8080)
        #expect(unprivileged.notices.count == 1 && unprivileged.notices[0].hasPrefix("Port 443 needs a right"))
        let busy = try ports { $0 == 80 ? .taken : .free }
        #expect(busy.secure == 443 && busy.redirect == 8080 && busy.notices.isEmpty)
        let full = try ports { [80, 8080].contains($0) ? .taken : .free }
        #expect(full.redirect == nil && full.notices.first?.contains("--redirect-port") == true)
        // The same hub under another address would be lost to those who know it.
        #expect(try ports { $0 == 443 ? .taken : .free }.secure == 443)
        let chosen = try ports("--port", "8080", "--redirect-port", "0") { _ in .forbidden }
        #expect(chosen.secure == 8080 && chosen.redirect == 0 && chosen.notices.isEmpty)
        #expect(try ports("--port", "80") { _ in .free }.redirect == 8080)
    }

    @Test(arguments: ["-1", "65536", "2147483648", "9223372036854775808", "80.5", "", " 80", "+80", "https", "٨٠"])
    func `a wrong port is one sentence`(_ text: String) {
        for option in ["--port", "--redirect-port"] {
            #expect(complaint("\(option)=\(text)")?.hasSuffix("it must be a port from 0 to 65535.") == true)
        }
    }

    @Test func `other mistakes are one sentence each`() {
        #expect(complaint("now") == "\"now\" is not an option; see --help.")
        #expect(complaint("--domains", "a.b") == "there is no option \"--domains\"; did you mean --domain?")
        #expect(complaint("--port", "80", "--redirect-port", "80")?.contains("choose two ports") == true)
        #expect(complaint("--port", "0", "--redirect-port", "0") == nil)
        #expect(complaint("--log-level", "loud")?.contains("it must be \"error\"") == true)
    }

    @Test func `the help lists every option`() {
        for option in UpOptions.all { #expect(UpOptions.usage.contains("  " + option.name)) }
        for line in UpOptions.usage.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
    }

    @Test func `a service has the same options, but for its data`() throws {
        let given = try Arguments(
            ["--install", "--domain", "a.example", "--port", "8443", "--no-qr", "--domain=b.example"],
            options: UpOptions.all
        )
        #expect(UpOptions.ofService(given) == ["--domain", "a.example", "--domain", "b.example", "--port", "8443"])
    }
}
