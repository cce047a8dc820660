import HubEngine
import HubMedia
import HubWire

/// Packets that the hub generates itself every 20 ms: the audio of its built-in parties, and for parties on hold.
extension AudioRelay {
    /// Plays the frame of one tick of 20 ms.
    ///
    /// All listeners of a built-in party receive the same position of its sound; hold audio has one for each listener.
    func play(tick: Int64, at now: Instant, _ sounds: BuiltInSounds) {
        forEachActiveLeg { leg, _ in
            if !leg.pointee.hold.isEmpty { playHoldAudio(to: leg, tick: tick, at: now, sounds) }
            if leg.pointee.isReportDue, !leg.pointee.playedSources.isEmpty { sendDueReport(to: leg, at: now) }
            for index in 0..<leg.pointee.playedSources.count {
                var played = leg.pointee.playedSources[index]
                switch played.source.party {
                case .tone: play(sounds.tone, as: played, at: tick, to: leg)
                case .music: play(sounds.music, as: played, at: tick, to: leg)
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
        let index = audio.index(atNanoseconds: tick &* AudioFormat.nanosecondsPerFrame)
        let count = makePacket(
            audio,
            at: index,
            ssrc: played.source.ssrc,
            sequenceNumber: played.sequenceNumber,
            tick: tick,
            opensTalkSpurt: played.sequenceNumber == 0
        )
        if send(count, to: leg) { leg.pointee.quality.delivery.accepted &+= 1 }
    }

    /// Sends the packet of hold audio that is due, which is counted apart from all others.
    private func playHoldAudio(
        to leg: UnsafeMutablePointer<RelayLeg>,
        tick: Int64,
        at now: Instant,
        _ sounds: BuiltInSounds
    ) {
        var hold = leg.pointee.hold[0]
        let position = tick &- hold.firstTick
        guard position >= 0, !hold.isAwaited else { return }
        if leg.pointee.isReportDue { sendDueReport(to: leg, at: now) }
        let audio = hold.audio == .music ? hold.music?.audio ?? sounds.music : sounds.holdTone
        let count = makePacket(
            audio,
            at: Int(truncatingIfNeeded: position % Int64(audio.count)),
            ssrc: hold.ssrc,
            sequenceNumber: UInt16(truncatingIfNeeded: position),
            tick: position,
            opensTalkSpurt: !hold.hasBegun
        )
        guard send(count, to: leg) else { return }
        state.pointee.holdPackets &+= 1
        guard !hold.hasBegun else { return }
        hold.hasBegun = true
        leg.pointee.hold[0] = hold
    }

    /// Makes an RTP packet in the scratch memory; returns its length.
    private func makePacket(
        _ audio: PreEncodedAudio,
        at index: Int,
        ssrc: UInt32,
        sequenceNumber: UInt16,
        tick: Int64,
        opensTalkSpurt: Bool
    ) -> Int {
        let packet = state.pointee.scratch
        packet[0] = 0x80
        packet[1] = 111 | (opensTalkSpurt ? 0x80 : 0)
        packet.storeBytes(of: sequenceNumber.bigEndian, toByteOffset: 2, as: UInt16.self)
        let timestamp = UInt32(truncatingIfNeeded: tick &* Int64(AudioFormat.samplesPerFrame))
        packet.storeBytes(of: timestamp.bigEndian, toByteOffset: 4, as: UInt32.self)
        packet.storeBytes(of: ssrc.bigEndian, toByteOffset: 8, as: UInt32.self)
        let count = audio.withPacket(at: index) { bytes in
            let room = UnsafeMutableRawBufferPointer(rebasing: packet[RTPPacket.headerSize...])
            guard bytes.count <= room.count else { return 0 }
            room.copyMemory(from: bytes)
            return bytes.count
        }
        return RTPPacket.headerSize + count
    }

    /// Sends the packet in the scratch memory; false: it was not accepted.
    private func send(_ count: Int, to leg: UnsafeMutablePointer<RelayLeg>) -> Bool {
        guard leg.pointee.connection != .none else { return false }
        let packet = UnsafeRawBufferPointer(rebasing: state.pointee.scratch[..<count])
        let mayCoalesce = leg.pointee.sourceCount + leg.pointee.playedSources.count > 1
        let outcome = outlet.sendAudio(packet, to: leg.pointee.connection, kind: .played, mayCoalesce: mayCoalesce)
        return outcome == .sent || outcome == .queued
    }

    private func forEachActiveLeg(_ body: (UnsafeMutablePointer<RelayLeg>, Int) -> Void) {
        for index in 0..<state.pointee.capacity {
            let leg = state.pointee.legs + index
            if leg.pointee.isInUse, leg.pointee.isActive { body(leg, index) }
        }
    }
}
