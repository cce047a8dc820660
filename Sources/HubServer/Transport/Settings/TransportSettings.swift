import Foundation

/// The settings of the hub's sockets; the defaults suit a hub of a few thousand calls.
///
/// The comment of each constant says what raising it improves and what it costs.
public struct TransportSettings: Sendable {
    // MARK: Addresses and files

    /// The IP address or host name to listen on; a name is bound on all its addresses, `*` on all of the machine.
    public var host = "127.0.0.1"

    /// The port, 0 to 65535; 0 lets the kernel choose, see ``ServerLoop/port``.
    public var port = 8080

    /// The only path of WebSockets.
    public var path = "/v1"

    /// The only subprotocol; a client that offers none is accepted, one that offers only others is refused.
    public var subprotocol = "callhub.v1"

    /// The origins (`https://phone.example.com`) that may connect although they differ from the requested host.
    public var allowedOrigins: [String] = []

    /// The host names under which web pages may use the hub, beside its address, `localhost` and the machine's own.
    public var hosts: [String] = []

    /// The `https://` URL of the start page for other machines, whose host is one of the hub's names; nil: unknown.
    public var publicURL: String?

    /// A prefix of all paths, such as `/callhub`, for a proxy that does not remove it; all paths also work without it.
    public var pathPrefix: String?

    /// The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.
    public var trustedProxies: [AddressRange] = []

    /// Indicates that each connection of a trusted proxy begins with a PROXY protocol header of version 2.
    public var usesProxyProtocol = false

    /// Indicates that all clients come through a proxy on this machine, which has the certificate.
    ///
    /// A page may then have any name that the proxy serves by https.
    public var isBehindProxy = false

    /// The PEM file of the TLS certificate, followed by its chain; nil, like the key: no TLS.
    public var certificateFile: String?

    /// The PEM file of the certificate's key.
    public var keyFile: String?

    /// The certificate if no files are given; nil: no TLS.
    public var certificate: ServerCertificate?

    /// The answers to challenges of a public authority; nil: none are answered.
    public var challenges: ChallengeResponder?

    /// The port for plain HTTP that redirects to the hub with TLS, 0 to 65535; nil, or without a certificate: none.
    ///
    /// Beside redirects it answers challenges, and serves the page that helps devices to trust the hub's own authority.
    public var redirectPort: Int?

    /// The seconds for which browsers use TLS alone for a name of a hub with a certificate (RFC 6797); 0: no longer.
    ///
    /// More: a browser that comes back late is still kept from plain HTTP; less: a hub without TLS is reached sooner.
    public var strictTransportSeconds = 31_536_000

    /// The folder of the files that answer GET; nil: only the handler's own paths are answered.
    public var staticFilesDirectory: String?

    /// The headers sent with every HTTP response.
    ///
    /// The two cross-origin ones let a page share memory with its audio worklets; `wasm-unsafe-eval` lets browsers
    /// without WebCodecs code Opus by the hub's own WebAssembly module, and allows no `eval`; `data:` lets images show
    /// the photos of contacts, which come by the WebSocket.
    public var httpHeaders: [HTTPHeader] = [
        HTTPHeader(
            name: "Content-Security-Policy",
            value: "default-src 'self'; connect-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
                + "form-action 'none'; frame-ancestors 'none'; script-src 'self' 'wasm-unsafe-eval'"
        ),
        HTTPHeader(name: "Referrer-Policy", value: "no-referrer"),
        HTTPHeader(name: "X-Content-Type-Options", value: "nosniff"),
        HTTPHeader(name: "Cross-Origin-Opener-Policy", value: "same-origin"),
        HTTPHeader(name: "Cross-Origin-Embedder-Policy", value: "require-corp"),
    ]

    // MARK: Limits

    /// The maximum number of sockets.
    ///
    /// More: more clients; 1 KB of table and, when in use, 6 KB of memory each.
    ///
    /// The process' limit of descriptors (RLIMIT_NOFILE) caps it; see ``ServerLoop/maximumConnections``.
    public var maximumConnections = 10_000

    /// The maximum number of connections of one address (an IPv6 customer's /64 counts as one); beyond it: 429.
    ///
    /// More: larger offices behind one address; one attacker can take more of the hub.
    public var maximumConnectionsPerAddress = 1000

    /// The maximum number of sockets of one address that are no connections, downloads included; beyond it: closed.
    ///
    /// More: more phones of one office reconnect at once; slow attackers hold more.
    public var maximumHandshakesPerAddress = 256

    /// The maximum number of sign-ins a minute of one address; beyond it: error 429.
    ///
    /// More: more phones of one office reconnect at once; more passwords can be tried.
    public var signInsPerMinute = 600

    /// The maximum number of HTTP requests, handshakes and messages before the sign-in, a second of one address.
    ///
    /// Ten times as many in one burst; beyond it: 429. A message counts once for each 4 KB.
    ///
    /// More: larger offices load their phones at once; attackers take more of the hub's time.
    public var requestsPerSecond = 200

    /// The addresses to which the limits by address do not apply.
    public var exemptAddresses = AddressRange.loopback

    /// The maximum size of a message in bytes.
    ///
    /// More: larger contact lists in one message; more memory one client can bind. Beyond it: close 1009.
    public var maximumMessageBytes = 65_536

    /// The maximum size of an audio packet in bytes, at most 65,535.
    ///
    /// More: larger frames; larger slots in the slab. Beyond it: counted, not delivered.
    public var maximumAudioBytes = 1500

    /// The maximum number of queued text bytes per connection.
    ///
    /// More: longer stalls are survived; more memory each.
    public var maximumQueuedTextBytes = 1 << 20

    /// The maximum number of queued audio packets per connection.
    ///
    /// More: bursts of many streams fit; 12 bytes of table each.
    public var audioQueuePackets = 32

    /// The maximum number of queued audio packets of a loop.
    ///
    /// More: more stalled receivers at once; 1.5 KB each while queued.
    public var maximumQueuedPackets = 16_384

    /// The memory budget in MiB for queued texts and packets, messages partly received, and replay logs.
    ///
    /// More: more slow clients and lost connections at once. While it is exhausted, those that need more are closed.
    public var maximumQueuedMegabytes = 256

    /// The number of bytes read from a socket at a time, and kept per connection.
    ///
    /// More: fewer calls in a burst; more memory each.
    public var receiveBufferBytes = 2048

    // MARK: Threads and batching

    /// The number of threads that serve connections, each with a loop of its own; 0: one per core.
    ///
    /// More: more packets a second on more cores; a call between two loops costs more than one within.
    public var loops = 1

    /// The number of threads that mix the audio of groups; 0: each party's packets are passed on unchanged.
    ///
    /// More: more groups at a time, about fifty a core.
    public var mixers = 0

    /// The number of parties in a conversation, 3 or more, from which a client that wants one stream gets it.
    ///
    /// More: less work of the hub, more of the clients, whose network carries a stream of each party.
    public var mixedFrom = 3

    /// The time from one iteration of a loop to the next while packets arrive fast; zero: packets are never batched.
    ///
    /// Longer: more packets share a wake-up, and those for one receiver a write; each may wait that long.
    public var batch: Duration = .milliseconds(1)

    // MARK: Latency

    /// The maximum queueing time of audio.
    ///
    /// Longer: fewer gaps after a stall; more delay right after it.
    public var staleAfter: Duration = .milliseconds(120)

    /// The delay behind the pace of a sender's RTP timestamps beyond which its packets are dropped.
    ///
    /// Longer: more of the burst after a sender's stall gets through, staler; shorter: jitter is taken for a stall.
    /// Clients rely on 500 ms (docs/protocol.md, Pace); tests that count packets on a slow machine set more.
    public var lateAfter: Duration = .milliseconds(500)

    /// The duration of audio kept of a backlog that lasted longer than `staleAfter`.
    ///
    /// Longer: less loss; the delay lasts.
    public var keptOfBacklog: Duration = .milliseconds(40)

    /// The value of TCP_NOTSENT_LOWAT in bytes.
    ///
    /// More: fewer wake-ups on fast links; more stale audio in the kernel on slow ones.
    public var notSentLowWaterBytes = 4096

    /// The value of SO_SNDBUF in bytes, 0 for the kernel's own.
    ///
    /// More: more in flight on long fast paths; more that can be stale.
    public var sendBufferBytes = 0

    /// The shortest time between two notifications of dropped packets to one client, at most a minute.
    ///
    /// Longer: fewer notifications to clients whose packets are dropped; each is sent later.
    public var dropReportInterval: Duration = .seconds(1)

    // MARK: Timeouts

    /// The value of TCP_USER_TIMEOUT: the time for which sent bytes may stay unacknowledged.
    ///
    /// Longer: longer outages are survived; dead peers stay.
    public var unacknowledgedTimeout: Duration = .seconds(10)

    /// The time of silence before the hub pings.
    ///
    /// Longer: less traffic; a dead peer is detected later.
    public var pingInterval: Duration = .seconds(10)

    /// The time of silence before a connection counts as lost.
    ///
    /// Longer: longer outages are survived; calls hang on dead peers.
    public var silenceTimeout: Duration = .seconds(25)

    /// The time for a whole HTTP request; whole seconds, at least 1.
    ///
    /// Longer: slow links succeed; slow attackers hold more.
    public var handshakeTimeout: Duration = .seconds(10)

    /// The time until ``ServerLoop/markAuthenticated(_:)``.
    ///
    /// Longer: slow password checks pass; clients that never sign in stay longer.
    public var signInTimeout: Duration = .seconds(10)

    /// The time for a peer to receive its close frame.
    ///
    /// Longer: slow peers receive the reason; dead ones keep their socket.
    public var closeTimeout: Duration = .seconds(2)

    /// The interval at which all of the timeouts above are checked.
    ///
    /// Longer: less work; each comes later by up to this much.
    public var sweepInterval: Duration = .seconds(1)

    /// Creates the default settings.
    public init() {}

    /// The number of loops that `loops` asks for, 1 to 64.
    var loopCount: Int {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return min(max(loops == 0 ? cores : loops, 1), 64)
    }

    /// The maximum size of an audio packet in bytes: ``maximumAudioBytes`` within 1 to 65,535.
    ///
    /// From 64 KB on the head of a frame is longer.
    var largestAudio: Int { min(max(maximumAudioBytes, 1), 65_535) }

    /// The certificate that the hub starts with; nil without TLS.
    var serverCertificate: ServerCertificate? {
        guard let certificateFile, let keyFile else { return certificate }
        return .files(certificate: certificateFile, key: keyFile)
    }

    /// True if the hub's port takes TLS alone.
    public var usesTLS: Bool { serverCertificate != nil }
}

/// One header line of an HTTP response.
public struct HTTPHeader: Sendable, Equatable {
    /// The name without the colon.
    public var name: String

    /// The value without line ends.
    public var value: String

    /// Creates a header line.
    ///
    /// - Parameters:
    ///   - name: The name without the colon.
    ///   - value: The value without line ends.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension Duration {
    /// The duration in whole milliseconds, never negative, saturating: the unit of the loop's clock.
    package var wholeMilliseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (scaled, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1000)
        return overflow
            ? .max : scaled.addingReportingOverflow(UInt64(attoseconds) / 1_000_000_000_000_000).partialValue
    }

    /// The duration in whole nanoseconds, never negative, at most a minute.
    var wholeNanoseconds: UInt64 {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = min(self, .seconds(60)).components
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000
    }

    /// The duration in whole seconds, rounded up, from 1 to a day: the unit of libwebsockets.
    var wholeSeconds: Int32 {
        Int32(clamping: min(max(wholeMilliseconds.addingReportingOverflow(999).partialValue / 1000, 1), 86_400))
    }
}
