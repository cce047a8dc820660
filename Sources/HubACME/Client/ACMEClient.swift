import CCurl
import Foundation
public import HubEngine
import Synchronization

/// A client that keeps a certificate of an ACME server (RFC 8555) valid, on its own thread.
///
/// Safe on any thread. Certificates of the server are verified, redirects not followed, no proxy used.
public final class ACMEClient: Sendable {
    /// A line for the log.
    public struct LogLine: Hashable, Sendable {
        /// The importance of a line.
        public enum Level: Sendable {
            /// The life of orders.
            case info
            /// A failure that an operator should read.
            case warning
        }

        /// The importance.
        public let level: Level
        /// The line: a sentence.
        public let sentence: String
    }

    /// The state of the certificate.
    public struct Status: Hashable, Sendable {
        /// The end of the certificate in use; nil: there is none.
        public internal(set) var certificateEnd: Instant?
        /// The date of the next order.
        public internal(set) var nextAttempt: Instant?
        /// The last failure as a sentence; nil after a success.
        public internal(set) var failure: String?
    }

    private let mailbox: ACMEMailbox

    private init(_ mailbox: ACMEMailbox) { self.mailbox = mailbox }

    deinit { stop() }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - settings: The names, the server and the contact.
    ///   - storage: The folder of the account's key and the certificate, for one client at a time.
    ///   - challenges: The store from which the hub answers challenges.
    ///   - onCertificate: Called on the client's thread with chain and key in PEM: at once if a certificate is stored,
    ///     then after each renewal.
    ///   - log: Called on the client's thread with each line for the log.
    /// - Returns: The running client.
    /// - Throws: The fault of the settings, before anything is sent.
    public static func start(
        settings: ACMESettings,
        storage: ACMEStorage,
        challenges: ChallengeStore,
        onCertificate: @escaping @Sendable (_ chain: String, _ key: String) -> Void,
        log: @escaping @Sendable (LogLine) -> Void
    ) throws(ACMESettingsError) -> ACMEClient {
        try start(
            settings: settings,
            storage: storage,
            challenges: challenges,
            clock: SystemACMEClock(),
            onCertificate: onCertificate,
            log: log
        )
    }

    /// Starts the thread with clocks of the caller's.
    package static func start(
        settings: ACMESettings,
        storage: ACMEStorage,
        challenges: ChallengeStore,
        clock: any ACMEClock,
        onCertificate: @escaping @Sendable (_ chain: String, _ key: String) -> Void,
        log: @escaping @Sendable (LogLine) -> Void
    ) throws(ACMESettingsError) -> ACMEClient {
        let settings = try CheckedACMESettings(settings)
        if let file = settings.authorityFile {
            guard (try? String(contentsOfFile: file, encoding: .utf8))?.contains("-----BEGIN CERTIFICATE-----") == true
            else { throw ACMESettingsError("\(file) cannot be read as certificates in PEM; name a file of such.") }
        }
        let mailbox = ACMEMailbox()
        clock.onJump { mailbox.wake() }
        let thread = Thread {
            guard let transport = ACMETransport(mailbox, trusting: settings.authorityFile) else {
                log(LogLine(level: .warning, sentence: "libcurl cannot be prepared; no certificate is ordered."))
                mailbox.ended()
                return
            }
            let worker = ACMEWorker(settings, storage, challenges, clock, mailbox, transport, onCertificate, log)
            worker.run()
            transport.close()
        }
        thread.name = "callhub-acme"
        thread.start()
        return ACMEClient(mailbox)
    }

    /// The state of the certificate.
    public var status: Status { mailbox.status }

    /// Stops the thread, and returns when it has ended; an order under way is taken up by the next client.
    ///
    /// Must not be called on the client's thread.
    public func stop() { mailbox.stop() }
}
