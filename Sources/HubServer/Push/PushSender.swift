import Foundation
public import HubEngine

/// Sends posts to push services over HTTPS, on a thread of its own: names are looked up there, and what hangs hangs there.
///
/// Safe on any thread; nothing here waits. Certificates are verified, redirects not followed.
public final class PushSender: Sendable {
    /// A post that was given to be sent.
    public struct Receipt: Hashable, Sendable {
        let id: UInt64
    }

    private let mailbox: PushMailbox
    private let clock = HubClock()

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - certificateAuthority: A PEM file of certificates that are trusted beside the system's; nil: none.
    ///   - log: For what becomes of posts, by the services' hosts.
    /// - Throws: `TransportError` where libcurl refuses, or the file cannot be read.
    public init(certificateAuthority: String? = nil, log: HubLog) throws(TransportError) {
        if let file = certificateAuthority {
            let text = try? String(contentsOfFile: file, encoding: .utf8)
            guard text?.contains("-----BEGIN CERTIFICATE-----") == true else {
                throw .certificate("\(file) cannot be read as certificates in PEM; name a file of such.")
            }
        }
        let mailbox = PushMailbox()
        self.mailbox = mailbox
        let clock = clock
        let thread = Thread {
            let loop = PushThread(mailbox, certificateAuthority, clock: clock, log: log)
            mailbox.began(loop?.multi)
            loop?.run()
        }
        thread.start()
        guard mailbox.waitUntilBegun() else { throw .libraryRefused("make a context for pushes") }
        thread.name = "callhub-push"
    }

    deinit {
        stop()
    }

    /// The time by which posts expire.
    public var now: Instant { clock.now }

    /// Sends a post, again and again where that may help, until it expires.
    ///
    /// - Parameters:
    ///   - post: Complete.
    ///   - then: Told what became of it, on the sender's thread; not at all after `stop`.
    /// - Returns: What it is withdrawn by.
    public func send(_ post: PushPost, _ then: @escaping @Sendable (PushOutcome) -> Void) -> Receipt {
        let id = mailbox.nextID()
        mailbox.post { $0.add(id, post, then) }
        return Receipt(id: id)
    }

    /// Takes a post back, if it is not sent yet.
    public func withdraw(_ receipt: Receipt) {
        mailbox.post { $0.withdraw(receipt.id) }
    }

    /// What became of all so far.
    public var figures: PushFigures { mailbox.figures }

    /// Sends nothing more; returns when the library is let go of.
    ///
    /// Not to be called on the sender's thread.
    public func stop() {
        mailbox.stop()
    }
}
