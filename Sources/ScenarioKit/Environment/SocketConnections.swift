import Foundation
import HubClient

/// The sockets of a run: used on the event loop's thread, commanded and read from the run's thread.
final class SocketConnections: @unchecked Sendable {
    private let loop: ClientLoop
    private let address: HubAddress
    private let inbox = NSCondition()
    private var events: [(connection: Int, content: ConnectionEvent.Content)] = []
    /// The open sockets by their connections' numbers, used on the event loop's thread only.
    private var sockets: [Int: ClientSocket] = [:]

    /// Creates connections to a hub, none of which is open.
    init(to address: HubAddress, on loop: ClientLoop) {
        (self.address, self.loop) = (address, loop)
    }

    // MARK: On the run's thread

    func connect(_ connection: Int) {
        let isPosted = loop.post { [self] loop in
            sockets[connection] = loop.openSocket(connection, to: address, trust: .system, delegate: self)
        }
        if !isPosted { add(connection, .ended(loop.failure ?? "the loop is gone")) }
    }

    func send(_ message: ConnectionMessage, over connection: Int) {
        loop.post { [self] _ in
            switch message {
            case .text(let bytes): sockets[connection]?.send(text: bytes)
            case .audio(let bytes): sockets[connection]?.send(binary: bytes)
            }
        }
    }

    /// Drops a connection without a closing handshake.
    func dropConnection(_ connection: Int) {
        loop.post { [self] _ in sockets.removeValue(forKey: connection)?.drop() }
    }

    /// Closes a connection with a closing handshake.
    func close(_ connection: Int) {
        loop.post { [self] _ in sockets[connection]?.close() }
    }

    func setReading(_ reads: Bool, _ connection: Int) {
        loop.post { [self] _ in sockets[connection]?.setReading(reads) }
    }

    /// Removes and returns the events so far; waits for the first one until a moment.
    func events(until moment: Date) -> [(connection: Int, content: ConnectionEvent.Content)] {
        inbox.lock()
        defer { inbox.unlock() }
        while events.isEmpty, inbox.wait(until: moment) {}
        defer { events = [] }
        return events
    }

    private func add(_ connection: Int, _ content: ConnectionEvent.Content) {
        inbox.lock()
        events.append((connection, content))
        inbox.signal()
        inbox.unlock()
    }
}

extension SocketConnections: ClientSocketDelegate {
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
