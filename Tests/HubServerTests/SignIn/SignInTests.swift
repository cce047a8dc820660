import Foundation
import HubEngine
import HubServer
import HubTestSupport
import HubWire
import Testing

/// A hub with slow authentication.
struct SignInTests {
    typealias Object = RawPhone.Object

    private static func hub(_ authenticator: StrictAuthenticator) throws -> TestHub {
        var services = HubServices()
        services.authenticator = authenticator
        return try TestHub(services: services)
    }

    @Test func `the right password signs in, with the account's handles`() async throws {
        try await blocking {
            let hub = try Self.hub(StrictAuthenticator())
            let alice = try RawPhone(port: hub.port, account: "alice", ["password": "secret"])
            let handles = alice.session["handles"] as? [Object]
            #expect(handles?.compactMap { $0["value"] as? String } == ["alice", "+49 30 5"])
        }
    }

    @Test func `a wrong password gets 401, and may be followed by another attempt on the same connection`() async throws
    {
        try await blocking {
            let hub = try Self.hub(StrictAuthenticator())
            let phone = try RawPhone(port: hub.port)
            #expect(try phone.open(["account": "alice"]).errorCode == 401)
            #expect(try phone.open(["account": "alice", "password": "sekret"]).errorCode == 401)
            #expect(try phone.ask("observer.calls").errorCode == 401)
            #expect(try phone.open(["account": "alice", "password": "secret"]).result != nil)
        }
    }

    @Test func `requests after a sign-in are processed after it, in order`() async throws {
        try await blocking {
            let authenticator = StrictAuthenticator(isBlocked: true)
            let hub = try Self.hub(authenticator)
            let phone = try RawPhone(port: hub.port)
            try phone.send("session.open", ["account": "alice", "password": "secret"])
            for number in 0..<20 { try phone.send("session.ping", ["t": number]) }
            authenticator.decide()
            #expect(try phone.reply().result?["account"] as? String == "alice")
            for number in 0..<20 { #expect(try phone.reply().result?["t"] as? Int == number) }
        }
    }

    @Test func `a client that disconnects during the password check is not signed in`() async throws {
        try await blocking {
            let authenticator = StrictAuthenticator(isBlocked: true)
            let hub = try Self.hub(authenticator)
            let phone = try RawPhone(port: hub.port)
            try phone.send("session.open", ["account": "alice", "password": "secret"])
            authenticator.waitForSignIn()
            #expect(authenticator.isStillAwaited == [true])
            phone.socket.socket.reset()
            try hub.wait(for: "callhub_connections", toBe: { $0 == 0 })
            // So that the password check is no longer needed.
            #expect(authenticator.isStillAwaited == [false])
            authenticator.decide()
            try RawPhone(port: hub.port).ask("session.ping")
            #expect(try hub.metric("callhub_sessions") == 0)
        }
    }

    @Test func `other calls continue during a password check`() async throws {
        try await blocking {
            let authenticator = StrictAuthenticator(isBlocked: true)
            let hub = try Self.hub(authenticator)
            let alice = try RawPhone(port: hub.port)
            try alice.send("session.open", ["account": "alice", "password": "secret"])
            authenticator.decide()
            _ = try alice.reply()
            let stranger = try RawPhone(port: hub.port)
            try stranger.send("session.open", ["account": "mallory", "password": "x"])
            #expect(try alice.ask("session.ping", ["t": 1]).result?["t"] as? Int == 1)
            authenticator.decide()
            #expect(try stranger.reply().errorCode == 401)
        }
    }

    @Test func `a connection is not closed for a missing sign-in during a password check`() async throws {
        try await blocking {
            let authenticator = StrictAuthenticator(isBlocked: true)
            var services = HubServices()
            services.authenticator = authenticator
            let hub = try TestHub(services: services) {
                $0.transport.signInTimeout = .seconds(3)
                $0.transport.sweepInterval = .milliseconds(20)
            }
            let phone = try RawPhone(port: hub.port)
            try phone.send("session.open", ["account": "alice", "password": "secret"])
            authenticator.waitForSignIn()
            // A later connection that sends nothing is closed meanwhile.
            let idle = try RawPhone(port: hub.port)
            #expect(try idle.readToEnd() == 1008)
            authenticator.decide()
            #expect(try phone.reply().result?["account"] as? String == "alice")
        }
    }

    @Test func `after wrong passwords every attempt has to wait, even with the right one`() async throws {
        try await blocking {
            let hub = try Self.hub(StrictAuthenticator())
            let phone = try RawPhone(port: hub.port)
            for _ in 0..<20 { #expect(try phone.open(["account": "alice", "password": "x"]).errorCode == 401) }
            // One attempt is allowed again every 5 s: the right password may come just then, but not every time.
            var reply: Object
            var tries = 0
            repeat {
                #expect(try phone.guessUntilRefused("alice").errorCode == 429)
                reply = try RawPhone(port: hub.port).open(["account": "alice", "password": "secret"])
                tries += 1
            } while reply.errorCode == 0 && tries < 5
            #expect(reply.errorCode == 429)
            let data = (reply["error"] as? Object)?["data"] as? Object
            #expect((1...5).contains(data?["retryAfterSeconds"] as? Int ?? 0))
        }
    }

    @Test func `wrong passwords at an office's address do not lock out users who have signed in there`() async throws {
        try await blocking {
            let hub = try Self.hub(StrictAuthenticator())
            let device = UUID().uuidString
            func open(_ name: String, _ password: String, _ more: Object = [:]) throws -> Int {
                let phone = try RawPhone(port: hub.port)
                return try phone.open(more.merging(["account": name, "password": password]) { $1 }).errorCode
            }
            // Each name has another length: the handles of this hub go by that.
            #expect(try open("alice", "secret", ["device": ["id": device]]) == 0)
            #expect(try open("bob", "secret") == 0)
            let guesser = try RawPhone(port: hub.port)
            for _ in 0..<20 { #expect(try guesser.open(["account": "nobody", "password": "x"]).errorCode == 401) }
            // A refusal without a password check does not count as a sign-in of the address; one is checked every 5 s.
            let start = ContinuousClock.now
            let codes = try (0..<700).map { _ in
                try guesser.open(["account": "nobody", "password": "x"]).errorCode
            }
            let seen = codes.count { $0 == 401 }
            #expect(seen <= Int((ContinuousClock.now - start) / .seconds(5)) + 1)
            #expect(codes.count { $0 == 429 } == 700 - seen)
            #expect(try open("alice", "secret", ["device": ["id": device]]) == 0)
            #expect(try open("bob", "secret") == 0)
            // One guess comes back every 5 s, perhaps in between.
            var (code, name) = (0, "caroline")
            for _ in 0..<5 where code != 429 {
                #expect(try guesser.guessUntilRefused("nobody").errorCode == 429)
                code = try open(name, "secret")
                name += "e"
            }
            #expect(code == 429, "an unknown account")
            for _ in 0..<3 { #expect(try open("bob", "x") == 401) }
            #expect(try open("bob", "x") == 429)
            #expect(try open("alice", "secret", ["device": ["id": device]]) == 0)
        }
    }

    @Test func `a permission that the account does not have is refused with its name`() async throws {
        try await blocking {
            let authenticator = StrictAuthenticator()
            authenticator.permissions = [.observe]
            let hub = try Self.hub(authenticator)
            let phone = try RawPhone(port: hub.port)
            let reply = try phone.open(["account": "alice", "password": "secret"])
            #expect(reply.errorCode == 403)
            let message = (reply["error"] as? Object)?["message"] as? String
            #expect(message == #"alice may not "call"; params.permissions may have "observe""#)
            let more: Object = ["account": "alice", "password": "secret", "permissions": ["observe"]]
            #expect(try phone.open(more).result != nil)
        }
    }

    @Test func `a handle of another account is refused as taken`() async throws {
        try await blocking {
            let hub = try Self.hub(StrictAuthenticator())
            // Their names have as many letters: the same number.
            let alice = try RawPhone(port: hub.port, account: "alice", ["password": "secret"])
            let carol = try RawPhone(port: hub.port)
            #expect(try carol.open(["account": "carol", "password": "secret"]).errorCode == 409)
            withExtendedLifetime(alice) {}
        }
    }
}
