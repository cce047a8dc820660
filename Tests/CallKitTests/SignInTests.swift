import CallKit
import Foundation
import HubEngine
import HubServer
import HubTestSupport
import HubWire
import Testing

@testable import CallSystem

/// Apps at a hub that verifies who signs in.
struct SignInTests {
    /// A hub with the accounts `alice` and `bob`, whose password, and token, is their name and `-secret`.
    ///
    /// The account `guard` may observe, and not call.
    private final class OwnHub: Sendable {
        let server: HubServer

        private struct NamesAndSecrets: Authenticator {
            func authenticate(
                _ credentials: Credentials,
                _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
            ) {
                let name =
                    credentials.account ?? credentials.token.map { String($0.prefix { $0 != "-" }) } ?? "nobody"
                guard let secret = credentials.token ?? credentials.password, secret == name + "-secret" else {
                    let fault = credentials.token == nil ? AuthenticationFault.wrongPassword : .wrongToken
                    return then(.failure(AuthenticationRefusal(fault, "The credentials of \(name) are wrong.")))
                }
                let permissions: Set<Permission> = name == "guard" ? [.observe] : [.call]
                then(
                    .success(
                        AuthenticatedIdentity(account: name, handles: [.generic(name)], permissions: permissions)
                    )
                )
            }
        }

        init() throws {
            var settings = HubSettings()
            settings.transport.port = 0
            settings.log.level = .error
            var services = HubServices()
            services.authenticator = NamesAndSecrets()
            server = try HubServer.start(settings, services: services)
        }

        deinit {
            server.stop()
            server.waitUntilStopped()
        }

        /// Makes an app whose account has a password; nil: none.
        func app(_ account: String, password: String?) -> TestApp {
            var access = access(account)
            access.password = password
            return TestApp(on: CallSystem(access)) {}
        }

        func access(_ account: String?) -> HubAccess {
            HubAccess(url: "ws://127.0.0.1:\(server.port)/v1", account: account)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `an app signs in by a password, and another one by a token`() async throws {
        let hub = try OwnHub()
        let alice = hub.app("alice", password: "alice-secret")
        let folder = try TemporaryFolder()
        var access = hub.access(nil)
        access.tokenFile = try folder.write("bob-secret\n", to: "token")
        let bob = TestApp(on: CallSystem(access)) {}
        _ = await alice.takeLog(until: "begin")
        _ = await bob.takeLog(until: "begin")
        try await alice.start("bob")
        try await bob.user.wait { $0.map(\.state) == [.ringing] }
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["bob-secret", nil])
    func `a wrong password is refused as unentitled, with a reason (CK-61)`(password: String?) async throws {
        let hub = try OwnHub()
        let app = hub.app("alice", password: password)
        #expect(await refusal { try await app.start("bob") } == .unentitled)
        #expect(app.system.warnings.count == 1)
        #expect(app.system.warnings.first?.contains("The credentials of alice are wrong.") == true)
        #expect(app.user.calls.isEmpty && app.takeLog().isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func `a wrong token is refused as unentitled, with a reason (CK-61)`() async throws {
        let hub = try OwnHub()
        let folder = try TemporaryFolder()
        var access = hub.access(nil)
        access.tokenFile = try folder.write("bob-sesame", to: "token")
        let app = TestApp(on: CallSystem(access)) {}
        #expect(await reportRefusal { try await app.report("carol") } == .unentitled)
        #expect(app.system.warnings.count == 1)
        #expect(app.system.warnings.first?.contains("The credentials of bob are wrong.") == true)
    }

    @Test(.timeLimit(.minutes(1)))
    func `an app whose account may not call gets CallKit's code for starts and reports, and does not ring (CK-61)`()
        async throws
    {
        let hub = try OwnHub()
        let app = hub.app("guard", password: "guard-secret")
        #expect(await refusal { try await app.start("bob") } == .unentitled)
        #expect(await reportRefusal { try await app.report("bob") } == .unentitled)
        #expect(app.user.calls.isEmpty && app.takeLog().isEmpty)
        let alice = hub.app("alice", password: "alice-secret")
        _ = await alice.takeLog(until: "begin")
        try await alice.start("guard")
        // Nobody is there: the app is told to end the call.
        _ = await alice.takeLog(until: "end")
        #expect(app.user.calls.isEmpty && app.takeObserved().isEmpty)
    }
}
