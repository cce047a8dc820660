import BenchmarkClient
import BenchmarkSupport
import Glibc

/// A connection of an attacker, which sends arbitrary bytes.
final class AttackSocket {
    /// The address of the attackers; limits by address apply to it only.
    ///
    /// Each round has its own: the used-up rate limits of one attack would make the hub refuse the next one.
    nonisolated(unsafe) static var source = "127.0.0.2"
    /// An address that the hub trusts as a proxy.
    static let proxySource = "127.0.0.3"
    /// The address of the legitimate client.
    static let legitimateSource = "127.0.0.4"

    private let stream: ByteStream
    private var reader = MessageReader()
    private var unsent: ArraySlice<UInt8> = []
    /// True until the hub has closed the connection.
    private(set) var isOpen = true
    /// The SSRC to send with, once there is an audio session.
    private(set) var ssrc: UInt32?
    /// Requests and pings that were answered.
    private(set) var answers = 0
    /// The call that rang here last.
    private(set) var ringingCall: String?
    /// True once a call has been connected.
    private(set) var isInCall = false
    /// The close code, or the way in which the socket ended; nil: it is open.
    private(set) var ending: String?

    /// Opens a WebSocket.
    ///
    /// - Parameters:
    ///   - address: The address of the hub.
    ///   - tally: The counts to add to.
    ///   - source: The address to connect from.
    ///   - receiveBuffer: SO_RCVBUF; nil: the system's.
    /// - Returns: The connection; nil: it was refused.
    static func open(
        _ address: ListeningAddress,
        _ tally: inout AttackTally,
        from source: String = source,
        receiveBuffer: Int? = nil
    ) -> AttackSocket? {
        tally.attempts += 1
        do throws(BenchmarkError) {
            let stream = try ByteStream(to: address, tls: nil, from: source, receiveBuffer: receiveBuffer)
            try OpeningHandshake.open(stream, path: "/v1", subprotocol: "callhub.v1")
            try stream.stopBlocking()
            tally.opened += 1
            return AttackSocket(stream)
        } catch {
            let words = error.description.split(separator: " ")
            let status = words.firstIndex { $0.hasPrefix("HTTP/1.1") }.map { "HTTP \(words[words.index(after: $0)])" }
            AttackTally.add(status ?? "no answer", to: &tally.refused)
            return nil
        }
    }

    /// A connected socket that has sent nothing yet.
    static func bare(_ address: ListeningAddress, _ tally: inout AttackTally) -> AttackSocket? {
        tally.attempts += 1
        do throws(BenchmarkError) {
            let stream = try ByteStream(to: address, tls: nil, from: source)
            try stream.stopBlocking()
            return AttackSocket(stream)
        } catch {
            AttackTally.add("no connection", to: &tally.refused)
            return nil
        }
    }

    private init(_ stream: ByteStream) { self.stream = stream }

    /// Sends bytes as they are.
    ///
    /// - Returns: False if the socket is full or closed.
    @discardableResult
    func send(_ bytes: [UInt8], _ tally: inout AttackTally) -> Bool {
        guard isOpen, flush(&tally) else { return false }
        unsent = bytes[...]
        tally.sent += 1
        _ = flush(&tally)
        return true
    }

    /// Sends a text message.
    @discardableResult
    func send(text: String, _ tally: inout AttackTally) -> Bool {
        send(ClientFrame.encode(.text, text.utf8), &tally)
    }

    private func flush(_ tally: inout AttackTally) -> Bool {
        while !unsent.isEmpty, isOpen {
            let count = unsent.withUnsafeBytes {
                Glibc.send(stream.descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else {
                if errno != EAGAIN { end(errno == EPIPE ? "closed" : "reset", &tally) }
                return false
            }
            unsent = unsent.dropFirst(count)
        }
        return isOpen
    }

    /// Reads the received bytes.
    ///
    /// - Parameters:
    ///   - tally: The counts to add to.
    ///   - most: Bytes that are read at most, 1 to 65,536.
    func receive(_ tally: inout AttackTally, atMost most: Int = 65_536) {
        guard isOpen else { return }
        let count = recv(stream.descriptor, Self.buffer.baseAddress, min(most, Self.buffer.count), 0)
        guard count > 0 else {
            if count == 0 { end("closed", &tally) } else if errno != EAGAIN { end("reset", &tally) }
            return
        }
        do throws(BenchmarkError) {
            try reader.read(UnsafeRawBufferPointer(rebasing: Self.buffer[..<count])) { opcode, payload in
                note(opcode, payload, &tally)
            }
        } catch {
            // A response that is no frame: HTTP, to an incomplete request.
            end(String(decoding: Self.buffer[..<min(12, count)], as: UTF8.self), &tally)
        }
    }

    private func note(_ opcode: Opcode, _ payload: UnsafeRawBufferPointer, _ tally: inout AttackTally) {
        switch opcode {
        case .text:
            tally.answers += 1
            answers += 1
            let message = ScannedMessage(payload)
            if message.kind == .refused {
                let code = message.text.split(separator: #""code":"#).dropFirst().first?.prefix {
                    $0.isNumber || $0 == "-"
                }
                AttackTally.add(String(code ?? "?"), to: &tally.errors)
            } else if message.kind == .audioActivated {
                ssrc = (try? HubMessage.read(payload))?.params?.audioSession?.ssrc
            } else if message.kind == .ringing {
                ringingCall = message.callUUID
            } else if message.kind == .connected {
                isInCall = true
            }
        case .close:
            end(payload.count > 1 ? String(UInt16(payload[0]) << 8 | UInt16(payload[1])) : "no code", &tally)
        case .pong:
            tally.answers += 1
            answers += 1
        case .binary, .ping, .continuation: break
        }
    }

    private func end(_ how: String, _ tally: inout AttackTally) {
        guard isOpen else { return }
        isOpen = false
        ending = how
        AttackTally.add(how, to: &tally.closes)
    }

    /// The receive buffer of all sockets, which are used on one thread.
    nonisolated(unsafe) private static let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: 65_536,
        alignment: 16
    )
}
