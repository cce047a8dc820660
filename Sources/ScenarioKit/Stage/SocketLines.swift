import Foundation
import HubClient

/// The sockets of a run: made and used on the loop's thread, asked for and read on the run's own.
final class SocketLines: @unchecked Sendable {
    private let loop: ClientLoop
    private let address: HubAddress
    private let inbox = NSCondition()
    private var happenings: [(line: Int, content: Happening.Content)] = []
    /// The loop's thread alone.
    private var sockets: [Int: ClientSocket] = [:]

    /// Lines to a hub.
    init(to address: HubAddress, on loop: ClientLoop) {
        (self.address, self.loop) = (address, loop)
    }

    // MARK: On the run's thread

    func connect(_ line: Int) {
        let isPosted = loop.post { [self] loop in
            sockets[line] = loop.openSocket(line, to: address, trust: .system, owner: self)
        }
        if !isPosted { add(line, .ended(loop.failure ?? "the loop is gone")) }
    }

    func send(_ message: LineMessage, over line: Int) {
        loop.post { [self] _ in
            switch message {
            case .text(let bytes): sockets[line]?.send(text: bytes)
            case .audio(let bytes): sockets[line]?.send(binary: bytes)
            }
        }
    }

    /// Without a word.
    func cut(_ line: Int) {
        loop.post { [self] _ in sockets.removeValue(forKey: line)?.drop() }
    }

    /// In good order.
    func close(_ line: Int) {
        loop.post { [self] _ in sockets[line]?.close() }
    }

    func setReading(_ reads: Bool, _ line: Int) {
        loop.post { [self] _ in sockets[line]?.setReading(reads) }
    }

    /// What has happened by now; waits for the first to a moment.
    func happenings(until moment: Date) -> [(line: Int, content: Happening.Content)] {
        inbox.lock()
        defer { inbox.unlock() }
        while happenings.isEmpty, inbox.wait(until: moment) {}
        defer { happenings = [] }
        return happenings
    }

    private func add(_ line: Int, _ content: Happening.Content) {
        inbox.lock()
        happenings.append((line, content))
        inbox.signal()
        inbox.unlock()
    }
}

extension SocketLines: SocketOwner {
    func socketOpened(_ socket: ClientSocket) { add(socket.tag, .opened) }

    func socket(_ socket: ClientSocket, receivedText text: [UInt8]) { add(socket.tag, .message(.text(text))) }

    func socket(_ socket: ClientSocket, receivedBinary bytes: UnsafeRawBufferPointer) {
        add(socket.tag, .message(.audio(Array(bytes))))
    }

    func socketIsAlive(_ socket: ClientSocket) {}

    func socketEnded(_ socket: ClientSocket, reason: String) {
        sockets[socket.tag] = nil
        add(socket.tag, .ended(reason))
    }
}
