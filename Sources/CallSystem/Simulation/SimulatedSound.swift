import CallAudio
import Dispatch
import Foundation
import HubClient
import HubServer
import HubWire

/// The packets of a device at a simulated hub.
final class SimulatedSound: PacketOutput, @unchecked Sendable {
    private let audio: DeviceAudio
    private weak var connection: SimulatedConnection?
    private let queue: DispatchQueue
    private let activity: ActivityCounter
    private let lock = NSLock()
    private var sender = AudioSender(maximumUnreported: .max, start: 0)

    init(_ audio: DeviceAudio, _ connection: SimulatedConnection) {
        (self.audio, self.connection) = (audio, connection)
        (queue, activity) = (connection.hub.queue, connection.hub.activity)
    }

    // MARK: Sending

    func send(_ packet: [UInt8], durationInSamples samples: Int) {
        let (outcome, bytes) = lock.withLock { sender.packet(packet, durationInSamples: samples) }
        guard outcome == .sent else { return }
        activity.begin()
        queue.async { [self] in
            if let connection, let id = connection.connection { connection.hub.send(audio: bytes, over: id) }
            activity.end()
        }
    }

    func pause(durationInSamples samples: Int) {
        lock.withLock { sender.pause(samples: samples) }
    }

    // MARK: Receiving

    /// Handles a notification, before the system does.
    func handle(_ notification: WireNotification) {
        switch notification {
        case .didActivateAudioSession(let session): lock.withLock { sender.adopt(ssrc: session.ssrc, socket: 0) }
        case .didDeactivateAudioSession: lock.withLock { sender.adopt(ssrc: nil, socket: 0) }
        case .audioSources(let sources): audio.setSources(sources)
        case .didReset:
            lock.withLock { sender.adopt(ssrc: nil, socket: 0) }
            audio.setSources([])
        default: break
        }
    }

    /// Handles a packet; RTCP reports are ignored, since the network of a simulation never stalls.
    func receive(_ bytes: [UInt8]) {
        guard let connection, bytes.count >= 2, !RTPPacket.isRTCP(secondByte: bytes[1]) else { return }
        let now = connection.hub.frameTime
        let packet = bytes.withUnsafeBytes { bytes -> ReceivedAudio? in
            let span = bytes.bindMemory(to: UInt8.self).span
            guard let packet = try? RTPPacket(parsing: span) else { return nil }
            return ReceivedAudio(packet, in: bytes, at: Instant(nanoseconds: now))
        }
        if let packet { audio.received(packet) }
    }
}

/// A clock of frames by the time of a simulated hub.
final class HubTimeTicker: FrameTicker, @unchecked Sendable {
    private weak var core: SimulatedHubCore?
    private let queue: DispatchQueue
    private let activity: ActivityCounter

    init(_ core: SimulatedHubCore, queue: DispatchQueue, activity: ActivityCounter) {
        (self.core, self.queue, self.activity) = (core, queue, activity)
    }

    func run(_ tick: @escaping @Sendable (_ now: Int64) -> Bool) {
        activity.begin()
        queue.async { [self] in
            next(tick)
            activity.end()
        }
    }

    private func next(_ tick: @escaping @Sendable (_ now: Int64) -> Bool) {
        guard let core, tick(core.frameTime) else { return }
        core.schedule(after: .milliseconds(20)) { [weak self] in self?.next(tick) }
    }
}
