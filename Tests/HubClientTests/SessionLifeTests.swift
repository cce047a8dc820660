import HubEngine
import HubWire
import Testing

@testable import HubClient

@Suite("Signing in, keeping the connection alive, signing out")
struct SessionLifeTests {
    @Test func `an unreachable hub fails the first sign-in without a retry`() {
        var world = SessionWorld()
        world.feed(.begin)
        #expect(world.effectSummaries == ["open 1"])
        world.feed(.socketEnded(1, reason: "refused"))
        #expect(world.effectSummaries == ["failed unreachable"])
        #expect(world.core.deadline == nil)
    }

    @Test func `a sign-in times out if the hub does not reply`() {
        var world = SessionWorld()
        world.feed(.begin)
        let before = world.now
        world.advanceToNextDeadline()
        #expect(world.effectSummaries == ["drop 1", "failed unreachable"])
        #expect(world.now.since(before) == .seconds(8))
    }

    @Test(arguments: [
        (ErrorCode.notSignedIn, "signInRefused"), (.wrongPassword, "signInRefused"), (.tokenExpired, "signInRefused"),
        (.notAllowed, "signInRefused"), (.tooMany, "refused"), (.other(401, name: "newer"), "signInRefused"),
    ])
    func `a refused sign-in throws the hub's error`(code: ErrorCode, kind: String) {
        var world = SessionWorld()
        world.feed(.begin)
        world.feed(.socketOpened(1))
        world.reply(.failure(WireError(code, "no")), socket: 1)
        #expect(world.effectSummaries == ["drop 1", "failed \(kind)"])
    }

    @Test func `an accepted newer token is used for later sign-ins, a refused one is not`() {
        var world = SessionWorld.signedIn()
        _ = world.ask(.refresh(token: "second"))
        #expect(world.core.signIn.token == nil)
        world.reply(.success(.refreshed(expiresAt: Instant(nanoseconds: 0))), socket: 1)
        #expect(world.core.signIn.token == "second")
        _ = world.ask(.refresh(token: "third"))
        world.reply(.failure(WireError(.tokenExpired, "no")), socket: 1)
        #expect(world.core.signIn.token == "second")
    }

    @Test func `an idle connection is pinged, and lost if nothing is received`() {
        var world = SessionWorld.signedIn()
        let start = world.now
        world.advanceToNextDeadline()
        #expect(world.effectSummaries == ["ping 1"])
        #expect(world.now.since(start) == .seconds(5))
        world.advanceToNextDeadline()
        #expect(world.effectSummaries == ["drop 1", "event lost", "open 2"])
        #expect(world.now.since(start) == .seconds(10))
    }

    @Test func `any received message counts as a sign of life`() {
        var world = SessionWorld.signedIn()
        for _ in 0..<10 {
            world.advanceToNextDeadline()
            #expect(world.effectSummaries == ["ping 1"])
            world.advanceClock(.seconds(4))
            world.feed(.alive(1))
        }
    }

    @Test func `missing packets during a call start a second connection, and the first to open is used`() {
        var world = SessionWorld.signedIn()
        world.activateAudio(seq: 1)
        let start = world.now
        world.advanceToNextDeadline()
        #expect(world.now.since(start) == .seconds(1))
        #expect(world.effectSummaries == ["ping 1"])
        world.advanceToNextDeadline()
        #expect(world.now.since(start) == .seconds(2))
        #expect(world.effectSummaries == ["open 2"])
        let pending = world.ask()
        world.feed(.socketOpened(2))
        #expect(world.effectSummaries == ["send 2 session.open"])
        world.replyToOpen(socket: 2, resumed: true)
        #expect(world.effectSummaries == ["drop 1", "answer \(pending) connectionLost", "event resumed"])
        #expect(world.core.audioSession != nil)
    }

    @Test func `the first connection is kept if it receives again in time`() {
        var world = SessionWorld.signedIn()
        world.activateAudio(seq: 1)
        world.advanceToNextDeadline()
        world.advanceToNextDeadline()
        world.feed(.alive(1))
        #expect(world.effectSummaries == ["drop 2"])
        world.feed(.socketEnded(2, reason: "dropped"))
        #expect(world.effectSummaries.isEmpty)
        #expect(world.core.live?.socket == 1)
    }

    @Test func `without a call there is no second connection`() {
        var world = SessionWorld.signedIn()
        world.advanceToNextDeadline()
        #expect(world.effectSummaries == ["ping 1"])
    }

    @Test func `a request without a timely reply fails`() {
        var world = SessionWorld.signedIn()
        let token = world.ask()
        let start = world.now
        repeat {
            world.feed(.alive(1))
            world.advanceToNextDeadline()
        } while !world.effectSummaries.contains("answer \(token) noAnswer") && world.now.since(start) < .seconds(60)
        #expect(world.now.since(start) == .seconds(10))
    }

    @Test func `signing out notifies the hub and ends with its reply`() {
        var world = SessionWorld.signedIn()
        world.feed(.close)
        #expect(world.effectSummaries == ["send 1 session.close"])
        world.reply(.success(.done), socket: 1)
        #expect(world.effectSummaries == ["close 1", "event ended closed"])
    }

    @Test func `signing out from a hub that accepts no messages ends when the connection is closed`() {
        var world = SessionWorld.signedIn()
        world.feed(.close)
        world.reply(.failure(WireError(.tooMany, "too many messages", retryAfterSeconds: 1)), socket: 1)
        #expect(world.effectSummaries == ["close 1"])
        world.feed(.socketEnded(1, reason: "closed"))
        #expect(world.effectSummaries == ["event ended closed"])
    }

    @Test func `signing out from an unresponsive hub takes a second`() {
        var world = SessionWorld.signedIn()
        world.feed(.close)
        let start = world.now
        world.advanceToNextDeadline()
        #expect(world.now.since(start) == .seconds(1))
        #expect(world.effectSummaries == ["close 1", "event ended closed"])
        let token = world.ask()
        #expect(world.effectSummaries == ["answer \(token) closed"])
    }

    @Test func `an unreadable message is reported and changes nothing`() {
        var world = SessionWorld.signedIn()
        world.feed(.text(1, Array("{".utf8)))
        #expect(world.effectSummaries == ["event unexpected"])
        world.notify(1)
        #expect(world.effectSummaries == ["event provider.didReset"])
    }
}
