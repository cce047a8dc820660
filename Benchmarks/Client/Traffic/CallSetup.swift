package import BenchmarkSupport
import FoundationEssentials

/// Brings a hub's clients into calls: signs them in, calls, answers, and waits for both ends' audio sessions.
package struct CallSetup {
    /// Higher: set up sooner; lower: a hub that does little at a time is not overloaded.
    private static let callsAtOnce = 64
    /// Higher: a slow hub may finish; lower: a hub that never answers is noticed sooner.
    private static let timeoutNanoseconds: UInt64 = 20_000_000_000

    /// The progress of one end of a call.
    private struct End {
        var isSignedIn = false
        var hasAnswered = false
        var isConnected = false
    }

    private let population: Population
    private var ends: [End]
    private var started = 0
    /// The number of calls whose ends both are connected and have an audio session.
    private var readyCalls = 0

    /// Sets up the calls of `population`.
    package init(_ population: Population) {
        self.population = population
        ends = Array(repeating: End(), count: population.connections.count)
    }

    /// Signs all clients in, as `u0`, `u1` and so on.
    ///
    /// - Parameter credentials: Returns an account's password or token.
    /// - Throws: `BenchmarkError` if the hub refuses a sign-in, or not all are signed in after 20 s.
    package mutating func signIn(
        _ credentials: (String) -> Request.Credentials = { _ in .none }
    ) throws(BenchmarkError) {
        for (number, connection) in population.connections.enumerated() {
            let account = "u\(number)"
            try connection.send(text: Request.open(account: account, credentials(account)))
            // Answers are read meanwhile, so that neither side's socket fills.
            try population.receive(nanoseconds: 0) { number, opcode, payload throws(BenchmarkError) in
                try handle(number, opcode, payload)
            }
        }
        try wait(for: "sign in") { $0.ends.count { $0.isSignedIn } }
    }

    /// Calls from each caller to its callee, until all are connected and both ends have their audio session.
    package mutating func connect() throws(BenchmarkError) {
        try startMore()
        try wait(for: "be connected with an audio session") { 2 * $0.readyCalls }
    }

    private mutating func startMore() throws(BenchmarkError) {
        while started < ends.count / 2, started - readyCalls < Self.callsAtOnce {
            let call = UUID().uuidString.lowercased()
            try population.connections[2 * started].send(text: Request.start(call: call, to: "u\(2 * started + 1)"))
            started += 1
        }
    }

    private mutating func wait(
        for aim: String,
        count: (CallSetup) -> Int
    ) throws(BenchmarkError) {
        let deadline = monotonicNanoseconds() + Self.timeoutNanoseconds
        while count(self) < ends.count {
            guard monotonicNanoseconds() < deadline else {
                throw BenchmarkError("only \(count(self)) of \(ends.count) clients came to \(aim) in time")
            }
            try population.receive(nanoseconds: 100_000_000) { number, opcode, payload throws(BenchmarkError) in
                try handle(number, opcode, payload)
            }
        }
    }

    private mutating func handle(
        _ number: Int,
        _ opcode: Opcode,
        _ payload: UnsafeRawBufferPointer
    ) throws(BenchmarkError) {
        guard opcode == .text else {
            return
        }
        let message = try HubMessage.read(payload)
        if let error = message.error {
            throw BenchmarkError("the hub refused a request of u\(number): \(error.code) \(error.message)")
        }
        if message.id == 1 {
            ends[number].isSignedIn = true
        }
        let wasReady = isReady(number / 2)
        try follow(message, number)
        if !wasReady && isReady(number / 2) {
            readyCalls += 1
            try startMore()
        }
    }

    /// Applies a notification about the client's call, and answers the call when it rings.
    private mutating func follow(_ message: HubMessage, _ number: Int) throws(BenchmarkError) {
        if message.method == "provider.didActivateAudioSession", let ssrc = message.params?.audioSession?.ssrc {
            population.connections[number].beginAudio(ssrc: ssrc)
        }
        guard message.method == "call.changed", let call = message.params?.call else {
            return
        }
        guard !call.hasEnded else {
            throw BenchmarkError("the call of u\(number) ended in its set-up: \(call.cause ?? "without a cause")")
        }
        ends[number].isConnected = call.state == "connected"
        if call.state == "ringing" && !ends[number].hasAnswered {
            ends[number].hasAnswered = true
            try population.connections[number].send(text: Request.answer(call: call.uuid))
        }
    }

    /// Indicates that both ends of the call are connected and have an SSRC to send with.
    private func isReady(_ call: Int) -> Bool {
        [2 * call, 2 * call + 1].allSatisfy { ends[$0].isConnected && population.connections[$0].ssrc != nil }
    }
}
