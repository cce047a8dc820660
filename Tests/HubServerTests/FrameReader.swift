import HubTestSupport

@testable import HubServer

/// Who reads a plain connection's frames: libwebsockets to the end of the first message, then the hub.
enum FrameReader: CaseIterable, Sendable {
    case library
    case hub
}

extension TestServer {
    /// A client that has sent nothing yet, or one whose first messages have been read and forgotten.
    ///
    /// - Parameters:
    ///   - reader: Who reads what it sends.
    ///   - receiveBufferBytes: SO_RCVBUF, for a slow reader.
    /// - Returns: The client; oversize packets of its are in the log where the hub reads it.
    /// - Throws: ``NotTakenOver``, or what a client throws.
    func client(readBy reader: FrameReader, receiveBufferBytes: Int? = nil) throws -> RawWebSocket {
        let client = try RawWebSocket(port: port, receiveBufferBytes: receiveBufferBytes)
        guard reader == .hub else { return client }
        // The kernel's two numbers may not fit on a slow machine: then the next message is another try.
        for number in 0..<ServerLoop.triesToTakeOver {
            let before = log.now.oversize.count
            try client.send(binary: [UInt8](repeating: 0, count: 1501))
            guard log.wait(for: { $0.oversize.count == before + 1 }) else {
                throw NotTakenOver(why: "message \(number) was not read")
            }
            // That it is too long is known before all of it has come.
            let deadline = Deadline(seconds: 2)
            while !deadline.isOver { if isNewestReadHere { return client } }
        }
        throw NotTakenOver(why: "not after \(ServerLoop.triesToTakeOver) messages either")
    }

    /// Whether the hub reads the connection that was opened last; asked on its loop, which has its turn in between.
    var isNewestReadHere: Bool {
        guard let id = log.now.opened.last else { return false }
        return onLoop { $0.connections.known(id)?.pointee.flags.contains(.readHere) ?? false } ?? false
    }
}

/// The library still reads a client that the hub should read.
struct NotTakenOver: Error {
    let why: String
}
