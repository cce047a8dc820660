public import HubEngine

/// The result of `admin.status`: the state of the hub, for its administrator.
public struct AdminStatus: Hashable, Sendable {
    /// The hub's program, version and node.
    public var hub: SessionOpenResult.Hub
    /// The setting `auth.mode`.
    public var authMode: String
    /// The time of the hub's start, and of the answer.
    public var (startedAt, answeredAt): (Instant, Instant)
    /// The number of signed-in devices.
    public var sessions: Int
    /// The number of current calls.
    public var calls: Int
    /// True while the hub is about to stop.
    public var isDraining: Bool
    /// The certificate that clients see; nil: the hub has none, or it is its proxy's.
    public var certificate: Certificate?
    /// The nightly backup; nil: none is configured.
    public var backup: Backup?
    /// The requests and connections that were refused for a limit.
    public var refusals: [Refusals] = []
    /// The last warnings and errors of the log, the newest first.
    public var log: [LogLine] = []
    /// The last entry of the audit log; nil: there is none.
    public var auditHead: AuditHead?

    /// Creates the state of a hub without certificate, backup, refusals and log.
    public init(hub: SessionOpenResult.Hub, authMode: String, startedAt: Instant, answeredAt: Instant) {
        self.hub = hub
        self.authMode = authMode
        (self.startedAt, self.answeredAt) = (startedAt, answeredAt)
        (sessions, calls, isDraining) = (0, 0, false)
    }

    /// The certificate that clients see.
    public struct Certificate: Hashable, Sendable {
        /// The kind, as in `/v1/info`: `file`, `acme` or `own`.
        public var kind: String
        /// The names that it is valid for.
        public var names: [String] = []
        /// The common name of its issuer; nil: unknown.
        public var issuer: String?
        /// The end of its validity; nil: unknown.
        public var expiresAt: Instant?
        /// The time of the next renewal by the hub; nil: unknown, or the hub does not renew it.
        public var nextRenewalAt: Instant?
        /// The last failure of a renewal; nil: it succeeded.
        public var failure: String?

        /// Creates a certificate of a kind.
        public init(kind: String) { self.kind = kind }
    }

    /// The nightly backup.
    public struct Backup: Hashable, Sendable {
        /// The time of the newest one; nil: there is none.
        public var newestAt: Instant?
        /// The size of the last one in bytes; nil: none was made since the start.
        public var byteCount: Int64?
        /// The number of failures since the start.
        public var failures: Int
        /// The last failure as a sentence; nil: the last one succeeded.
        public var failure: String?
        /// True while one is made.
        public var isRunning: Bool

        /// Creates the state of the backup.
        public init(newestAt: Instant?, byteCount: Int64?, failures: Int, failure: String?, isRunning: Bool) {
            self.newestAt = newestAt
            self.byteCount = byteCount
            self.failures = failures
            self.failure = failure
            self.isRunning = isRunning
        }
    }

    /// The number of refusals for one limit.
    public struct Refusals: Hashable, Sendable {
        /// The limit, as the metrics name it.
        public var limit: String
        /// The number since the hub's start.
        public var total: Int
        /// The number in the last hour.
        public var lastHour: Int

        /// Creates the number of refusals.
        public init(limit: String, total: Int, lastHour: Int) {
            self.limit = limit
            self.total = total
            self.lastHour = lastHour
        }
    }

    /// A line of the log.
    public struct LogLine: Hashable, Sendable {
        /// The time.
        public var at: Instant
        /// True for an error, false for a warning.
        public var isError: Bool
        /// The message with its fields.
        public var text: String

        /// Creates a line.
        public init(at: Instant, isError: Bool, text: String) {
            self.at = at
            self.isError = isError
            self.text = text
        }
    }
}

/// The result of `admin.history`: values of the last hour, the oldest first.
public struct AdminHistory: Hashable, Sendable {
    /// The time between two samples, in seconds.
    public var intervalSeconds: Int
    /// The samples.
    public var samples: [Sample]

    /// Creates a history.
    public init(intervalSeconds: Int, samples: [Sample]) {
        self.intervalSeconds = intervalSeconds
        self.samples = samples
    }

    /// The values of one moment, and of the interval before it.
    public struct Sample: Hashable, Sendable {
        /// The moment.
        public var at: Instant
        /// The number of calls.
        public var calls: Int
        /// The number of signed-in devices.
        public var sessions: Int
        /// The packets forwarded in the interval.
        public var packets: UInt64
        /// The 99th percentile of the relay's latency in the interval, in microseconds; nil: no packet was forwarded.
        public var latencyMicroseconds: Int?

        /// Creates a sample.
        public init(at: Instant, calls: Int, sessions: Int, packets: UInt64, latencyMicroseconds: Int?) {
            self.at = at
            self.calls = calls
            self.sessions = sessions
            self.packets = packets
            self.latencyMicroseconds = latencyMicroseconds
        }
    }
}
