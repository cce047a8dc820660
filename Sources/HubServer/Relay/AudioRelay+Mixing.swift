import HubEngine

/// The lists of listeners that a relay gives to the mixers.
extension AudioRelay {
    /// Gives the mixers a sender's listeners if they have changed, in front of the sender's next packet.
    func notifyMixers(of leg: UnsafeMutablePointer<RelayLeg>, at now: Instant) {
        let former = leg.pointee.mixedBefore.elements
        let listeners = leg.pointee.isActive ? leg.pointee.mixedListeners.elements : []
        let (formerSSRC, ssrc) = (leg.pointee.ssrcMixedBefore, leg.pointee.ssrc)
        let isNewStream = formerSSRC != ssrc
        guard former != listeners || (isNewStream && !listeners.isEmpty) else { return }
        for mixer in Set((former + listeners).map(\.mixer)) {
            if isNewStream, former.contains(where: { $0.mixer == mixer }) {
                write(MixRecord(ssrc: formerSSRC, listeners: [], draining: []), to: mixer, at: now)
            }
            let present = listeners.filter { $0.mixer == mixer }
            let draining = former.filter { former in
                former.mixer == mixer && !isNewStream && !present.contains { $0.session == former.session }
                    && leg.pointee.hasSink(former.session)
            }
            guard !isNewStream || !present.isEmpty else { continue }
            write(MixRecord(ssrc: ssrc, listeners: present, draining: draining), to: mixer, at: now)
        }
        leg.pointee.mixedBefore = OwnedBuffer(listeners)
        leg.pointee.ssrcMixedBefore = ssrc
    }

    /// Writes a record to a mixer, or keeps it for the next tick if the mixer lags.
    private func write(_ record: MixRecord, to mixer: UInt16, at now: Instant) {
        state.pointee.unsentMixRecords.append((mixer, record.bytes))
        sendMixRecords(at: now)
    }

    /// Writes the records that the mixers had no room for, in their order.
    func sendMixRecords(at now: Instant) {
        guard !state.pointee.unsentMixRecords.isEmpty else { return }
        var unsent: [(mixer: UInt16, bytes: [UInt8])] = []
        for (mixer, bytes) in state.pointee.unsentMixRecords {
            let mayBeSent = !unsent.contains { $0.mixer == mixer }
            let isSent = mayBeSent && bytes.withUnsafeBytes { crossLoopLink.send($0, toMixer: mixer, at: now) }
            if !isSent { unsent.append((mixer, bytes)) }
        }
        state.pointee.unsentMixRecords = unsent
    }
}

extension RelayLeg {
    /// Indicates that a listener receives this session as part of a mix.
    func isMixed(for session: SessionID) -> Bool {
        for index in 0..<mixedListeners.count where mixedListeners[index].session == session { return true }
        return false
    }

    /// Indicates that a listener receives this session's packets unchanged.
    func hasSink(_ session: SessionID) -> Bool {
        for index in 0..<sinkCount where sink(index).session == session { return true }
        return false
    }
}
