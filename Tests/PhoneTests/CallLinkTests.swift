import HubEngine
import Testing

@testable import CommandLineClient
@testable import CommandLinePhone
@testable import CommandLineTools

@Suite("Links for guests")
struct CallLinkTests {
    private static let handles: [Handle] = [
        .generic("bob"), .generic("bob & co = #1"), .generic("a:b"), Handle(type: .phoneNumber, value: "+49 30"),
        Handle(type: .emailAddress, value: "bob@example.org"),
    ]

    @Test(arguments: handles) func `a written link is parsed`(callee: Handle) throws {
        let link = CallLink(page: "https://hub.example.com", callee: callee, token: "a.b-_.c")
        let read = try CallLink(text: link.text)
        #expect(read.callee == callee)
        #expect(read.token == link.token)
        #expect(try Handle(text: link.text) == callee, "the phone's `call` takes it, too")
    }

    @Test(arguments: [
        ("https://hub.example.com", "https://hub.example.com/"), ("http://[::1]:8080", "http://[::1]:8080/"),
        ("https://example.com/callhub", "https://example.com/callhub/v1"),
        ("https://example.com/callhub/", "https://example.com/callhub/v1"),
    ])
    func `the hub's URL is derived from the page's`(page: String, hub: String) throws {
        let link = CallLink(page: page, callee: .generic("bob"), token: "t")
        #expect(try CallLink(text: link.text).hub == hub)
    }

    @Test(arguments: [
        "", "bob", "callhub:bob", "https://hub.example.com/", "https://hub.example.com/#call=bob",
        "https://hub.example.com/#token=t", "https://hub.example.com/#call=bob&token=", "ftp://a/#call=bob&token=t",
        "https://hub.example.com/#call=sip:bob&token=t",
    ])
    func `an invalid guest link is refused`(text: String) {
        #expect(throws: UsageError.self) { try CallLink(text: text) }
    }

    @Test(arguments: [["alice"], ["--call", "bob"], ["--answer"], ["--password-stdin"]])
    func `a link excludes all options that give caller or callee`(words: [String]) throws {
        let link = CallLink(page: "https://hub.example.com", callee: .generic("bob"), token: "t").text
        let given = try Arguments(["--link", link] + words, options: PhoneOptions.all)
        #expect(throws: UsageError.self) { try PhoneOptions(given, environment: [:]) }
        let alone = try Arguments(["--link", link], options: PhoneOptions.all)
        let environment = ["CALLHUB_HUB": "ws://elsewhere/v1", "CALLHUB_PASSWORD": "p"]
        let options = try PhoneOptions(alone, environment: environment)
        #expect(options.signIn.access.url == "https://hub.example.com/")
        #expect(options.account == nil)
        #expect(options.signIn.access.password == nil)
    }
}
