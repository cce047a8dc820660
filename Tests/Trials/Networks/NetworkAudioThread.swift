import BenchmarkSupport
import Foundation
import HubClient
import HubMedia
import Synchronization

/// The sending and playing side of a phone, on a thread of its own, a frame of 20 ms every 20 ms.
final class NetworkAudioThread: Sendable {
    private struct State {
        var callFigures = NetworkPhone.PhoneCallStatistics()
        var hasBegun = false
    }

    private let state = Mutex(State())
    private let client: HubClient
    private let audioInbox: NetworkAudioInbox
    private let seed: UInt64
    private let frames: Int
    private let file: String

    init(_ client: HubClient, _ audioInbox: NetworkAudioInbox, seed: UInt64, seconds: Int, file: String) {
        (self.client, self.audioInbox, self.seed, self.file) = (client, audioInbox, seed, file)
        frames = seconds * 50
    }

    /// Changes the diary that is printed at the end.
    func note(_ change: (inout sending NetworkPhone.PhoneCallStatistics) -> Void) {
        state.withLock { change(&$0.callFigures) }
    }

    /// Starts to send and play, on the first call only.
    ///
    /// When the time is over the process prints its diary and ends.
    func begin() {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else { return }
        let thread = Thread { [self] in
            do {
                try finish(try talk())
            } catch {
                say("\(error)")
                exit(2)
            }
        }
        thread.name = "talk"
        thread.start()
    }

    /// Sends and plays; returns the samples played, from the first frame on.
    private func talk() throws(MediaError) -> [Int16] {
        var pattern = SoundPattern(seed: seed)
        var encoder = try OpusEncoder()
        let mixer = StreamMixer()
        var played: Set<UInt32> = []
        var heard: [Int16] = []
        var frame = [Int16](repeating: 0, count: AudioFormat.samplesPerFrame)
        let start = Int64(monotonicNanoseconds())
        note { $0.start = start }
        for number in 0..<frames {
            sleep(until: start + Int64(number) * AudioFormat.nanosecondsPerFrame)
            let packet = try encoder.encode(pattern.next(AudioFormat.samplesPerFrame))
            if client.sendAudio(packet, durationInSamples: AudioFormat.samplesPerFrame) != .sent {
                note { $0.unsent += 1 }
            }
            let (packets, sources) = audioInbox.take()
            if sources != played { try mixer.play(only: sources) }
            played = sources
            for packet in packets { insert(packet, into: mixer) }
            let now = Int64(monotonicNanoseconds())
            frame.withUnsafeMutableBufferPointer { mixer.pull(into: $0, at: now) }
            heard += frame
        }
        note {
            $0.latePackets = mixer.latePackets
            $0.concealedMilliseconds = mixer.concealedSamples / (AudioFormat.samplesPerSecond / 1_000)
        }
        return heard
    }

    private func insert(_ packet: ReceivedAudio, into mixer: StreamMixer) {
        packet.payload.withUnsafeBytes {
            mixer.insert(
                $0,
                sequenceNumber: packet.sequenceNumber,
                timestamp: packet.timestamp,
                isMarked: packet.marker,
                source: packet.ssrc,
                at: packet.arrival.nanoseconds
            )
        }
    }

    private func finish(_ heard: [Int16]) throws {
        try heard.withUnsafeBytes { Data($0) }.write(to: URL(filePath: file))
        let isConnected = client.currentCalls.contains { $0.state == .connected }
        let callFigures = state.withLock { state in
            state.callFigures.isConnected = isConnected
            return state.callFigures
        }
        print(String(decoding: try JSONEncoder().encode(callFigures), as: UTF8.self))
        fflush(nil)
        exit(0)
    }

    private func sleep(until due: Int64) {
        var time = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, CInt(TIMER_ABSTIME), &time, nil) == EINTR {}
    }
}
