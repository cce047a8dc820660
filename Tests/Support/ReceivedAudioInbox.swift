import Foundation
import HubClient
import HubEngine

/// The audio that a phone received, and the continuation that waits for more.
final class ReceivedAudioInbox: @unchecked Sendable {
    private let lock = NSLock()
    private var heard: [ReceivedAudio] = []
    private var named: (now: [AudioSource], ever: [UInt32: AudioSource]) = ([], [:])
    private var unnamed: [ReceivedAudio] = []
    private var isStray: (@Sendable (ReceivedAudio) -> Bool)?
    private var lastNumber = 0
    private var waiter: (number: Int, fits: (ReceivedAudio) -> Bool, CheckedContinuation<ReceivedAudio?, Never>)?

    func receive(_ audio: ReceivedAudio) {
        lock.withLock {
            heard.append(audio)
            let isNamed = named.now.contains { $0.ssrc == audio.ssrc }
            if !isNamed || isStray?(audio) == true { unnamed.append(audio) }
            guard let waiting = waiter, waiting.fits(audio) else { return }
            waiter = nil
            waiting.2.resume(returning: audio)
        }
    }

    func name(_ sources: [AudioSource]) {
        lock.withLock {
            named.now = sources
            for source in sources { named.ever[source.ssrc] = source }
        }
    }

    func watch(_ isStray: @escaping @Sendable (ReceivedAudio) -> Bool) { lock.withLock { self.isStray = isStray } }

    var sources: [AudioSource] { lock.withLock { named.now } }

    var namedSources: [UInt32: AudioSource] { lock.withLock { named.ever } }

    var strays: [ReceivedAudio] { lock.withLock { unnamed } }

    var all: [ReceivedAudio] { lock.withLock { heard } }

    func take() -> [ReceivedAudio] {
        lock.withLock {
            defer { heard = [] }
            return heard
        }
    }

    func next(within limit: Duration, _ fits: @escaping @Sendable (ReceivedAudio) -> Bool) async -> ReceivedAudio? {
        await withCheckedContinuation { continuation in
            let number: Int? = lock.withLock {
                if let found = heard.first(where: fits) {
                    continuation.resume(returning: found)
                    return nil
                }
                lastNumber += 1
                waiter = (lastNumber, fits, continuation)
                return lastNumber
            }
            guard let number else { return }
            Task {
                try? await Task.sleep(for: limit)
                lock.withLock {
                    guard let waiting = waiter, waiting.number == number else { return }
                    waiter = nil
                    waiting.2.resume(returning: nil)
                }
            }
        }
    }
}
