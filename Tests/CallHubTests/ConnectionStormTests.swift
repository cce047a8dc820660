import Foundation
import HubClient
import HubTestSupport
import Testing

/// Tests of ten thousand connections opened and dropped.
///
/// The hub is a process of its own, so that its memory can be measured.
struct ConnectionStormTests {
    private let folder: TemporaryFolder
    private let program: Program
    private let port: Int

    init() async throws {
        folder = try TemporaryFolder()
        let settings = """
            {
              listen: { port: 0 },
              session: { resumeGraceSeconds: 1, handshakeTimeoutSeconds: 5, signInTimeoutSeconds: 5 },
              log: { level: "error" },
            }
            """
        let file = try folder.write(settings, to: "callhub.json5")
        program = try Program(["serve", "--config", file], in: folder)
        let line = try await program.line(with: "127.0.0.1:")
        port = try #require(line.firstMatch(of: /127\.0\.0\.1:([0-9]+)/).flatMap { Int($0.1) })
    }

    @Test func `ten thousand connections leak no resources and disturb no call`() async throws {
        let port = port
        let dora = try await TestPhone.connect(port: port, "dora") { options in
            // Packets held back while the machine stalls would count as lost without a fault of the hub.
            options.timing.maximumUnreportedPackets = .max
        }
        let emil = try await TestPhone.connect(port: port, "emil")
        try await dora.client.start(.generic("emil"))
        try await emil.client.answer(try await emil.ringing().uuid)
        try await emil.activation()
        try await dora.call("is connected") { $0.state == .connected }
        let talk = NumberedAudioSender(dora.client)
        // The pauses let the call continue; without them ten thousand connections would test the machine.
        let breathe: @Sendable () -> Void = {
            let count = emil.heard.count
            let deadline = Deadline(seconds: 1)
            while emil.heard.count == count, !deadline.isOver { usleep(1_000) }
        }
        // The first round grows the hub's memory, and its allocator's, to the size that so many connections need.
        let sizes = try await blocking {
            try (0..<5).map { _ in
                let connections = try Self.open(2_500, port: port, afterEachBatch: breathe)
                Self.drop(connections, afterEachBatch: breathe)
                return try Self.residentBytesWhenQuiet(port: port)
            }
        }
        // The call has recovered when packets of a whole turn after the storm arrive.
        let calm = talk.count
        try await emil.hears("Dora after the storm") {
            (NumberedAudioSender.number(in: $0.payload) ?? 0) > calm + 10
        }
        let said = talk.stop()
        try await dora.settle()
        try await emil.settle()
        let heard = Set(emil.takeReceivedAudio().compactMap { NumberedAudioSender.number(in: $0.payload) })
        let missing = said.indices.filter { !heard.contains($0) }
        let stopped = said.indices.filter { said[$0].outcome != .sent }
        let page = String(decoding: try HTTPReply.fetch("/metrics", port: port).body, as: UTF8.self)
        let drops = page.split(separator: "\n").filter { $0.hasPrefix("callhub_audio_packets") && !$0.hasSuffix(" 0") }
        // A machine that gives sender or hub no time for half a second makes packets late, and no other loss.
        let late = drops.first { $0.contains("\"late\"") }.flatMap { Int($0.split(separator: " ").last ?? "") } ?? 0
        #expect(missing.count <= late, "not received: \(missing); held back: \(stopped); \(drops)")
        #expect(heard.count > said.count / 2, "\(late) of \(said.count) packets were late")
        let growth = (sizes[4] - sizes[0]) / 1_024
        // Sanitizers keep freed memory, or its history, for a while.
        let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
        #expect(growth < 4_096 || isSanitized, "ten thousand connections may not cost 4 MB for good: \(sizes)")
    }

    /// Opens connections in all stages of their life, in batches, so that hub and test work at the same time.
    private static func open(_ count: Int, port: Int, afterEachBatch breathe: () -> Void) throws -> [Int32] {
        let request = Array(
            ("GET /v1 HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n").utf8
        )
        let last: [[UInt8]] = [
            [],  // nothing after the sign-in
            Array(RawWebSocket.bytes(opcode: 1, Array(repeating: 0x20, count: 60_000)).prefix(30_000)),
            Array(RawWebSocket.bytes(opcode: 2, Array(repeating: 0x80, count: 300)).prefix(100)),
            RawWebSocket.bytes(opcode: 1, [0x7B], isFinal: false),
            text("transaction.request", "{\"actions\":[\(start("music"))]}"),
        ]
        var all: [Int32] = []
        while all.count < count {
            let batch = try (0..<min(80, count - all.count)).map { _ in try connection(port: port) }
            for (number, descriptor) in batch.enumerated() where number % 8 > 0 {
                put(number % 8 == 1 ? Array(request.prefix(70)) : request, descriptor)
            }
            for (number, descriptor) in batch.enumerated() where number % 8 > 2 {
                take(descriptor)
                put(text("session.open", "{\"account\":\"a\(all.count + number)\"}"), descriptor)
            }
            for (number, descriptor) in batch.enumerated() where number % 8 > 3 {
                take(descriptor)
                put(last[number % 8 - 3], descriptor)
            }
            all += batch
            breathe()
        }
        return all
    }

    private static func text(_ method: String, _ params: String) -> [UInt8] {
        let text = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\",\"params\":\(params)}"
        return RawWebSocket.bytes(opcode: 1, Array(text.utf8))
    }

    private static func start(_ party: String) -> String {
        "{\"type\":\"start\",\"callUUID\":\"\(UUID().uuidString)\",\"handle\":{\"type\":\"generic\",\"value\":\"\(party)\"}}"
    }

    /// Connects and returns a plain descriptor, since an object for each of ten thousand takes time.
    private static func connection(port: Int) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw RawSocketError.connectFailed(code: errno) }
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        return descriptor
    }

    private static func put(_ bytes: [UInt8], _ descriptor: Int32) {
        if !bytes.isEmpty { _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
    }

    private static func take(_ descriptor: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 8_192, alignment: 8) {
            _ = recv(descriptor, $0.baseAddress, $0.count, 0)
        }
    }

    /// Drops connections by a reset, which leaves no port in TIME_WAIT; some after a close frame, some half-closed.
    private static func drop(_ connections: [Int32], afterEachBatch breathe: () -> Void) {
        let close = RawWebSocket.bytes(opcode: 8, [0x03, 0xE8])
        for (number, descriptor) in connections.enumerated() {
            switch number / 8 % 16 {
            case 0: put(close, descriptor)
            case 1: shutdown(descriptor, Int32(SHUT_WR))
            default: break
            }
            var linger = linger(l_onoff: 1, l_linger: 0)
            _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            Foundation.close(descriptor)
            if number % 80 == 0 { breathe() }
        }
    }

    private static func residentBytesWhenQuiet(port: Int) throws -> Int {
        let deadline = Deadline(seconds: 30)
        while !deadline.isOver {
            let page = String(decoding: try HTTPReply.fetch("/metrics", port: port).body, as: UTF8.self)
            let numbers = Dictionary(
                uniqueKeysWithValues: page.split(separator: "\n").compactMap { line -> (Substring, Int)? in
                    let words = line.split(separator: " ")
                    guard words.count == 2, let number = Int(words[1]) else { return nil }
                    return (words[0], number)
                }
            )
            let isQuiet =
                numbers["callhub_connections"] == 2 && numbers["callhub_sessions"] == 2
                && numbers["callhub_calls{state=\"connected\"}"] == 2 && numbers["callhub_conversations"] == 1
            if isQuiet { return numbers["process_resident_memory_bytes"] ?? 0 }
            usleep(5_000)
        }
        throw RawSocketError.timedOut
    }
}
