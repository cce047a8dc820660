import Foundation
public import HubEngine

/// Sends messages to push services over HTTPS, on its own thread, since name look-ups and slow services may block it.
///
/// Safe on any thread; no call but `init` and `stop` waits. Certificates are verified, redirects not followed.
public final class PushSender: Sendable {
    /// The identifier of a submitted message, by which it can be withdrawn.
    public struct SubmissionID: Hashable, Sendable {
        let id: UInt64
    }

    private let mailbox: PushMailbox
    private let clock = HubClock()

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - certificateAuthority: A PEM file of certificates that are trusted in addition to the system's; nil: none.
    ///   - log: The log for the outcomes of messages, by host.
    /// - Throws: `TransportError.certificate` if the file cannot be read as PEM certificates; `libraryRefused` if
    ///   libcurl cannot be initialized.
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
        guard mailbox.waitUntilStarted() else { throw .libraryRefused("make a context for pushes") }
        thread.name = "callhub-push"
    }

    deinit {
        stop()
    }

    /// The current time of the clock by which messages expire.
    public var now: Instant { clock.now }

    /// Sends a message, and retries where that may help, until it expires.
    ///
    /// - Parameters:
    ///   - post: The message to send.
    ///   - then: Called with the outcome on the sender's thread; never after `stop`.
    /// - Returns: The identifier of the message, for `withdraw(_:)`.
    public func send(_ post: OutgoingPushMessage, _ then: @escaping @Sendable (PushOutcome) -> Void) -> SubmissionID {
        let id = mailbox.nextID()
        mailbox.post { $0.add(id, post, then) }
        return SubmissionID(id: id)
    }

    /// Withdraws a message that has not been sent yet.
    public func withdraw(_ submission: SubmissionID) {
        mailbox.post { $0.withdraw(submission.id) }
    }

    /// The counters of all messages so far.
    public var statistics: PushStatistics { mailbox.statistics }

    /// Stops sending; returns when libcurl's handle is freed.
    ///
    /// Must not be called on the sender's thread.
    public func stop() {
        mailbox.stop()
    }
}
