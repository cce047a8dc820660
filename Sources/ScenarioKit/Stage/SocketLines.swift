import Foundation
import HubClient

/// The sockets of a run: used on the event loop's thread, commanded and read from the run's thread.
final class SocketLines: @unchecked Sendable {
    private let loop: ClientLoop
    private let address: HubAddress
    private let inbox = NSCondition()
    private var happenings: [(line: Int, content: Happening.Content)] = []
    /// The open sockets by their connections' numbers, used on the event loop's thread only.
    private var sockets: [Int: ClientSocket] = [:]

    /// Creates connections to a hub, none of which is open.
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

    /// Drops a connection without a closing handshake.
    func cut(_ line: Int) {
        loop.post { [self] _ in sockets.removeValue(forKey: line)?.drop() }
    }

    /// Closes a connection with a closing handshake.
    func close(_ line: Int) {
        loop.post { [self] _ in sockets[line]?.close() }
    }

    func setReading(_ reads: Bool, _ line: Int) {
        loop.post { [self] _ in sockets[line]?.setReading(reads) }
    }

    /// Removes and returns the events so far; waits for the first one until a moment.
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
