import HubEngine
import HubWire
import Testing

@testable import HubClient

@Suite("Losing a connection and resuming the session")
struct SessionResumeTests {
    @Test func `a lost connection is reopened at once, then reported`() {
        var world = SessionWorld.signedIn()
        world.feed(.socketEnded(1, reason: "reset"))
        #expect(world.effectSummaries == ["event lost", "open 2"])
    }

    @Test func `the session is resumed with its token and the last seq`() {
        var world = SessionWorld.signedIn()
        world.notify(1)
        world.notify(2)
        world.feed(.socketEnded(1, reason: "reset"))
        world.feed(.socketOpened(2))
        guard case .open(let open) = world.sent.first else {
            Issue.record("nothing was sent")
            return
        }
        #expect(open.resume == SessionOpenRequest.Resume(session: "s1", token: "secret", seq: 2))
        #expect(open.device.id == "d1")
        world.replyToOpen(socket: 2, resumed: true)
        #expect(world.effectSummaries == ["event resumed"])
    }

    @Test func `notifications repeated after a resume are delivered once`() {
        var world = SessionWorld.signedIn()
        world.notify(1)
        world.feed(.socketEnded(1, reason: "reset"))
        world.feed(.socketOpened(2))
        world.replyToOpen(socket: 2, resumed: true)
        world.notify(1, socket: 2)
        #expect(world.effectSummaries.isEmpty)
        world.notify(2, socket: 2)
        #expect(world.effectSummaries == ["event provider.didReset"])
    }

    @Test func `a gap in seq is reported before the notifications after it`() {
        var world = SessionWorld.signedIn()
        world.notify(1)
        world.notify(4)
        #expect(world.effectSummaries == ["event missed 2..<4", "event provider.didReset"])
    }

    @Test func `a lost session is replaced by a new one on the same socket`() {
        var world = SessionWorld.signedIn()
        world.notify(1)
        world.feed(.socketEnded(1, reason: "reset"))
        world.feed(.socketOpened(2))
        world.reply(.failure(WireError(.sessionGone, "gone")), socket: 2)
        #expect(world.effectSummaries == ["send 2 session.open"])
        guard case .open(let open) = world.sent.first else { return }
        #expect(open.resume == nil)
        world.replyToOpen(socket: 2, session: "s2")
        #expect(world.effectSummaries == ["event reset"])
        world.notify(1, socket: 2)
        #expect(world.effectSummaries == ["event provider.didReset"])
    }

    @Test func `a restarted hub that replies with a new session resets the client`() {
        var world = SessionWorld.signedIn()
        world.feed(.socketEnded(1, reason: "reset"))
        world.feed(.socketOpened(2))
        world.replyToOpen(socket: 2, session: "s2", resumed: false)
        #expect(world.effectSummaries == ["event reset"])
    }

    @Test func `a client that resumes its session on a second socket is not disconnected by that`() {
        var world = SessionWorld.signedIn()
        world.activateAudio(seq: 1)
        while world.effectSummaries != ["open 2"], world.advanceToNextDeadline() {}
        world.feed(.socketOpened(2))
        #expect(world.effectSummaries == ["send 2 session.open"])
        // The first socket receives data again: the hub has moved its session to the second one.
        world.notify(2, .closing(.replaced, retryAfterSeconds: nil))
        world.feed(.socketEnded(1, reason: "closed"))
        #expect(world.effectSummaries == ["event lost"])
        world.replyToOpen(socket: 2, resumed: true)
        #expect(world.effectSummaries == ["event resumed"])
        world.notify(2, socket: 2)
        #expect(world.effectSummaries == ["event provider.didReset"], "the number was that socket's alone")
    }

    @Test func `a socket that connects but receives nothing does not delay the reconnection over another network`() {
        var world = SessionWorld.signedIn()
        world.feed(.socketEnded(1, reason: "reset"))
        #expect(world.effectSummaries == ["event lost", "open 2"])
        // Socket 2 receives nothing; others are tried beside it, one at a time, each in less than a second.
        var last = 2
        for _ in 0..<5 {
            let before = world.now
            world.advanceToNextDeadline()
            #expect(world.now.since(before) < .seconds(1))
            #expect(world.effectSummaries == (last == 2 ? ["open 3"] : ["drop \(last)", "open \(last + 1)"]))
            last += 1
        }
        world.feed(.socketOpened(last))
        #expect(world.effectSummaries == ["drop 2", "send \(last) session.open"])
        world.replyToOpen(socket: last, resumed: true)
        #expect(world.effectSummaries == ["event resumed"])
    }

    @Test func `a network where each step takes seconds still connects`() {
        var world = SessionWorld.signedIn()
        world.feed(.socketEnded(1, reason: "reset"))
        let begin = world.now
        while let deadline = world.core.deadline, deadline.since(begin) < .seconds(5) { world.advanceToNextDeadline() }
        world.feed(.socketOpened(2))
        let secondAttempt = world.core.lastSocket
        #expect(world.effectSummaries == ["drop \(secondAttempt)", "send 2 session.open"])
        world.replyToOpen(socket: 2, resumed: true)
        #expect(world.effectSummaries == ["event resumed"])
    }

    @Test func `while a reply is missing, a further socket is tried`() {
        var world = SessionWorld.signedIn()
        world.feed(.socketEnded(1, reason: "reset"))
        world.feed(.socketOpened(2))
        world.advanceToNextDeadline()
        #expect(world.effectSummaries == ["open 3"])
        world.feed(.socketOpened(3))
        #expect(world.effectSummaries == ["drop 2", "send 3 session.open"])
        // The sign-in on socket 2 reaches the hub after all, and later than that on socket 3.
        world.replyToOpen(socket: 3, resumed: true)
        world.notify(1, .closing(.replaced, retryAfterSeconds: nil), socket: 3)
        world.feed(.socketEnded(3, reason: "closed"))
        #expect(world.effectSummaries == ["event lost", "open 4"])
    }

    @Test func `the failure of a parallel socket does not shorten the retry delay`() {
        var world = SessionWorld.signedIn()
        world.feed(.socketEnded(1, reason: "reset"))
        world.advanceToNextDeadline()
        #expect(world.effectSummaries == ["open 3"])
        world.feed(.socketEnded(3, reason: "refused"))
        #expect(world.effectSummaries.isEmpty)
        world.feed(.socketEnded(2, reason: "refused"))
        #expect(world.effectSummaries.isEmpty)
        let before = world.now
        world.advanceToNextDeadline()
        #expect(world.now > before && world.now.since(before) < .seconds(1))
        #expect(world.effectSummaries == ["open 4"])
    }

    @Test func `the longest delay between attempts is less than a second`() {
        var world = SessionWorld.signedIn()
        world.feed(.socketEnded(1, reason: "reset"))
        var waits: [Double] = []
        for socket in 2..<12 {
            world.feed(.socketEnded(socket, reason: "refused"))
            let before = world.now
            world.advanceToNextDeadline()
            waits.append(Double(world.now.since(before).wholeNanoseconds) / 1e6)
            #expect(world.effectSummaries == ["open \(socket + 1)"])
        }
        let full: [Double] = [100, 200, 400, 750, 750, 750, 750, 750, 750, 750]
        for (wait, full) in zip(waits, full) { #expect(wait >= 0.6 * full && wait <= full) }
    }

    @Test func `a client with a give-up timeout ends in time`() {
        var timing = ClientTiming()
        timing.reconnectTimeout = .seconds(5)
        var world = SessionWorld.signedIn(timing: timing)
        let start = world.now
        world.feed(.socketEnded(1, reason: "reset"))
        var socket = 2
        while !world.core.isOver, socket < 50 {
            world.feed(.socketEnded(socket, reason: "refused"))
            socket += 1
            if !world.core.isOver { world.advanceToNextDeadline() }
        }
        #expect(world.effectSummaries == ["event ended connectionLost"])
        #expect(world.now.since(start) >= .seconds(5) && world.now.since(start) < .seconds(8))
    }

    @Test func `pending requests fail when the connection is lost, and so do new ones until it is restored`() {
        var world = SessionWorld.signedIn()
        let pending = world.ask()
        world.feed(.socketEnded(1, reason: "reset"))
        #expect(world.effectSummaries == ["answer \(pending) connectionLost", "event lost", "open 2"])
        let refused = world.ask()
        #expect(world.effectSummaries == ["answer \(refused) notConnected"])
    }

    @Test(arguments: [ClosingReason.replaced, .policy, .signedOut])
    func `a client that the hub closed permanently does not reconnect`(reason: ClosingReason) {
        var world = SessionWorld.signedIn()
        world.notify(1, .closing(reason, retryAfterSeconds: nil))
        world.feed(.socketEnded(1, reason: "closed"))
        #expect(world.effectSummaries == ["event ended endedByHub"])
    }

    @Test func `a client reconnects to a stopping hub after the given time`() {
        var world = SessionWorld.signedIn()
        world.notify(1, .closing(.draining, retryAfterSeconds: 3))
        world.feed(.socketEnded(1, reason: "closed"))
        #expect(world.effectSummaries == ["event lost"])
        let before = world.now
        world.advanceToNextDeadline()
        #expect(world.now.since(before) == .seconds(3))
        #expect(world.effectSummaries == ["open 2"])
    }

    @Test func `a client reconnects to an overloaded hub after the given time`() {
        var world = SessionWorld.signedIn()
        world.feed(.socketEnded(1, reason: "reset"))
        world.feed(.socketOpened(2))
        _ = world.effectSummaries
        // The grace is over, and a new session is refused.
        world.reply(.failure(WireError(.sessionGone, "gone")), socket: 2)
        _ = world.effectSummaries
        world.reply(.failure(WireError(.overloaded, "too much to do", retryAfterSeconds: 4)), socket: 2)
        #expect(!world.core.isOver)
        _ = world.effectSummaries
        let before = world.now
        world.advanceToNextDeadline()
        #expect(world.now.since(before) == .seconds(4))
        #expect(world.effectSummaries == ["open 3"])
    }

    @Test func `the retry time counts from the closing message, not from the end of the last call`() {
        var world = SessionWorld.signedIn()
        world.notify(1, .closing(.draining, retryAfterSeconds: 30))
        world.advanceClock(.seconds(20))
        let before = world.now
        world.feed(.socketEnded(1, reason: "closed"))
        world.advanceToNextDeadline()
        #expect(world.now.since(before) == .seconds(10))
        #expect(world.effectSummaries == ["open 2"])
    }

    @Test func `a client connects to the hub named in a redirect, and returns if it is unreachable`() {
        var world = SessionWorld.signedIn()
        world.notify(1, .closing(.draining, retryAfterSeconds: 0, url: "ws://other:9000/v1"))
        world.feed(.socketEnded(1, reason: "closed"))
        #expect(world.effectSummaries == ["event lost", "open 2"])
        #expect(world.core.usesRedirect)
        #expect(world.core.redirectAddress?.description == "ws://other:9000/v1")
        world.feed(.socketEnded(2, reason: "refused"))
        #expect(!world.core.usesRedirect)
        world.advanceToNextDeadline()
        #expect(world.effectSummaries == ["open 3"])
        world.feed(.socketEnded(3, reason: "refused"))
        world.advanceToNextDeadline()
        #expect(world.effectSummaries == ["open 4"])
        #expect(world.core.usesRedirect)
        world.feed(.socketOpened(4))
        world.replyToOpen(socket: 4, session: "s2")
        #expect(world.effectSummaries.contains("event reset"))
        world.feed(.socketEnded(4, reason: "reset by peer"))
        #expect(world.core.usesRedirect, "it stays with the hub that accepted it")
    }

    @Test(arguments: ["http://other/v1", "other:9000", "ftp://x", "", "ws://"])
    func `a redirect to an invalid address is ignored`(url: String) {
        var world = SessionWorld.signedIn()
        world.notify(1, .closing(.draining, retryAfterSeconds: nil, url: url))
        #expect(!world.core.usesRedirect)
    }

    @Test func `a client on a secure connection ignores a redirect to an insecure one`() {
        var world = SessionWorld.signedIn(address: "wss://hub/v1")
        world.notify(1, .closing(.draining, retryAfterSeconds: nil, url: "ws://other/v1"))
        #expect(!world.core.usesRedirect)
        world.notify(2, .closing(.draining, retryAfterSeconds: nil, url: "wss://other/v1"))
        #expect(world.core.usesRedirect)
        world.notify(3, .closing(.draining, retryAfterSeconds: nil, url: "ws://third/v1"))
        #expect(world.core.redirectAddress?.host == "other")
    }
}
