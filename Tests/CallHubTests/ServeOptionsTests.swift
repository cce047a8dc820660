import HubACME
import HubServer
import HubTestSupport
import Testing

@testable import CommandLineTools
@testable import HubConfiguration
@testable import callhub

/// The command line of `callhub serve`, without running a hub.
struct ServeOptionsTests {
    private func settings(_ arguments: String...) throws -> ServeSettings {
        try ServeOptions.settings(Arguments(arguments, options: ServeOptions.all))
    }

    private func complaint(_ arguments: String...) -> String? {
        do {
            _ = try ServeOptions.settings(Arguments(arguments, options: ServeOptions.all))
            return nil
        } catch let error as UsageError {
            return error.message
        } catch let error as SettingsError {
            return error.faults.joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }

    @Test func `without options all settings have their defaults`() throws {
        let hub = try settings().hub
        #expect(hub.transport.host == "127.0.0.1")
        #expect(hub.transport.port == 8080)
        #expect(hub.log.level == .info)
    }

    @Test func `an option overrides the configuration file`() throws {
        let file = try TemporaryFolder()
        let path = try file.write(
            "{listen: {host: '::1', port: 1}, log: {level: 'error', format: 'json'}}",
            to: "c.json5"
        )
        let hub = try settings("--config", path, "--listen", "localhost:9", "--log-level", "debug").hub
        #expect(hub.transport.host == "localhost")
        #expect(hub.transport.port == 9)
        #expect(hub.log.level == .debug)
        #expect(hub.log.format == .json)
    }

    @Test(arguments: ["0.0.0.0:80", "*:80", "[::]:80", "hub.example.com:80"])
    func `an open hub refuses a public address unless that is explicitly allowed`(address: String) throws {
        #expect(complaint("--listen", address)?.contains("--allow-open") == true)
        #expect(complaint("--listen", address, "--allow-open") == nil)
        let folder = try TemporaryFolder()
        let path = try folder.write("{auth: {allowOpenBeyondLoopback: true}}", to: "c.json5")
        #expect(complaint("--listen", address, "--config", path) == nil)
    }

    @Test func `each domain of the command line is one of the certificate, in place of those of the file`() throws {
        let file = try TemporaryFolder()
        let path = try file.write(
            "{tls: {acme: {domains: ['old.example'], contact: 'ann@example.org'}}}",
            to: "c.json5"
        )
        let acme = try settings("--config", path, "--domain", "a.example", "--domain=b.example").tls.acme
        #expect(acme.domains == ["a.example", "b.example"] && acme.contact == "ann@example.org")
        #expect(complaint("--domain", "https://a.example")?.contains("is no host name; name the host alone") == true)
        #expect(complaint("--domain")?.contains("--domain needs a value") == true)
    }

    @Test func `the engine's invariants are checked at the configured interval`() throws {
        #expect(try settings().hub.invariantCheckInterval == .zero)
        #expect(try settings("--check-invariants", "250").hub.invariantCheckInterval == .milliseconds(250))
    }

    @Test func `an invalid option is reported with the valid ones`() {
        #expect(
            complaint("--check-invariants", "often")
                == "--check-invariants is \"often\"; it must be a number from 0 to 60000."
        )
        #expect(
            complaint("--listen", "8080")
                == "--listen is \"8080\"; it must be HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080."
        )
        #expect(
            complaint("--log-level", "loud")
                == "--log-level is \"loud\"; it must be \"error\", \"warning\", \"info\" or \"debug\"."
        )
        #expect(complaint("--log-format", "xml") == "--log-format is \"xml\"; it must be \"text\" or \"json\".")
        #expect(complaint("--lisen", "x") == "there is no option \"--lisen\"; did you mean --listen?")
        #expect(complaint("8080") == "\"8080\" is not an option; see --help.")
    }

    @Test func `the help lists every option of serve`() {
        for option in ServeOptions.all { #expect(ServeOptions.usage.contains("  " + option.name)) }
        for line in ServeOptions.usage.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
    }
}
