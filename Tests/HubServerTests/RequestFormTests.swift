import Testing

@testable import HubServer

/// Tests of the parsing of queries and cookies.
struct RequestFormTests {
    @Test func `a query has each parameter once`() {
        #expect(HTTPRequest.query([]) == [:])
        let parameters = ["a=1", "b=", "c", "=d", "e=f=g"]
        #expect(HTTPRequest.query(parameters) == ["a": "1", "b": "", "c": "", "": "d", "e": "f=g"])
        #expect(HTTPRequest.query(["a=1", "a=1"]) == nil)
        #expect(HTTPRequest.query(["a=1", "a"]) == nil)
    }

    @Test func `of two cookies of a name the first counts, and what is none is left out`() {
        #expect(HTTPRequest.cookies("a=1; b=2;c=3 ;  d=4=5") == ["a": "1", "b": "2", "c": "3", "d": "4=5"])
        #expect(HTTPRequest.cookies("a=1; a=2; b") == ["a": "1"])
        #expect(HTTPRequest.cookies(" ;;= ; =x") == ["": ""])
    }

    @Test func `answers to browsers lead to the provider, to the phone, or nowhere`() {
        let provider = HTTPResponse(.provider("https://login.example/a?b", cookie: "c"))
        #expect(provider.status == 303)
        #expect(provider.headers.first { $0.name == "Location" }?.value == "https://login.example/a?b")
        #expect(
            provider.headers.first { $0.name == "Set-Cookie" }?.value
                == "__Host-callhub-openid=c; Path=/; Max-Age=600; HttpOnly; Secure; SameSite=Lax"
        )
        let phone = HTTPResponse(.phone(fragment: "openid=x"))
        #expect(phone.headers.map(\.value) == ["../../#openid=x"])
        let invalid = HTTPResponse(.invalid("No."))
        #expect(invalid.status == 400 && invalid.headers.isEmpty)
    }
}
