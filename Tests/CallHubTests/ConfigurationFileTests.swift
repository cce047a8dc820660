import HubACME
import HubServer
import HubTestSupport
import Testing

@testable import HubConfiguration

/// Tests of reading configuration files, and of the error messages for invalid ones.
struct ConfigurationFileTests {
    private func faults(_ text: String) -> [String] {
        do {
            _ = try ConfigurationFile.read(Array(text.utf8), name: "hub.json5")
            return []
        } catch {
            return error.faults
        }
    }

    private func settings(_ text: String) throws -> ServeSettings {
        try ConfigurationFile.read(Array(text.utf8), name: "hub.json5")
    }

    // MARK: Right ones

    @Test func `an empty object changes nothing`() throws {
        let settings = try settings("{}")
        for setting in SettingsTable.all { #expect(setting.value(settings) == setting.value(ServeSettings())) }
    }

    @Test func `given settings are applied, the others keep their defaults`() throws {
        let settings = try settings(
            "{calls: {ringTimeoutSeconds: 7.5,}, 'audio': {staleAfterMilliseconds: 0x50}, http: {allowedOrigins: "
                + "['https://a.example', \"http://b.example:81\"]}, node: 'n-1' /* so */}"
        )
        #expect(settings.hub.ringTimeout == .milliseconds(7500))
        #expect(settings.hub.transport.staleAfter == .milliseconds(80))
        #expect(settings.hub.transport.allowedOrigins == ["https://a.example", "http://b.example:81"])
        #expect(settings.node == "n-1")
        #expect(settings.hub.answerDeadline == HubSettings().answerDeadline)
    }

    /// The faults between settings, of a file that is valid in itself.
    private func conflicts(_ text: String) throws -> [String] {
        let settings = try settings(text)
        do throws(SettingsError) {
            try settings.check()
            return []
        } catch {
            return error.faults
        }
    }

    @Test func `a certificate of the hub's own may have names, and a redirect port needs a certificate`() throws {
        let settings = try settings("{tls: {own: true, names: ['a.example', '::1']}, http: {redirectPort: 80}}")
        #expect(settings.tls.own && settings.tls.names == ["a.example", "::1"])
        #expect(settings.hub.transport.redirectPort == 80)
        #expect(try self.settings("{http: {redirectPort: null}}").hub.transport.redirectPort == nil)
        #expect(
            try conflicts("{http: {redirectPort: 80}}") == [
                "http.redirectPort is set and the hub has no certificate; set tls.own, tls.acme or tls.certificate, or "
                    + "leave it null."
            ]
        )
        #expect(
            try conflicts("{tls: {own: true}, listen: {port: 8443}, http: {redirectPort: 8443}}")
                == ["http.redirectPort is 8443, as listen.port is; choose another port."]
        )
        for port in ["-1", "65536", "2147483648", "9223372036854775807", "80.5", "true", "'80'"] {
            #expect(
                faults("{tls: {own: true}, http: {redirectPort: \(port)}}").first?.contains("0 to 65535, or null")
                    == true
            )
        }
        let names = (0...100).map { "'n\($0).example'" }.joined(separator: ",")
        #expect(faults("{tls: {names: [\(names)]}}") == ["hub.json5: tls.names has 101 names; it may have 100."])
        for name in ["*.example", "", "a b", "DNS:a", "a,b", "http://a"] {
            let fault = faults("{tls: {names: ['\(name)']}}").first
            #expect(fault?.contains("it must be a list of host names and IP addresses such as [") == true, "\(name)")
        }
    }

    @Test func `a certificate by ACME has a section within a section`() throws {
        let tls = try settings(
            "{tls: {acme: {domains: ['Calls.example.org'], directory: 'https://ca/d', contact: 'ann@example.org', "
                + "certificateAuthority: 'ca.pem'}}, http: {redirectPort: 80}}"
        ).tls
        #expect(tls.acme.domains == ["Calls.example.org"] && tls.acme.hostNames == ["calls.example.org"])
        #expect(tls.acme.directoryURL == "https://ca/d" && tls.acme.contact == "ann@example.org")
        #expect(tls.acme.authorityFile == "ca.pem" && tls.makesOwn && !tls.own)
        #expect(try conflicts("{tls: {acme: {domains: ['a.example']}}, http: {redirectPort: 80}}").isEmpty)
        #expect(try !settings("{tls: {acme: {}}}").tls.makesOwn)
    }

    @Test func `wrong settings of ACME have a sentence each`() throws {
        for (text, words) in [
            ("domains: 'a.example'", "it must be a list of host names"),
            ("domains: [1]", "it must be a list of host names"),
            ("directory: 'http://ca/d'", "tls.acme.directory is \"http://ca/d\"; it must be an https URL"),
            ("contact: 'ann'", "it must be an e-mail address, or null"),
            ("domain: 'a'", "did you mean tls.acme.domains?"),
        ] {
            #expect(faults("{tls: {acme: {\(text)}}}").first?.contains(words) == true, "\(text)")
        }
        #expect(
            faults("{tls: {acme: true}}") == [
                "hub.json5: tls.acme is true; it must be an object: { and its settings }."
            ]
        )
        let key = faults("{'tls.own': true}").first
        #expect(key == "hub.json5: \"tls.own\" is one key with a dot in it; write a section, as in tls: {own: true}.")
        let many = (0...100).map { "'n\($0).example'" }.joined(separator: ",")
        for (text, words) in [
            ("acme: {domains: ['*.example.org']}", "tls.acme: \"*.example.org\" is a wildcard"),
            ("acme: {domains: ['192.0.2.1']}", "is an address; a certificate is for names"),
            ("acme: {domains: ['.']}", "a name has 1 to 253 characters"),
            ("acme: {domains: [\(many)]}", "There are 101 domains; a certificate is for 1 to 100"),
            ("acme: {domains: ['a.example'], contact: 'a@b@c'}", "is no contact"),
            ("acme: {contact: 'ann@example.org'}", "tls.acme has no domains; name them in tls.acme.domains or by"),
            (
                "acme: {domains: ['a.example']}, certificate: 'c', key: 'k'",
                "tls.certificate and tls.acme (--domain) excl"
            ),
        ] {
            let faults = try conflicts("{tls: {\(text)}}")
            #expect(faults.count == 1 && faults[0].contains(words), "\(text): \(faults)")
        }
        let behind = try conflicts(
            "{auth: {mode: 'accounts'}, tls: {acme: {domains: ['a.b']}}, http: {behindProxy: true}}"
        )
        #expect(behind.first?.contains("http.behindProxy and tls.acme (--domain) exclude each other") == true)
    }

    // MARK: Wrong values

    @Test func `an invalid value is reported with the valid ones`() {
        #expect(
            faults("{calls: {ringTimeoutSeconds: 'abc'}}")
                == ["hub.json5: calls.ringTimeoutSeconds is \"abc\"; it must be a number from 0.1 to 600."]
        )
        #expect(
            faults("{auth: {mode: 'account'}}") == [
                "hub.json5: auth.mode is \"account\"; it must be \"open\", \"accounts\", \"token\" or \"accounts+token\"."
            ]
        )
    }

    /// Values that no setting of any type accepts.
    @Test(arguments: SettingsTable.all.map(\.path))
    func `every setting refuses values of other types`(path: String) throws {
        let setting = try #require(SettingsTable.all.first { $0.path == path })
        for value in ["{}", "''", "-1", "1e300", "NaN", "Infinity", "[1]", "[null]", "['']"] {
            let text = path.split(separator: ".").reversed().reduce(value) { "{\($1): \($0)}" }
            let found = faults(text)
            #expect(found.count == 1, "\(path): \(value)")
            #expect(found.first?.hasPrefix("hub.json5: \(path) is ") == true)
            #expect(found.first?.hasSuffix("; it must be \(setting.rule).") == true)
        }
        let isNullable = setting.rule.hasSuffix("or null")
        var settings = ServeSettings()
        #expect(setting.apply(.null, &settings) == isNullable)
        #expect(setting.apply(setting.value(ServeSettings()), &settings))
    }

    @Test func `the bounds of a range are valid values`() throws {
        #expect(faults("{listen: {port: 0}, calls: {ringTimeoutSeconds: 0.1}}") == [])
        #expect(faults("{listen: {port: 65535}, calls: {ringTimeoutSeconds: 600}}") == [])
        #expect(faults("{listen: {port: 65536}, calls: {ringTimeoutSeconds: 0.09}}").count == 2)
        #expect(faults("{listen: {port: 80.5}}").count == 1)
    }

    @Test(arguments: ["https://a.example/", "a.example", "*", "ftp://a.example", "https://", "null", "https://a b"])
    func `an origin consists of scheme, host and port`(origin: String) {
        #expect(faults("{http: {allowedOrigins: ['https://right.example', '\(origin)']}}").count == 1)
    }

    @Test func `a brand's name is short and hides nothing, its colour has six digits, its address is secure`() {
        let long = String(repeating: "ü", count: 64)
        for name in ["A", long, "Café ☎ 北"] { #expect(faults("{brand: {name: '\(name)'}}") == [], "\(name)") }
        for name in ["", " ", long + "x", "a\u{202E}b", "a\\u0000", "a\\n", "\u{200B}", "\u{200D}"] {
            #expect(faults("{brand: {name: '\(name)'}}").count == 1, "\(name.unicodeScalars.map(\.value))")
        }
        for color in ["#000000", "#FFffFF"] { #expect(faults("{brand: {color: '\(color)'}}") == []) }
        for color in ["", "#fff", "000000", "#00000g", "#0000000", "red", " #000000"] {
            #expect(faults("{brand: {color: '\(color)'}}").count == 1, "\(color)")
        }
        for url in ["https://a.example", "https://a.example:8443/phone/"] {
            #expect(faults("{http: {publicURL: '\(url)'}}") == [])
        }
        for url in ["http://a.example/", "https://", "https://a b/", "https://a/?x", "https://a/#x", "javascript:0"] {
            #expect(faults("{http: {publicURL: '\(url)'}}").count == 1, "\(url)")
        }
    }

    @Test func `a long value is truncated in the message`() {
        let fault = faults("{node: '\(String(repeating: "x", count: 5000))'}").first
        #expect((fault?.count ?? .max) < 200)
        let key = faults("{'\(String(repeating: "y", count: 5000))': 1}").first
        #expect((key?.count ?? .max) < 200)
    }

    // MARK: Wrong keys

    @Test(arguments: [
        ("{calls: {ringTimeout: 5}}", "calls.ringTimeout is not a setting; did you mean calls.ringTimeoutSeconds?"),
        ("{ringTimeoutSeconds: 5}", "ringTimeoutSeconds is not a setting; did you mean calls.ringTimeoutSeconds?"),
        (
            "{session: {ringTimeoutSeconds: 5}}",
            "session.ringTimeoutSeconds is not a setting; did you mean calls.ringTimeoutSeconds?"
        ),
        ("{Listen: {}}", "Listen is not a setting; did you mean listen?"),
        ("{http: {'a b': 1}}", "\"http.a b\" is not a setting."),
        ("{logging: {}}", "logging is not a setting."),
        ("{calls: 5}", "calls is 5; it must be an object: { and its settings }."),
        ("{calls: null}", "calls is null; it must be an object: { and its settings }."),
    ])
    func `an unknown key is reported with the closest known key`(text: String, fault: String) {
        #expect(faults(text) == ["hub.json5: " + fault])
    }

    @Test func `all faults are reported together, one per line`() {
        let found = faults("{listen: {port: 'x', prot: 1}, calls: 5, audio: {queuePackets: 0}, zzz: 1, aaa: 2}")
        #expect(found.count == 6)
        #expect(found.allSatisfy { $0.hasPrefix("hub.json5: ") && !$0.contains("\n") })
    }

    // MARK: Between settings

    @Test func `the idle timeout must exceed the ping interval`() {
        #expect(
            faults("{session: {silenceTimeoutSeconds: 5}}") == [
                "hub.json5: session.silenceTimeoutSeconds is 5; it must be more than session.pingIntervalSeconds, "
                    + "which is 10."
            ]
        )
    }

    @Test func `the backlog kept after a stall must not exceed the stale age`() {
        #expect(faults("{audio: {staleAfterMilliseconds: 40, keptOfBacklogMilliseconds: 41}}").count == 1)
        #expect(faults("{audio: {staleAfterMilliseconds: 40, keptOfBacklogMilliseconds: 40}}") == [])
    }

    // MARK: Files

    @Test func `an unreadable file is reported in one sentence`() throws {
        let folder = try TemporaryFolder()
        for (path, reason) in [("/none", "No such file or directory"), ("", "Is a directory")] {
            #expect(throws: SettingsError(faults: ["\(folder.path)\(path) cannot be read: \(reason)."])) {
                try ConfigurationFile.read(folder.path + path)
            }
        }
        #expect(throws: SettingsError(faults: ["/dev/zero is larger than 1 MB; a configuration is not."])) {
            try ConfigurationFile.read("/dev/zero")
        }
    }

    @Test(arguments: ["[]", "5", "'x'", "null"])
    func `a file contains exactly one object`(text: String) {
        #expect(faults(text) == ["hub.json5 must hold one object: { and the settings }."])
    }
}
