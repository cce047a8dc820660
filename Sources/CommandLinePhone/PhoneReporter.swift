import CommandLineTools
import Foundation
import HubClient
import HubEngine

/// Reports events: as lines of text for people, or as one JSON object a line for scripts.
final class PhoneReporter {
    private let json: Bool
    private let program: String
    private let descriptor: Int32
    private let isTerminal: Bool
    /// Indicates that a prompt is on the last line of the terminal.
    private var hasPrompt = false
    /// Indicates that a prompt is shown after each output.
    var wantsPrompt = false

    init(json: Bool, toStandardError: Bool, program: String = "callhub phone") {
        (self.json, self.program) = (json, program)
        descriptor = toStandardError ? STDERR_FILENO : STDOUT_FILENO
        isTerminal = !json && Console.isTerminal(descriptor)
    }

    /// Reports an event: `sentence` to people, if there is one; `event` to scripts.
    func report(_ event: PhoneEvent, _ sentence: String? = nil, emphasis: Emphasis = .none) {
        if json {
            var event = event
            event.time = RFC3339.text(of: Instant(nanoseconds: Int64(Date().timeIntervalSince1970 * 1e9)))
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let line = try? encoder.encode(event) else { return }
            Console.write(String(decoding: line, as: UTF8.self) + "\n", to: descriptor)
        } else if let sentence {
            line(isTerminal ? emphasis.rawValue + sentence + (emphasis == .none ? "" : "\u{1B}[0m") : sentence)
        }
    }

    /// Reports an error.
    func failure(_ sentence: String, code: Int? = nil) {
        if json {
            report(PhoneEvent(event: "error", message: sentence, code: code))
        } else if isTerminal {
            line("\u{1B}[31m\(sentence)\u{1B}[0m")
        } else {
            Console.err("\(program): \(sentence)\n")
        }
    }

    /// Shows the prompt.
    func prompt() {
        guard wantsPrompt, isTerminal, !hasPrompt else { return }
        hasPrompt = true
        Console.write("> ", to: descriptor)
    }

    /// Notes that a line was typed, after which the cursor is on a new line.
    func promptIsUsed() { hasPrompt = false }

    private func line(_ text: String) {
        // The prompt is erased, so that the output begins at the line's start, and shown again below.
        let wipe = hasPrompt ? "\r\u{1B}[K" : ""
        hasPrompt = false
        Console.write(wipe + text + "\n", to: descriptor)
        prompt()
    }

    /// The colour of a line on a terminal.
    enum Emphasis: String {
        case none = ""
        case good = "\u{1B}[32m"
        case ringing = "\u{1B}[33m"
        case faint = "\u{1B}[2m"
    }
}

/// One line of --json; members that do not apply are left out.
struct PhoneEvent: Encodable {
    var event: String
    var time: String?
    var account: String?
    var hub: String?
    var session: String?
    /// The operated device.
    var device: String?
    /// The name of the operated device's app.
    var name: String?
    var handle: String?
    var call: PhoneCall?
    var callUUID: String?
    var calls: [PhoneCall]?
    var recents: [PhoneRecent]?
    var people: [PhonePerson]?
    var elsewhere: [PhoneCallElsewhere]?
    var callUUIDs: [String]?
    var isActive: Bool?
    var ssrc: UInt32?
    var sources: [Source]?
    var digits: String?
    var packets: Int?
    var latePackets: Int?
    var concealedMilliseconds: Int?
    var milliseconds: Double?
    var message: String?
    var code: Int?
    var reason: String?
    var until: String?
    /// The sound for those whom the user holds.
    var sound: String?
    var exit: Int32?

    /// A source of received audio.
    struct Source: Encodable {
        var ssrc: UInt32
        var call: String
        var handle: String
        var name: String

        init(_ source: AudioSource) {
            ssrc = source.ssrc
            call = source.callUUID.uuidText
            handle = source.handle.text
            name = source.name
        }
    }
}

/// A call as --json prints it.
struct PhoneCall: Encodable {
    var uuid: String
    var handle: String
    var name: String
    var isOutgoing: Bool
    var state: String
    var isOnHold: Bool
    var isMuted: Bool
    var remoteIsRinging: Bool
    var remoteIsOnHold: Bool
    var group: String?
    var endedReason: String?
    var cause: String?
    /// The text with which the other side has declined.
    var message: String?
    /// The other people in the conversation of a group.
    var participants: [Participant]?
    /// The handle of the user who has transferred the call.
    var transferredBy: String?
    /// The handle that the call was transferred to in vain.
    var cameBackFrom: String?
    /// The duration from connect to end, in seconds.
    var seconds: Double?
    var choices: [String]?

    /// A person in the conversation of a group.
    struct Participant: Encodable {
        var handle: String
        var name: String
        var nameSource: String

        init(_ participant: CallParticipant) {
            handle = participant.handle.text
            name = participant.name
            nameSource = participant.nameSource.rawValue
        }
    }

    init(_ call: CallSnapshot) {
        uuid = call.uuid.uuidText
        handle = call.remoteHandle.text
        name = call.localizedCallerName
        isOutgoing = call.isOutgoing
        state = call.state.rawValue
        isOnHold = call.isOnHold
        isMuted = call.isMuted
        remoteIsRinging = call.remoteIsRinging
        remoteIsOnHold = call.remoteIsOnHold
        group = call.group?.uuidText
        endedReason = call.endedReason.map { String(describing: $0) }
        cause = call.cause?.rawValue
        message = call.message
        participants = call.participants.isEmpty ? nil : call.participants.map(Participant.init)
        transferredBy = call.transferor?.handle.text
        cameBackFrom = call.returned?.handle.text
        seconds = call.talkSeconds
        choices = call.choices.isEmpty ? nil : call.choices.map(\.name.rawValue)
    }
}

extension CallSnapshot {
    /// The duration from connect to end, in seconds; nil if the call has not ended or never connected.
    var talkSeconds: Double? {
        guard let connectedAt, let endedAt else { return nil }
        return Double(endedAt.since(connectedAt).wholeNanoseconds) / 1e9
    }
}
