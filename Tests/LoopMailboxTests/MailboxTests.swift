import CUV
import Foundation
import LoopMailbox
import Testing

/// The mailbox of a libuv loop that runs on the test's thread.
@Suite(.timeLimit(.minutes(1)))
struct MailboxTests {
    private let mailbox = Mailbox<TestLoop>()

    /// Posts numbers that the loop notes; returns the results of the posts.
    @discardableResult
    private func post(_ numbers: Int...) -> [Bool] {
        numbers.map { number in mailbox.post { $0.received.append(number) } }
    }

    @Test func `closures run in the order of their posts, those from before the loop's start first`() throws {
        #expect(post(1, 2) == [true, true])
        let loop = try TestLoop(mailbox)
        loop.runOnce()
        #expect(loop.received == [1, 2])
        post(3, 4, 5)
        loop.runOnce()
        #expect(loop.received == [1, 2, 3, 4, 5])
    }

    @Test func `the posts of a moment wake the loop once, and later ones again`() throws {
        let loop = try TestLoop(mailbox)
        loop.runOnce()
        #expect(loop.wakeUps == 0)
        post(1, 2, 3)
        loop.runOnce()
        loop.runOnce()
        #expect(loop.wakeUps == 1)
        post(4)
        loop.runOnce()
        #expect(loop.wakeUps == 2)
        #expect(loop.received == [1, 2, 3, 4])
    }

    @Test func `a closure that a closure posts runs after those before it`() throws {
        let loop = try TestLoop(mailbox)
        mailbox.post { [mailbox] loop in
            loop.received.append(1)
            mailbox.post { $0.received.append(3) }
        }
        post(2)
        loop.runOnce()
        #expect(loop.received == [1, 2])
        loop.runOnce()
        #expect(loop.received == [1, 2, 3])
    }

    @Test func `a loop can be woken without a closure`() throws {
        mailbox.wake()
        let loop = try TestLoop(mailbox)
        loop.runOnce()
        #expect(loop.wakeUps == 0)
        mailbox.wake()
        loop.runOnce()
        #expect(loop.wakeUps == 1)
        #expect(loop.received.isEmpty)
    }

    @Test func `a closed mailbox discards what was posted, and takes no more`() throws {
        let loop = try TestLoop(mailbox)
        post(1)
        mailbox.detach()
        #expect(post(2) == [false])
        mailbox.wake()
        #expect(mailbox.drain().isEmpty)
        loop.runOnce()
        #expect(loop.received.isEmpty)
    }

    @Test func `a closure that posts when it is freed does not lock up the closing`() throws {
        let answers = Answers()
        do {
            let object = Freed { [mailbox] in answers.all.append(mailbox.post { _ in }) }
            mailbox.post { _ in withExtendedLifetime(object) {} }
        }
        #expect(answers.all.isEmpty)
        mailbox.detach()
        #expect(answers.all == [false])
    }

    @Test func `posts from many threads all arrive, each thread's in order`() throws {
        let loop = try TestLoop(mailbox)
        for sender in 0..<8 {
            Thread { [mailbox] in
                for number in 0..<500 {
                    mailbox.post { loop in
                        loop.received.append(sender * 1000 + number)
                        if loop.received.count == 4000 { loop.stop() }
                    }
                }
            }.start()
        }
        loop.runUntilStopped()
        for sender in 0..<8 {
            let own = loop.received.filter { $0 / 1000 == sender }.map { $0 % 1000 }
            #expect(own == Array(0..<500))
        }
    }
}

/// The results of posts; used on the test's thread.
private final class Answers: @unchecked Sendable {
    var all: [Bool] = []
}

/// An object that calls a closure when it is freed.
private final class Freed: Sendable {
    private let onDeinit: @Sendable () -> Void

    init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }

    deinit { onDeinit() }
}
