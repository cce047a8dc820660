import CallAudio
import CommandLineTools
import Foundation
import HubAccountData
import HubClient
import HubEngine
import HubWire

/// An input of the phone's main loop, from one stream, so that inputs are handled in order.
enum PhoneInput: Sendable {
    /// An event of the client.
    case event(ClientEvent)
    /// A message of the audio thread.
    case audio(CallAudioEvent)
    /// A line was typed, or written by a script.
    case line(String)
    /// A line that cannot be read, as a sentence.
    case unreadableLine(String)
    /// Standard input is at its end.
    case linesEnded
    /// The hub accepted a request.
    case accepted
    /// The hub refused a request; if it was to place a call, with the call's UUID.
    case refused(HubClientError, placing: CallUUID?)
    /// The recent calls from the hub, to be listed or to redial one of them.
    case recents([RecentEntry], redial: Int?)
    /// The calls on the account's other devices, to pull one of them.
    case elsewhere([ObservedCall], pull: String?)
    /// The people of the house from the hub, and whether there are more of them.
    case people([Person], isCut: Bool)
    /// The end until which the quiet hours do not apply; nil: there are none at present.
    case quietHoursSkipped(until: Instant?)
    /// The hub has stored the sound for those whom the user holds.
    case holdAudioChosen(HoldAudioChoice)
    /// The providers of an operator's account.
    case providers([ListedProvider])
    /// The round-trip time to the hub.
    case roundTripMeasured(Duration)
    /// Ctrl-C, or another signal to end.
    case signal
    /// The effect of a script's line has not come in time; with its number.
    case effectTimedOut(Int)
    /// The time of a typed `wait` is over.
    case waited
    /// The time of --for has passed since the call's begin, or the phone's.
    case waitedLongEnough
    /// The call has lasted for the time of --for.
    case talkedLongEnough
    /// The tail after the played file has passed.
    case tailPassed
    /// The time for the hung-up calls to end has passed.
    case hangUpTimedOut
}

/// Reads lines from standard input on a thread of its own, since reading blocks.
enum StandardInputLines {
    /// Posts each line, and then the end of the input.
    static func read(into post: AsyncStream<PhoneInput>.Continuation) {
        let thread = Thread {
            while let input = next() { post.yield(input) }
            post.yield(.linesEnded)
        }
        thread.start()
    }

    /// Not `readLine`: who waits in it has stdio's lock of standard input, for which exit(3) waits from glibc 2.41 on.
    private static func next() -> PhoneInput? {
        do throws(CommandFailure) {
            return try Terminal.line().map { .line($0) }
        } catch {
            return .unreadableLine(error.message)
        }
    }
}
