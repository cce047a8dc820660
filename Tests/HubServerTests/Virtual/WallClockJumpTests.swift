import HubEngine
import HubServer
import HubSimulator
import HubWire
import Testing

/// A token's remaining life is measured once, by the wall clock, and then runs down by the monotonic clock.
struct WallClockJumpTests {
    /// Accepts tokens `NAME:SECONDS`, the seconds being those since the virtual clock's start, by the wall clock.
    private struct DatedTokens: Authenticator {
        func authenticate(
            _ credentials: Credentials,
            _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
        ) {
            let parts = (credentials.token ?? "").split(separator: ":").map(String.init)
            guard parts.count == 2, let seconds = Int(parts[1]) else {
                return then(.failure(AuthenticationRefusal(.wrongToken, "no token")))
            }
            var identity = AuthenticatedIdentity(account: parts[0], handles: [.generic(parts[0])])
            identity.expiresAt = VirtualHub.start + .seconds(seconds)
            if parts[0].hasPrefix("guest") { identity.invitation = InvitationID("link") }
            then(.success(identity))
        }
    }

    private func fixture() throws -> VirtualHubFixture {
        var services = HubServices()
        services.authenticator = DatedTokens()
        return try VirtualHubFixture(services: services)
    }

    private func isClosed(_ phone: VirtualPhone) -> Bool {
        for case .closing(.expired, _, _) in phone.told { return true }
        return false
    }

    @Test(arguments: ["alice", "guest-1"], [-7_200, 7_200])
    func `a session ends with its token's remaining lifetime, even if the wall clock jumps later`(
        _ account: String,
        _ jump: Int
    ) throws {
        let fixture = try fixture()
        let phone = try fixture.phone(account, token: "\(account):600")
        fixture.hub.jumpWallClock(by: .seconds(jump))
        fixture.advance(by: .seconds(599))
        #expect(!isClosed(phone))
        fixture.advance(by: .seconds(3))
        #expect(isClosed(phone))
    }

    @Test(arguments: [-7_200, 7_200])
    func `a token accepted after a change of the wall clock expires at its own date`(_ jump: Int) throws {
        let fixture = try fixture()
        fixture.hub.jumpWallClock(by: .seconds(jump))
        let phone = try fixture.phone("alice", token: "alice:\(jump + 600)")
        #expect(phone.opened?.expiresAt == VirtualHub.start + .seconds(jump + 600))
        fixture.advance(by: .seconds(599))
        #expect(!isClosed(phone))
        fixture.advance(by: .seconds(3))
        #expect(isClosed(phone))
    }

    @Test(arguments: [-7_200, 7_200])
    func `a refreshed token expires at its own date by the current wall clock`(_ jump: Int) throws {
        let fixture = try fixture()
        let phone = try fixture.phone("alice", token: "alice:600")
        fixture.hub.jumpWallClock(by: .seconds(jump))
        let end = VirtualHub.start + .seconds(jump + 1_200)
        #expect(try phone.ask(.refresh(token: "alice:\(jump + 1_200)")) == .refreshed(expiresAt: end))
        fixture.advance(by: .seconds(1_199))
        #expect(!isClosed(phone))
        fixture.advance(by: .seconds(3))
        #expect(isClosed(phone))
    }

    @Test func `a resumed session receives its expiry by the current wall clock`() throws {
        let fixture = try fixture()
        let phone = try fixture.phone("alice", token: "alice:600")
        fixture.hub.jumpWallClock(by: .seconds(-7_200))
        try phone.dropConnection()
        try phone.resume()
        #expect(phone.opened?.expiresAt == VirtualHub.start + .seconds(600 - 7_200))
    }
}
