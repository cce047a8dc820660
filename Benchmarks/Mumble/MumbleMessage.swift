/// A message of Mumble's control channel: two bytes of kind, four of length, then Protocol Buffers (except audio).
enum MumbleMessage {
    /// The kinds that are sent or read.
    enum Kind: UInt16 {
        case version = 0
        case udpTunnel = 1
        case authenticate = 2
        case reject = 4
        case serverSync = 5
        case channelState = 7
        case userState = 9
        case permissionDenied = 12
    }

    /// The number of bytes in front of the body.
    static let headLength = 6

    /// Returns a whole message.
    static func encode(_ kind: Kind, _ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes += withUnsafeBytes(of: kind.rawValue.bigEndian, Array.init)
        bytes += withUnsafeBytes(of: UInt32(body.count).bigEndian, Array.init)
        return bytes + body
    }

    /// The message with the client's version, 1.3.4.
    static let version = encode(.version, field(1, 0x01_0304) + field(2, "callhub-bench") + field(3, "Linux"))

    /// Returns the message that signs in, with support of Opus.
    static func authenticate(name: String, password: String) -> [UInt8] {
        encode(.authenticate, field(1, name) + field(2, password) + field(5, 1))
    }

    /// Returns the message that makes a channel below the root.
    static func makeChannel(name: String) -> [UInt8] {
        encode(.channelState, field(2, 0) + field(3, name))
    }

    /// Returns the message that enters a channel.
    static func enter(session: UInt64, channel: UInt64) -> [UInt8] {
        encode(.userState, field(1, session) + field(5, channel))
    }

    /// Returns the number or the length-delimited bytes of a field; nil if the body has no field of that number.
    static func find(_ wanted: UInt64, in body: UnsafeRawBufferPointer) -> (number: UInt64, text: String)? {
        var rest = body[...]
        while let key = varint(&rest), let value = varint(&rest) {
            var text = ""
            switch key & 7 {
            case 0:
                break
            case 2:
                guard value <= rest.count else { return nil }
                text = String(decoding: rest.prefix(Int(value)), as: UTF8.self)
                rest = rest.dropFirst(Int(value))
            default:
                return nil
            }
            if key >> 3 == wanted { return (value, text) }
        }
        return nil
    }

    private static func varint(_ rest: inout Slice<UnsafeRawBufferPointer>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7f) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    private static func field(_ number: UInt64, _ value: UInt64) -> [UInt8] {
        varint(number << 3) + varint(value)
    }

    private static func field(_ number: UInt64, _ text: String) -> [UInt8] {
        varint(number << 3 | 2) + varint(UInt64(text.utf8.count)) + Array(text.utf8)
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
