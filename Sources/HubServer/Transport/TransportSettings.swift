import Foundation

/// Everything that can be set about the hub's sockets; the defaults suit a hub of a few thousand calls.
///
/// Each constant says what gets better and what gets worse when it is raised.
public struct TransportSettings: Sendable {
    // MARK: Where and what

    /// An IPv4 or IPv6 address or a host name; a name is bound on all its addresses, `*` on all of the machine.
    public var host = "127.0.0.1"

    /// 0 to 65535; 0 lets the kernel choose, see ``ServerLoop/port``.
    public var port = 8080

    /// The one path that takes a WebSocket.
    public var path = "/v1"

    /// The one subprotocol; a client that offers none is taken as if it had, one that offers only others is refused.
    public var subprotocol = "callhub.v1"

    /// Origins (`https://phone.example.com`) that may connect although they are not the host asked for.
    public var allowedOrigins: [String] = []

    /// Names under which web pages may ask for the hub, beside its address, `localhost` and the machine's own.
    public var hosts: [String] = []

    /// A path in front of all others, `/callhub`, for a proxy that does not take it away; without it all is there too.
    public var pathPrefix: String?

    /// Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.
    public var trustedProxies: [AddressRange] = []

    /// The PEM file of the TLS certificate, its chain behind it; nil, like the key: no TLS.
    public var certificateFile: String?

    /// The PEM file of the certificate's key.
    public var keyFile: String?

    /// The seconds for which browsers use TLS alone for a name of a hub with a certificate (RFC 6797); 0: no longer.
    ///
    /// More: a browser that comes back late is still kept from plain HTTP; less: a hub without TLS is reached sooner.
    public var strictTransportSeconds = 31_536_000

    /// The folder that answers GET; nil answers nothing but the handler's own paths.
    public var staticFilesDirectory: String?

    /// Sent with every HTTP answer.
    ///
    /// The two cross-origin ones let a page share memory with its audio worklets.
    public var httpHeaders: [HTTPHeader] = [
        HTTPHeader(
            name: "Content-Security-Policy",
            value: "default-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'"
        ),
        HTTPHeader(name: "Referrer-Policy", value: "no-referrer"),
        HTTPHeader(name: "X-Content-Type-Options", value: "nosniff"),
        HTTPHeader(name: "Cross-Origin-Opener-Policy", value: "same-origin"),
        HTTPHeader(name: "Cross-Origin-Embedder-Policy", value: "require-corp"),
    ]

    // MARK: How many and how large

    /// Sockets at once.
    ///
    /// More: more clients; 1 KB of table and, when in use, 6 KB of memory each.
    ///
    /// What the process may open (RLIMIT_NOFILE) caps it; see ``ServerLoop/maximumConnections``.
    public var maximumConnections = 10_000

    /// Connections of one address (an IPv6 customer's /64 counts as one); over it: 429.
    ///
    /// More: larger offices behind one address; one stranger can take more of the hub.
    public var maximumConnectionsPerAddress = 1000

    /// Sockets of one address that have not become connections, files on their way included; over it: closed.
    ///
    /// More: more phones of one office come back at once; slow strangers hold more.
    public var maximumHandshakesPerAddress = 256

    /// Sign-ins a minute of one address; over it: error 429.
    ///
    /// More: more phones of one office come back at once; more passwords can be tried.
    public var signInsPerMinute = 600

    /// HTTP requests, handshakes and messages before the sign-in, a second of one address.
    ///
    /// Ten times as many in one go; over it: 429. A message counts once for each 4 KB.
    ///
    /// More: larger offices load their phones at once; strangers take more of the hub's time.
    public var requestsPerSecond = 200

    /// Addresses that the limits by address do not concern.
    public var exemptAddresses = AddressRange.loopback

    /// Bytes of one message.
    ///
    /// More: larger contact lists in one go; more memory one client can bind. Over it: close 1009.
    public var maximumMessageBytes = 65_536

    /// Bytes of one audio packet, at most 65,535.
    ///
    /// More: larger frames; larger slots in the slab. Over it: counted, not delivered.
    public var maximumAudioBytes = 1500

    /// Bytes of control text that may wait for one connection.
    ///
    /// More: longer stalls survive; more memory each.
    public var maximumQueuedTextBytes = 1 << 20

    /// Audio packets that may wait for one connection.
    ///
    /// More: bursts of many streams fit; 12 bytes of table each.
    public var audioQueuePackets = 32

    /// Audio packets that may wait in all.
    ///
    /// More: more stalled listeners at once; 1.5 KB each while they wait.
    public var maximumQueuedPackets = 16_384

    /// Memory for all that waits: texts, packets, messages half received, and what is kept for lost connections.
    ///
    /// More: more slow clients and lost connections at once. When it is in use, who wants more of it is cut off.
    public var maximumQueuedMegabytes = 256

    /// Bytes taken from a socket at a time, and kept per connection.
    ///
    /// More: fewer calls in a burst; more memory each.
    public var receiveBufferBytes = 2048

    // MARK: Economy

    /// Threads that serve connections, each with a loop of its own; 0: one a core.
    ///
    /// More: more packets a second on more cores; a call between two loops costs more than one within.
    public var loops = 1

    /// From one turn of a loop to the next while packets come fast; zero: none ever waits.
    ///
    /// Longer: more packets share a wake-up, and those for one listener a write; each may wait that long.
    public var batch: Duration = .milliseconds(1)

    // MARK: Freshness

    /// How long audio may wait.
    ///
    /// Longer: fewer gaps after a stall; more delay right after it.
    public var staleAfter: Duration = .milliseconds(120)

    /// What is kept of a backlog that lasted longer than `staleAfter`.
    ///
    /// Longer: less loss; the delay lasts.
    public var keptOfBacklog: Duration = .milliseconds(40)

    /// TCP_NOTSENT_LOWAT in bytes.
    ///
    /// More: fewer wake-ups on fast links; more stale audio in the kernel on slow ones.
    public var notSentLowWaterBytes = 4096

    /// SO_SNDBUF in bytes, 0 for the kernel's own.
    ///
    /// More: more in flight on long fast paths; more that can be stale.
    public var sendBufferBytes = 0

    /// The shortest time between two notifications of dropped packets to one client, at most a minute.
    ///
    /// Longer: fewer notifications to clients that send in vain; they learn of it later.
    public var dropReportInterval: Duration = .seconds(1)

    // MARK: Patience

    /// TCP_USER_TIMEOUT: how long sent bytes may stay unacknowledged.
    ///
    /// Longer: longer outages survive; dead peers stay.
    public var unacknowledgedTimeout: Duration = .seconds(10)

    /// Silence before the hub pings.
    ///
    /// Longer: less traffic; a dead peer is found later.
    public var pingInterval: Duration = .seconds(10)

    /// Silence before a connection counts as lost.
    ///
    /// Longer: longer outages survive; calls hang on dead peers.
    public var silenceTimeout: Duration = .seconds(25)

    /// Time for a whole HTTP request; whole seconds, at least 1.
    ///
    /// Longer: slow links get in; slow attackers hold more.
    public var handshakeTimeout: Duration = .seconds(10)

    /// Time until ``ServerLoop/markSignedIn(_:)``.
    ///
    /// Longer: slow password checks pass; strangers stay longer.
    public var signInTimeout: Duration = .seconds(10)

    /// Time for a peer to take its close frame.
    ///
    /// Longer: slow peers hear why; dead ones keep their socket.
    public var closeTimeout: Duration = .seconds(2)

    /// How often all of the above are looked at.
    ///
    /// Longer: less work; each comes later by up to this much.
    public var sweepInterval: Duration = .seconds(1)

    /// The defaults.
    public init() {}

    /// The number of loops that `loops` asks for, 1 to 64.
    var loopCount: Int {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return min(max(loops == 0 ? cores : loops, 1), 64)
    }

    /// Both of them, or nil where the hub speaks no TLS.
    var certificateFiles: (certificate: String, key: String)? {
        guard let certificateFile, let keyFile else { return nil }
        return (certificateFile, keyFile)
    }
}

/// One header line of an HTTP answer.
public struct HTTPHeader: Sendable, Equatable {
    /// Without the colon.
    public var name: String

    /// Without line ends.
    public var value: String

    /// A header line.
    ///
    /// - Parameters:
    ///   - name: Without the colon.
    ///   - value: Without line ends.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension Duration {
    /// Whole milliseconds, never negative, saturating: what the sockets' clock counts in.
    var wholeMilliseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (scaled, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1000)
        return overflow
            ? .max : scaled.addingReportingOverflow(UInt64(attoseconds) / 1_000_000_000_000_000).partialValue
    }

    /// Whole nanoseconds, never negative, at most a minute.
    var wholeNanoseconds: UInt64 {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = min(self, .seconds(60)).components
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000
    }

    /// Whole seconds, rounded up, from 1 to a day: what libwebsockets counts in.
    var wholeSeconds: Int32 {
        Int32(clamping: min(max(wholeMilliseconds.addingReportingOverflow(999).partialValue / 1000, 1), 86_400))
    }
}
