import HubEngine
import HubMedia
import HubWire

/// Packets that the hub generates itself every 20 ms: the audio of its built-in parties.
extension AudioRelay {
    /// Plays the frame of one tick of 20 ms to all listeners of a built-in party; all receive the same position.
    func play(tick: Int64, at now: Instant, tone: PreEncodedAudio, music: PreEncodedAudio) {
        forEachActiveLeg { leg, _ in
            if leg.pointee.isReportDue, !leg.pointee.playedSources.isEmpty { sendDueReport(to: leg, at: now) }
            for index in 0..<leg.pointee.playedSources.count {
                var played = leg.pointee.playedSources[index]
                switch played.source.party {
                case .tone: play(tone, as: played, at: tick, to: leg)
                case .music: play(music, as: played, at: tick, to: leg)
                case .echo: continue
                }
                // Not in place, which the compiler makes invalid code of under the thread sanitizer.
                played.sequenceNumber &+= 1
                leg.pointee.playedSources[index] = played
            }
        }
    }

    private func play(
        _ audio: PreEncodedAudio,
        as played: BuiltInSourceState,
        at tick: Int64,
        to leg: UnsafeMutablePointer<RelayLeg>
    ) {
        let packet = state.pointee.scratch
        packet[0] = 0x80
        packet[1] = 111 | (played.sequenceNumber == 0 ? 0x80 : 0)
        packet.storeBytes(of: played.sequenceNumber.bigEndian, toByteOffset: 2, as: UInt16.self)
        let timestamp = UInt32(truncatingIfNeeded: tick &* Int64(AudioFormat.samplesPerFrame))
        packet.storeBytes(of: timestamp.bigEndian, toByteOffset: 4, as: UInt32.self)
        packet.storeBytes(of: played.source.ssrc.bigEndian, toByteOffset: 8, as: UInt32.self)
        let count = audio.withPacket(at: audio.index(atNanoseconds: tick &* AudioFormat.nanosecondsPerFrame)) { bytes in
            let room = UnsafeMutableRawBufferPointer(rebasing: packet[RTPPacket.headerSize...])
            guard bytes.count <= room.count else { return 0 }
            room.copyMemory(from: bytes)
            return bytes.count
        }
        send(RTPPacket.headerSize + count, to: leg)
    }

    /// Sends the packet in the scratch memory.
    private func send(_ count: Int, to leg: UnsafeMutablePointer<RelayLeg>) {
        guard leg.pointee.connection != .none else { return }
        let packet = UnsafeRawBufferPointer(rebasing: state.pointee.scratch[..<count])
        let mayCoalesce = leg.pointee.sourceCount + leg.pointee.playedSources.count > 1
        let outcome = outlet.sendAudio(packet, to: leg.pointee.connection, kind: .played, mayCoalesce: mayCoalesce)
        if outcome == .sent || outcome == .queued { leg.pointee.quality.delivery.accepted &+= 1 }
    }

    private func forEachActiveLeg(_ body: (UnsafeMutablePointer<RelayLeg>, Int) -> Void) {
        for index in 0..<state.pointee.capacity {
            let leg = state.pointee.legs + index
            if leg.pointee.isInUse, leg.pointee.isActive { body(leg, index) }
        }
    }
}
