import Foundation
import HubCrypto
import HubEngine
import HubTestSupport
import HubWire
import Testing

@testable import HubACME

struct `Settings of ACME` {
    @Test(arguments: [
        ("Calls.Example.ORG", "calls.example.org"), ("calls.example.org.", "calls.example.org"),
        ("1.example.org", "1.example.org"), ("bücher.example", "xn--bcher-kva.example"),
        ("통화.example.org", "xn--hz7bo8f.example.org"), ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ])
    func `take host names, those of other scripts by their A-labels`(written: String, name: String) throws {
        #expect(try DomainName(written).text == name)
    }

    @Test(arguments: [
        ("", "1 to 253"), (".", "1 to 253"), ("localhost", "must have a dot"), ("*.example.org", "is a wildcard"),
        ("192.0.2.1", "is an address"), ("[2001:db8::1]", "no address"), ("https://a.org", "without scheme"),
        ("a..org", "no host name"), ("-a.org", "hyphen"), ("a-.org", "hyphen"), ("a_b.org", "no host name"),
        ("a,b.org", "no host name"), ("a b.org", "no host name"), ("a.org\n", "no host name"),
        ("a\u{0}.org", "no host name"), ("é\u{0}.org", "cannot be converted"),
        (String(repeating: "a", count: 64) + ".org", "no host name"),
        (String(repeating: "a.", count: 126) + "org", "1 to 253"), ("bü..example", "no host name"),
    ])
    func `refuse other names before anything is sent`(written: String, words: String) {
        #expect { try DomainName(written) } throws: { "\($0)".contains(words) }
    }

    @Test(arguments: [
        (ACMESettings(domains: []), "There are 0 domains"),
        (ACMESettings(domains: (0...100).map { "a\($0).org" }), "There are 101 domains"),
        (ACMESettings(domains: ["a.org"], directoryURL: "http://a.org/dir"), "must be an https URL"),
        (ACMESettings(domains: ["a.org"], directoryURL: "https://u@a.org/"), "must be an https URL"),
        (ACMESettings(domains: ["a.org"], contact: "ann"), "one e-mail address"),
        (ACMESettings(domains: ["a.org"], contact: "a@b.org,c@d.org"), "one e-mail address"),
        (ACMESettings(domains: ["a.org"], challenges: []), "No kind of challenge"),
    ])
    func `are refused with a sentence`(settings: ACMESettings, words: String) {
        #expect { try CheckedACMESettings(settings) } throws: { "\($0)".contains(words) }
    }

    @Test func `name each domain once`() throws {
        let settings = try CheckedACMESettings(ACMESettings(domains: ["a.org", "A.org.", "b.org"]))
        #expect(settings.domains == ["a.org", "b.org"])
    }
}

struct `Failures of ACME` {
    private let now = Instant(nanoseconds: 1_800_000_000_000_000_000)

    @Test(arguments: [(1, 60), (2, 240), (3, 960), (4, 3_840), (6, 43_200), (1_000_000, 43_200)])
    func `are tried again after a minute to twelve hours`(failures: Int, seconds: Int) {
        let next = RetrySchedule.next(after: failures, .serverNotFound, retryAfter: nil, at: now)
        #expect(next == now + .seconds(seconds))
    }

    @Test(arguments: [(0, 60), (59, 60), (61, 61), (604_800, 604_800), (604_801, 604_800), (Int.max, 604_800)])
    func `are tried again after the server's Retry-After, a week at most`(retryAfter: Int, seconds: Int) {
        let limited = ACMEFailure(ACMEResponse(status: 429, retryAfter: retryAfter), at: now)
        for failure in [limited, .busy(status: 503)] {
            let next = RetrySchedule.next(after: 1, failure, retryAfter: retryAfter, at: now)
            #expect(next == now + .seconds(seconds))
        }
    }

    @Test(arguments: [
        ("caa", "The DNS of a.org forbids"), ("badCSR", "refuses the certificate request"),
        ("rejectedIdentifier", "issues no certificate for a.org"), ("userActionRequired", "open https://terms"),
        ("invalidContact", "give an e-mail address"), ("externalAccountRequired", "choose another directory"),
        ("rateLimited", "has a limit that is reached until 2027-01-15 08:01 UTC"),
        ("dns", "cannot look up a.org; add an A or AAAA record"), ("new\nkind", "refuses the request (new?kind)"),
    ])
    func `of orders are one sentence each with what to do`(type: String, words: String) throws {
        let body = """
            {"type": "urn:ietf:params:acme:error:\(type.replacing("\n", with: "\\n"))", "detail": "x\\u001b[2Jy",
            "instance": "https://terms", "identifier": {"value": "a.org"}}
            """
        let response = ACMEResponse(status: 403, retryAfter: 60, body: Array(body.utf8))
        let sentence = ACMEFailure(response, at: now).sentence(server: "ca.org")
        #expect(sentence.contains(words))
        #expect(!sentence.contains("\u{1B}") && !sentence.contains("\n"))
    }

    @Test func `of several names are told by the first`() throws {
        let body =
            #"{"type": "urn:ietf:params:acme:error:compound", "subproblems": [{"type": "urn:ietf:params:acme:error:caa", "#
            + #""detail": "no", "identifier": {"value": "b.org"}}]}"#
        let failure = ACMEFailure(ACMEResponse(status: 403, body: Array(body.utf8)), at: now)
        #expect(failure == .forbiddenByCAA(domain: "b.org", "no"))
    }
}

struct `The folder of an ACME client` {
    @Test func `keeps damaged files aside and begins again`() throws {
        let folder = try TemporaryFolder()
        let storage = ACMEStorage(folder: folder.path)
        for name in ["account.key", "state.json", "certificate.pem"] { _ = try folder.write("{", to: name) }
        var notes: [String] = []
        let key = try storage.accountKey { notes.append($0) }
        #expect(try storage.state(for: "https://a.org") { notes.append($0) } == ACMEState(directory: "https://a.org"))
        #expect(try storage.certificate { notes.append($0) } == nil)
        #expect(notes.count == 3)
        #expect(try String(contentsOfFile: folder.path + "/account.key.damaged", encoding: .utf8) == "{")
        #expect(try storage.accountKey { _ in }.id == key.id)
    }

    @Test func `begins again with another server, and knows who issued the certificate`() throws {
        let folder = try TemporaryFolder()
        let storage = ACMEStorage(folder: folder.path + "/certificates/acme")
        try storage.prepare()
        var state = ACMEState(directory: "https://a.org")
        (state.account, state.failures, state.issuer) = ("https://a.org/1", 3, "https://a.org")
        try storage.store(state)
        #expect(try storage.state(for: "https://a.org") { _ in } == state)
        let other = try storage.state(for: "https://b.org") { _ in }
        #expect(other.account == nil && other.failures == 0 && other.issuer == "https://a.org")
    }

    @Test func `says in a sentence that a file cannot be written`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("", to: "file")
        #expect { try ACMEStorage(folder: file + "/acme").prepare() } throws: { error in
            (error as? ACMEFailure)?.sentence(server: "a").contains("look at its folder and disk") == true
        }
    }
}
