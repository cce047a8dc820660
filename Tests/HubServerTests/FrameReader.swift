import HubTestSupport

@testable import HubServer

/// The reader of a plain connection's frames: libwebsockets to the end of the first message, then the hub.
enum FrameReader: CaseIterable, Sendable {
    case library
    case hub
}

extension TestServer {
    /// Connects a client; with `hub`, it first sends oversize messages until the hub reads its frames.
    ///
    /// - Parameters:
    ///   - reader: The reader of the frames that it sends from then on.
    ///   - receiveBufferBytes: The client's SO_RCVBUF in bytes, for a slow reader; nil: the system's default.
    /// - Returns: The client; with `hub`, the log already has its oversize packets.
    /// - Throws: ``NotTakenOver``; the errors of ``RawWebSocket``.
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

    /// True if the hub reads the connection opened last; a job on its loop finds out, so that the loop runs.
    var isNewestReadHere: Bool {
        guard let id = log.now.opened.last else { return false }
        return onLoop { $0.connections.known(id)?.pointee.flags.contains(.readHere) ?? false } ?? false
    }
}

/// The error that libwebsockets still reads a client that the hub should read.
struct NotTakenOver: Error {
    let why: String
}
