import Foundation
import HubClient

/// Everything that makes the phone do something, in one stream, so that one thing happens after the other.
enum PhoneInput: Sendable {
    /// The client has something to tell.
    case event(ClientEvent)
    /// The audio thread has something to tell.
    case audio(AudioNews)
    /// Somebody typed a line, or a script wrote one.
    case line(String)
    /// Standard input is at its end.
    case linesEnded
    /// The hub took what was asked.
    case accepted
    /// The hub did not take what was asked; where that was a call to be placed, which one.
    case refused(HubClientError, placing: CallUUID?)
    /// The last calls, as the hub has them, to be listed or for one to be called again.
    case recents([RecentEntry], redial: Int?)
    /// The calls on the account's other devices, of which the one that `pull` means is to come here.
    case elsewhere([ObservedCall], pull: String?)
    /// The way to the hub and back has been measured.
    case wayMeasured(Duration)
    /// Ctrl-C, or the system wants the program to end.
    case signal
    /// The time of a typed `wait` is over.
    case waited
    /// Nobody was connected within the time of --for.
    case waitedLongEnough
    /// The call has lasted as long as --for says.
    case talkedLongEnough
    /// The tail after the played file has passed.
    case tailPassed
    /// The calls were hung up some time ago.
    case goodbyeOver
}

/// Lines from standard input, on a thread of its own, since reading waits.
enum StandardInputLines {
    /// Posts each line, and then the end.
    static func read(into post: AsyncStream<PhoneInput>.Continuation) {
        let thread = Thread {
            while let line = readLine() { post.yield(.line(line)) }
            post.yield(.linesEnded)
        }
        thread.start()
    }
}
