import BenchmarkSupport
import Foundation
import HubClient

/// A phone's process on one of the hosts: `callhub-trials network-phone ACCOUNT URL CALLEE SEED SECONDS FILE`.
///
/// It sends and plays in real time, by the machine's clock, as a phone with a microphone would: HubClient and
/// HubMedia's jitter buffer. The audio it plays goes to the file, its diary to standard output.
enum NetworkPhone {
    /// The events of a phone's call.
    struct PhoneCallStatistics: Codable, Sendable {
        /// The time of the first frame sent and played, in nanoseconds of the machine's monotonic clock.
        var start: Int64 = 0
        var losses = 0
        var resumes = 0
        /// Calls that ended before the phone ended them, and sessions that could not be resumed.
        var ends = 0
        /// Indicates that the call was still connected at the end.
        var isConnected = false
        /// Frames that the phone could not send, since it had no connection or the path was stalled.
        var unsent = 0
        var latePackets = 0
        var concealedMilliseconds = 0
    }

    /// Runs the phone.
    static func run(_ arguments: [String]) async throws(BenchmarkError) {
        guard arguments.count == 6 else { throw BenchmarkError("network-phone: the trial \"networks\" starts it") }
        let seconds = try number(arguments[4], "seconds", 1...3_600)
        let seed = try number(arguments[3], "seed", 0...1_000)
        let audioInbox = NetworkAudioInbox()
        var options = ClientOptions()
        options.audioDelivery = .streams
        options.onAudio = { audioInbox.receive($0) }
        options.onAudioSources = { audioInbox.name($0) }
        do {
            let client = try await HubClient.connect(to: arguments[1], account: arguments[0], options: options)
            if arguments[2] != "-" { try await client.start(.generic(arguments[2])) }
            let talk = NetworkAudioThread(client, audioInbox, seed: UInt64(seed), seconds: seconds, file: arguments[5])
            say("signed in")
            for await event in client.events {
                switch event {
                case .notification(.callChanged(let call)) where call.state == .ringing:
                    try await client.answer(call.uuid)
                case .notification(.callChanged(let call)) where call.hasEnded: talk.note { $0.ends += 1 }
                case .notification(.didActivateAudioSession): talk.begin()
                case .connectionLost: talk.note { $0.losses += 1 }
                case .resumed: talk.note { $0.resumes += 1 }
                case .reset, .ended: talk.note { $0.ends += 1 }
                default: break
                }
            }
        } catch {
            throw BenchmarkError("\(arguments[0]): \(error)")
        }
    }
}
