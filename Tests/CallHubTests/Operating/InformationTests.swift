import Foundation
import HubAccounts
import HubConfiguration
import HubServer
import HubTestSupport
import Synchronization
import Testing

/// `GET /v1/info` and the logo: what a client reads before it signs in.
struct InformationTests {
    private static let svg = "<?xml version=\"1.0\"?>\n<!-- a logo --><svg xmlns=\"http://www.w3.org/2000/svg\"></svg>"

    /// A hub that is started with a configuration file, which a test changes.
    private final class Fixture: Sendable {
        let folder: TemporaryFolder
        let hub: ConfiguredHub
        let log = LogLines()

        init(_ settings: String, loops: Int = 1) async throws {
            let folder = try TemporaryFolder()
            let file = try folder.write(settings, to: "hub.json5")
            var read = try ConfigurationFile.read(file)
            read.configurationFile = file
            read.hub.transport.host = "127.0.0.1"
            read.hub.transport.port = 0
            read.hub.transport.loops = loops
            let log = log
            read.hub.log.write = { log.add($0) }
            try read.resolve(dataDirectory: folder.path + "/data")
            let resolved = read
            self.folder = folder
            hub = try await blocking { try ConfiguredHub.start(resolved) }
        }

        deinit {
            hub.server.stop()
            hub.waitUntilStopped()
        }

        func fetch(_ path: String, _ headers: [String] = []) throws -> HTTPReply {
            try HTTPReply.fetch(path, port: hub.server.port, headers: headers)
        }

        func information() throws -> String {
            let reply = try fetch("/v1/info")
            #expect(reply.status == 200)
            return String(decoding: reply.body, as: UTF8.self)
        }

        /// Returns the end of the page, from the brand on.
        func brand() throws -> String {
            let text = try information()
            return text.firstRange(of: "\"brand\":").map { String(text[$0.upperBound...].dropLast()) } ?? text
        }
    }

    /// The lines of a hub's log.
    private final class LogLines: Sendable {
        private let lines = Mutex<[String]>([])

        func add(_ line: some StringProtocol) { lines.withLock { $0.append(String(line)) } }
        var text: String { lines.withLock { $0.joined() } }
    }

    @Test(arguments: [1, 2])
    func `the page has the mode, the https address and the brand, without sign-in`(loops: Int) async throws {
        let settings = """
            {http: {publicURL: "https://phone.example.com/"}, brand: {name: "Acme – ☎", color: "#1A7f5a"}}
            """
        let fixture = try await Fixture(settings, loops: loops)
        for _ in 1...4 {
            #expect(
                try fixture.information() == ##"{"name":"CallHub","version":"0.1.0","authMode":"open","##
                    + ##""secureURL":"https://phone.example.com/","brand":{"name":"Acme – ☎","color":"#1A7f5a"}}"##
            )
        }
        let reply = try fixture.fetch("/v1/info")
        #expect(reply.headers["content-type"] == "application/json")
        #expect(reply.headers["cache-control"] == "no-store")
        #expect(try fixture.fetch("/v1/logo").status == 404)
        #expect(try fixture.fetch("/v1/other").status == 404)
    }

    @Test func `members without a value are left out`() async throws {
        let fixture = try await Fixture("{}")
        let text = #"{"name":"CallHub","version":"0.1.0","authMode":"open","brand":{}}"#
        #expect(try fixture.information() == text)
    }

    @Test func `an SVG logo is served with a policy that lets none of its scripts run`() async throws {
        let fixture = try await Fixture("{}")
        let logo = try fixture.folder.write(Self.svg, to: "logo.svg")
        _ = try fixture.folder.write("{brand: {logo: \"\(logo)\"}}", to: "hub.json5")
        fixture.hub.reload()
        #expect(try fixture.brand() == #"{"logo":"/v1/logo"}"#)
        let reply = try fixture.fetch("/v1/logo")
        #expect(reply.body == Array(Self.svg.utf8))
        #expect(reply.headers["content-type"] == "image/svg+xml")
        let policy = try #require(reply.headers["content-security-policy"])
        #expect(policy.hasPrefix("default-src 'none'; "))
        #expect(policy.contains("sandbox"))
        #expect(!policy.contains("script-src") && !policy.contains("'self'"))
        #expect(reply.headers["x-content-type-options"] == "nosniff")
        #expect(reply.headers["cache-control"] == "no-cache")
        let tag = try #require(reply.headers["etag"])
        #expect(try fixture.fetch("/v1/logo", ["If-None-Match: \(tag)"]).status == 304)
        #expect(try fixture.fetch("/v1/logo", ["If-None-Match: \"other\""]).status == 200)
    }

    @Test(arguments: [
        ("brand: {name: 7}", "brand.name is 7; it must be 1 to 64 visible characters, or null."),
        ("brand: {logo: '/none.png'}", "brand.logo: /none.png cannot be read; it must be a PNG or SVG file."),
    ])
    func `a reload with a wrong value is logged with its sentence, and the old brand stays`(
        _ change: String,
        _ sentence: String
    ) async throws {
        let fixture = try await Fixture("{brand: {name: \"Acme\"}}")
        _ = try fixture.folder.write("{\(change)}", to: "hub.json5")
        fixture.hub.reload()
        #expect(try fixture.brand() == #"{"name":"Acme"}"#)
        #expect(fixture.log.text.contains("brand not reloaded; the old one stays"))
        #expect(fixture.log.text.contains(sentence), "\(fixture.log.text)")
        _ = try fixture.folder.write("{brand: {name: \"Acme 2\"}}", to: "hub.json5")
        fixture.hub.reload()
        #expect(try fixture.brand() == #"{"name":"Acme 2"}"#)
    }

    @Test(arguments: [
        ("", "the content of PATH is no image; it must be a PNG or SVG file."),
        ("<html><svg></svg></html>", "the content of PATH is no image; it must be a PNG or SVG file."),
        ("<!-- <svg -->", "the content of PATH is no image; it must be a PNG or SVG file."),
        ("<svgx/>", "the content of PATH is no image; it must be a PNG or SVG file."),
        (
            "<svg>" + String(repeating: " ", count: 65_536),
            "PATH is larger than 64 kB; it must have at most 65536 bytes."
        ),
    ])
    func `a hub does not start with a file that is no logo`(_ content: String, _ sentence: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(content, to: "logo")
        #expect {
            var settings = BrandSettings()
            settings.logo = path
            _ = try settings.load()
        } throws: { error in
            "\(error)" == "brand.logo: " + sentence.replacing("PATH", with: path)
        }
        var settings = ServeSettings()
        settings.brand.logo = path
        settings.hub.transport.port = 0
        settings.hub.log.write = { _ in }
        #expect(throws: ServeError.self) { try ConfiguredHub.start(settings) }
    }

    @Test func `a logo of exactly 64 kB is one, and so is a PNG file`() throws {
        let end = "</svg>"
        let svg = "<svg>" + String(repeating: " ", count: 65_536 - 5 - end.utf8.count) + end
        #expect(Brand.Logo(Array(svg.utf8))?.contentType == "image/svg+xml")
        #expect(Brand.Logo([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0])?.contentType == "image/png")
        #expect(Brand.Logo(Array(Self.svg.utf8))?.contentType == "image/svg+xml")
        #expect(Brand.Logo([0x3C, 0x73, 0x76, 0x67, 0x3E, 0xFF]) == nil, "no UTF-8")
    }
}
