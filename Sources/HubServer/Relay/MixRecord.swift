import HubEngine

/// A listener that receives a session as part of a mix.
package struct MixedListener: Equatable, Sendable {
    /// The listening session.
    var session: SessionID
    /// The number of the loop that its connection is on.
    var loop: UInt16
    /// The number of its mixer.
    var mixer: UInt16
}

/// A list of listeners on its way from a relay to a mixer, in the order of the packets.
///
/// It travels in the ring of the packets, so that the list changes between the same two packets for the mixer and for
/// the relay. No RTP packet begins with a zero.
struct MixRecord: Equatable {
    /// The SSRC of the source.
    var ssrc: UInt32
    /// Its listeners from now on.
    var listeners: [MixedListener]
    /// Former listeners that receive the later packets unmixed.
    var draining: [MixedListener]

    init(ssrc: UInt32, listeners: [MixedListener], draining: [MixedListener]) {
        self.ssrc = ssrc
        self.listeners = listeners
        self.draining = draining
    }

    /// Parses a record; nil: the bytes are a packet.
    init?(parsing bytes: UnsafeRawBufferPointer, mixer: UInt16) {
        guard bytes.count >= Self.headBytes, bytes[0] == 0 else { return nil }
        ssrc = bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        (listeners, draining) = ([], [])
        let kept = Int(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        for (index, place) in stride(from: Self.headBytes, to: bytes.count, by: Self.listenerBytes).enumerated() {
            guard place + Self.listenerBytes <= bytes.count else { return }
            let listener = MixedListener(
                session: SessionID(
                    index: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self),
                    generation: bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                ),
                loop: bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt16.self),
                mixer: mixer
            )
            if index < kept { listeners.append(listener) } else { draining.append(listener) }
        }
    }

    /// The record as bytes.
    var bytes: [UInt8] {
        let all = listeners + draining
        var bytes = [UInt8](repeating: 0, count: Self.headBytes + Self.listenerBytes * all.count)
        bytes.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: ssrc, toByteOffset: 4, as: UInt32.self)
            bytes.storeBytes(of: UInt32(listeners.count), toByteOffset: 8, as: UInt32.self)
            for (index, listener) in all.enumerated() {
                let place = Self.headBytes + Self.listenerBytes * index
                bytes.storeBytes(of: listener.session.index, toByteOffset: place, as: UInt32.self)
                bytes.storeBytes(of: listener.session.generation, toByteOffset: place + 4, as: UInt32.self)
                bytes.storeBytes(of: listener.loop, toByteOffset: place + 8, as: UInt16.self)
            }
        }
        return bytes
    }

    private static let headBytes = 12
    private static let listenerBytes = 12
}
