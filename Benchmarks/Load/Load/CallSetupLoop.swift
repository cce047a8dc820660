import BenchmarkClient
import BenchmarkSupport
import FoundationEssentials

/// Calls over the wire, set up and ended over and over.
///
/// Each pair has one call at a time and begins the next when both ends have received the end of the one before. Both
/// parties have two devices. A call is started, rings on both of the callee's and is answered on one, and the other is
/// notified of that; when both ends are connected and have their audio sessions, the caller ends the call.
struct CallSetupLoop {
    /// Connections of a pair: the caller's desk and mobile, the callee's desk and mobile.
    static let devices = 4
    /// Higher: a slow hub may finish; lower: a hub that never answers is noticed sooner.
    private static let timeoutNanoseconds: UInt64 = 20_000_000_000

    /// The progress of a pair's call: the notifications received so far.
    private struct Progress {
        /// The devices of the pair that are signed in, 0 to 4.
        var signedIn = 0
        var steps = 0
        var outgoing = ""
    }

    /// The steps of a connected call: both ends' states and audio sessions, and the callee's other device.
    private static let stepsToTalk = 5
    /// The steps of an ended call: those above, and the end at both parties.
    private static let stepsToEnd = 7

    private let population: Population
    private var pairs: [Progress]
    /// Indicates that a call that ends is followed by the next.
    private var isGoing = true

    /// Calls set up and ended so far.
    private(set) var completed = 0
    /// Text messages received from the hub so far.
    private(set) var messages = 0

    /// Forms pairs of all connections of `population`, four each.
    init(_ population: Population) {
        self.population = population
        pairs = Array(repeating: Progress(), count: population.connections.count / Self.devices)
    }

    /// Signs in every device.
    mutating func signIn() throws(BenchmarkError) {
        for (number, connection) in population.connections.enumerated() {
            let device = number % 2 == 0 ? "desk" : "mobile"
            try connection.send(text: Request.open(account: "u\(number / 2)", device: device))
            try receive(nanoseconds: 0)
        }
        try wait(for: "sign in") { $0.signedIn == Self.devices }
    }

    /// Starts a call in each pair.
    mutating func begin() throws(BenchmarkError) {
        for pair in pairs.indices { try start(pair) }
    }

    /// Keeps all pairs calling for that many nanoseconds.
    mutating func run(nanoseconds: UInt64) throws(BenchmarkError) {
        let end = monotonicNanoseconds() + nanoseconds
        while monotonicNanoseconds() < end { try receive(nanoseconds: 1_000_000) }
    }

    /// Waits until the calls under way have ended, and starts no more.
    mutating func finish() throws(BenchmarkError) {
        isGoing = false
        try wait(for: "end their calls") { $0.outgoing.isEmpty }
    }

    private mutating func wait(
        for aim: String,
        isThere: (Progress) -> Bool
    ) throws(BenchmarkError) {
        let deadline = monotonicNanoseconds() + Self.timeoutNanoseconds
        while !pairs.allSatisfy(isThere) {
            guard monotonicNanoseconds() < deadline else {
                throw BenchmarkError(
                    "only \(pairs.count(where: isThere)) of \(pairs.count) pairs came to \(aim) in time"
                )
            }
            try receive(nanoseconds: 100_000_000)
        }
    }

    private mutating func receive(nanoseconds: UInt64) throws(BenchmarkError) {
        try population.receive(nanoseconds: nanoseconds) { number, opcode, payload throws(BenchmarkError) in
            guard opcode == .text else { return }
            messages += 1
            try follow(ScannedMessage(payload), at: number)
        }
    }

    private mutating func start(_ pair: Int) throws(BenchmarkError) {
        pairs[pair].steps = 0
        pairs[pair].outgoing = UUID().uuidString.lowercased()
        let text = Request.start(call: pairs[pair].outgoing, to: "u\(2 * pair + 1)")
        try population.connections[Self.devices * pair].send(text: text)
    }

    private mutating func follow(_ message: ScannedMessage, at number: Int) throws(BenchmarkError) {
        let pair = number / Self.devices
        let role = number % Self.devices
        switch message.kind {
        case .refused:
            throw BenchmarkError("the hub refused a request of u\(number / 2): \(message.text)")
        case .signedIn:
            pairs[pair].signedIn += 1
        case .ringing where role == 2:
            try population.connections[number].send(text: Request.answer(call: message.callUUID))
        case .connected, .audioActivated:
            pairs[pair].steps += 1
        case .ended where role == 3:
            guard message.isAnsweredElsewhere else {
                throw BenchmarkError("a device that did not answer was sent: \(message.text)")
            }
            pairs[pair].steps += 1
        case .ended:
            try noteEnd(of: pair, message)
        case .ringing, .other:
            return
        }
        if message.kind != .ended || role == 3, pairs[pair].steps == Self.stepsToTalk {
            try population.connections[Self.devices * pair].send(text: Request.end(call: pairs[pair].outgoing))
        }
    }

    private mutating func noteEnd(of pair: Int, _ message: ScannedMessage) throws(BenchmarkError) {
        guard pairs[pair].steps >= Self.stepsToTalk else {
            throw BenchmarkError("a call ended before it was ended: \(message.text)")
        }
        pairs[pair].steps += 1
        guard pairs[pair].steps == Self.stepsToEnd else { return }
        completed += 1
        pairs[pair].outgoing = ""
        if isGoing { try start(pair) }
    }
}
