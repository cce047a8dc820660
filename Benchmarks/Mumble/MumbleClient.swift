import BenchmarkClient
import BenchmarkSupport

/// One user of a Mumble server, whose voice goes through the TCP connection.
final class MumbleClient {
    /// The user's session number at the server; 0 until it is signed in.
    private(set) var session: UInt64 = 0
    /// The packets of its voice.
    private var voice = VoicePacket()

    private let stream: ByteStream
    private let buffer: UnsafeMutableRawBufferPointer
    /// The received beginning of a message.
    private var unfinished: [UInt8] = []
    /// The rest of messages that the socket has taken in part.
    private var unsent: [UInt8] = []

    /// Connects and signs in, and blocks until both are done; received bytes go through `buffer`.
    init(
        to address: ListeningAddress,
        tls: TLSClient,
        name: String,
        password: String = "",
        buffer: UnsafeMutableRawBufferPointer
    ) throws(BenchmarkError) {
        stream = try ByteStream(to: address, tls: tls)
        self.buffer = buffer
        _ = try put(MumbleMessage.version + MumbleMessage.authenticate(name: name, password: password))
        var session: UInt64?
        while session == nil {
            try receive { kind, body throws(BenchmarkError) in
                if kind == .serverSync { session = MumbleMessage.find(1, in: body)?.number }
            }
        }
        self.session = session ?? 0
    }

    /// The version of TLS and the cipher.
    var encryption: String? { stream.encryption }

    /// Makes a channel, and waits for its number.
    func makeChannel(_ name: String) throws(BenchmarkError) -> UInt64 {
        _ = try put(MumbleMessage.makeChannel(name: name))
        var channel: UInt64?
        while channel == nil {
            try receive { kind, body throws(BenchmarkError) in
                if kind == .channelState, MumbleMessage.find(3, in: body)?.text == name {
                    channel = MumbleMessage.find(1, in: body)?.number
                }
            }
        }
        return channel ?? 0
    }

    /// Enters a channel, and waits for the server's confirmation.
    func enter(_ channel: UInt64) throws(BenchmarkError) {
        _ = try put(MumbleMessage.enter(session: session, channel: channel))
        var isThere = false
        while !isThere {
            try receive { kind, body throws(BenchmarkError) in
                if kind == .userState, MumbleMessage.find(1, in: body)?.number == session,
                    MumbleMessage.find(5, in: body)?.number == channel
                {
                    isThere = true
                }
            }
        }
    }

    /// Makes the socket non-blocking and adds it to `poller`.
    func beginToTalk(_ poller: Poller, number: Int) throws(BenchmarkError) {
        try stream.stopBlocking()
        try poller.add(stream.descriptor, number: number)
    }

    /// Sends the next 20 ms of voice; returns false if the socket has not taken the packets before.
    func say(at now: UInt64) throws(BenchmarkError) -> Bool {
        if !unsent.isEmpty {
            unsent.removeFirst(try stream.send(unsent))
            guard unsent.isEmpty else {
                voice.skip()
                return false
            }
        }
        return try put(voice.next(sentAt: now))
    }

    /// Leaves out 20 ms of voice.
    func skip() {
        voice.skip()
    }

    /// Reads the bytes that are there and hands each message of a known kind to `deliver`.
    func receive(
        _ deliver: (MumbleMessage.Kind, UnsafeRawBufferPointer) throws(BenchmarkError) -> Void
    ) throws(BenchmarkError) {
        repeat {
            let length = try stream.receive(into: buffer)
            let chunk = UnsafeRawBufferPointer(rebasing: buffer[0..<length])
            if unfinished.isEmpty {
                let taken = try take(chunk, deliver)
                unfinished.append(contentsOf: chunk[taken...])
            } else {
                let bytes = unfinished + chunk
                let taken = try bytes.withUnsafeBufferPointer { whole throws(BenchmarkError) in
                    try take(UnsafeRawBufferPointer(whole), deliver)
                }
                unfinished = Array(bytes[taken...])
            }
        } while stream.hasPending
    }

    private func put(_ bytes: [UInt8]) throws(BenchmarkError) -> Bool {
        let sent = try stream.send(bytes)
        // OpenSSL must be given the rest of bytes that it has begun.
        unsent = Array(bytes[sent...])
        return true
    }

    /// Delivers the whole messages at the front of `bytes`, and returns their length in bytes.
    private func take(
        _ bytes: UnsafeRawBufferPointer,
        _ deliver: (MumbleMessage.Kind, UnsafeRawBufferPointer) throws(BenchmarkError) -> Void
    ) throws(BenchmarkError) -> Int {
        var position = 0
        while bytes.count - position >= MumbleMessage.headLength {
            let head = UnsafeRawBufferPointer(rebasing: bytes[position...])
            let kind = UInt16(bigEndian: head.loadUnaligned(as: UInt16.self))
            let length = Int(UInt32(bigEndian: head.loadUnaligned(fromByteOffset: 2, as: UInt32.self)))
            let end = MumbleMessage.headLength + length
            guard end <= head.count else { break }
            let body = UnsafeRawBufferPointer(rebasing: head[MumbleMessage.headLength..<end])
            position += end
            guard let kind = MumbleMessage.Kind(rawValue: kind) else { continue }
            guard kind != .reject, kind != .permissionDenied else {
                let reason = MumbleMessage.find(kind == .reject ? 2 : 4, in: body)?.text ?? ""
                throw BenchmarkError("mumble-server refused a request: \(kind) \(reason)")
            }
            try deliver(kind, body)
        }
        return position
    }
}
