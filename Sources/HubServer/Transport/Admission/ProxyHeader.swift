import HubAccountData

/// A PROXY protocol header of version 2, by which a TCP proxy names its client (HAProxy, proxy-protocol.txt 2.2).
struct ProxyHeader: Equatable {
    /// The length of the header in bytes.
    let length: Int

    /// The client's address; nil: the proxy speaks for itself, as in a health check, or for a client without one.
    let source: IPAddress?

    /// True if the client has reached the proxy over TLS; nil: the proxy does not say.
    let isEncrypted: Bool?

    /// The state of the bytes received so far.
    enum State: Equatable {
        /// The header goes on.
        case incomplete
        /// The header is complete.
        case complete(ProxyHeader)
        /// The bytes are no header of version 2.
        case invalid
    }

    /// Parses the beginning of a connection.
    ///
    /// - Parameter bytes: The bytes received, from the first one on; those behind the header are not read.
    /// - Returns: The state; a fault as soon as a byte has it.
    static func state(of bytes: some Collection<UInt8>) -> State {
        let fixed = bytes.prefix(signature.count)
        guard fixed.elementsEqual(signature.prefix(fixed.count)) else { return .invalid }
        var head = ByteReader(Array(bytes.dropFirst(signature.count).prefix(4))[...])
        guard let command = head.byte(), let family = head.byte(), let high = head.byte(), let low = head.byte() else {
            return .incomplete
        }
        let rest = Int(high) << 8 | Int(low)
        let body = Array(bytes.dropFirst(signature.count + 4).prefix(rest))
        guard body.count == rest else { return .incomplete }
        let length = signature.count + 4 + rest
        // Of a connection of the proxy's own nothing further is defined.
        if command == Command.local { return .complete(Self(length: length, source: nil, isEncrypted: nil)) }
        guard command == Command.proxy else { return .invalid }
        do {
            var reader = ByteReader(body[...])
            let source = try address(of: family, &reader)
            return .complete(Self(length: length, source: source, isEncrypted: try encryption(&reader)))
        } catch {
            return .invalid
        }
    }

    private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10] + Array("QUIT\n".utf8)

    /// The version, 2, and the command.
    private enum Command {
        static let local: UInt8 = 0x20
        static let proxy: UInt8 = 0x21
    }

    /// A header that is not as the specification has it.
    private struct Fault: Error {}

    /// Reads the addresses and ports of both ends, of which the client's comes first; nil if it has no IP address.
    private static func address(of family: UInt8, _ reader: inout ByteReader) throws(Fault) -> IPAddress? {
        // Bytes of an address, and of both with what belongs to them: ports, or nothing beside two UNIX paths.
        let sizes: (address: Int, all: Int)
        switch family {
        case 0x00: sizes = (0, 0)
        case 0x11: sizes = (4, 12)
        case 0x21: sizes = (16, 36)
        case 0x31: sizes = (0, 216)
        default: throw Fault()
        }
        guard let bytes = reader.take(sizes.all) else { throw Fault() }
        return IPAddress(networkOrder: bytes.prefix(sizes.address))
    }

    /// Reads the fields behind the addresses: a type, a length in two bytes, and a value each.
    ///
    /// - Returns: True if the field PP2_TYPE_SSL says that the client uses TLS; nil if there is none.
    /// - Throws: `Fault` if a field goes beyond the header.
    private static func encryption(_ reader: inout ByteReader) throws(Fault) -> Bool? {
        var isEncrypted: Bool?
        while let type = reader.byte() {
            guard let high = reader.byte(), let low = reader.byte(), let value = reader.take(Int(high) << 8 | Int(low))
            else { throw Fault() }
            guard type == 0x20 else { continue }
            // Flags of the client, of which the lowest is PP2_CLIENT_SSL, and the result of the check in four bytes.
            guard value.count >= 5, let flags = value.first else { throw Fault() }
            isEncrypted = flags & 1 == 1
        }
        return isEncrypted
    }
}
