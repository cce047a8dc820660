import HubEngine

/// A running fingerprint of effects: FNV-1a over whole words, the same in every process.
public struct Digest: Hashable, Sendable {
    /// The fingerprint so far.
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ word: UInt64) {
        value = (value ^ word) &* 0x100_0000_01B3
        value ^= value >> 29
    }

    mutating func add(_ notification: Notification, to device: Int) {
        add(UInt64(device) << 8 | 1)
        switch notification {
        case .didBegin: add(1)
        case .didReset: add(2)
        case .execute(let transaction, _): add(transaction.low ^ 3)
        case .perform(_, let action, let deadline, _, let fulfilled):
            add(action.uuid.low ^ (fulfilled ? 4 : 5))
            add(UInt64(bitPattern: deadline.nanoseconds))
        case .timedOutPerforming(let action): add(action.uuid.low ^ 6)
        case .didActivateAudioSession(let audio): add(UInt64(audio.ssrc) ^ 7)
        case .didDeactivateAudioSession(let audio): add(UInt64(audio.ssrc) ^ 8)
        case .callChanged(let call): add(call, kind: 9)
        case .operated(let call): add(call, kind: 14)
        case .observed(let call): add(call.uuid.low ^ (call.isOnHold ? 10 : 11))
        case .dtmf(let call, _, _): add(call.low ^ 12)
        case .audioSources(let sources): for source in sources { add(UInt64(source.ssrc) ^ 13) }
        }
    }

    mutating func add(_ reply: Reply, to device: Int) {
        add(UInt64(device) << 8 | 2)
        switch reply {
        case .opened(let session, _, let calls): add(UInt64(session.index) << 32 | UInt64(calls.count))
        case .accepted(let transaction, _): add(transaction.low)
        case .done: add(1)
        case .ignored: add(2)
        case .configuration: add(3)
        case .pending(_, let actions): add(UInt64(actions.count) << 8 | 4)
        case .calls(let calls, _): for call in calls { add(call, kind: 5) }
        case .refused(let refusal): for byte in refusal.message.utf8 { add(UInt64(byte)) }
        }
    }

    private mutating func add(_ call: CallSnapshot, kind: UInt64) {
        add(call.uuid.low ^ kind)
        let flags = [call.hasConnected, call.isOnHold, call.isMuted, call.remoteIsOnHold, call.hasEnded, call.hasVideo]
        add(flags.reduce(0) { $0 << 1 | ($1 ? 1 : 0) })
        add(UInt64(call.participants.count) << 1 | (call.message == nil ? 0 : 1))
    }
}
