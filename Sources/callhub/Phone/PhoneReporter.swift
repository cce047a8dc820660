import Foundation
import HubClient
import HubEngine

/// Tells what happens: lines for people, or one JSON object a line for scripts.
final class PhoneReporter {
    private let json: Bool
    private let descriptor: Int32
    private let isTerminal: Bool
    /// Whether a prompt stands on the last line of the terminal.
    private var hasPrompt = false
    /// Whether there shall be one.
    var wantsPrompt = false

    init(json: Bool, toStandardError: Bool) {
        self.json = json
        descriptor = toStandardError ? STDERR_FILENO : STDOUT_FILENO
        isTerminal = !json && Console.isTerminal(descriptor)
    }

    /// Tells of an event: `sentence` to people, if there is one; `event` to scripts.
    func tell(_ event: PhoneEvent, _ sentence: String? = nil, emphasis: Emphasis = .none) {
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

    /// Something went wrong that ends nothing, or everything.
    func failure(_ sentence: String, code: Int? = nil) {
        if json {
            tell(PhoneEvent(event: "error", message: sentence, code: code))
        } else if isTerminal {
            line("\u{1B}[31m\(sentence)\u{1B}[0m")
        } else {
            Console.err("callhub phone: \(sentence)\n")
        }
    }

    /// Shows that a line may be typed.
    func prompt() {
        guard wantsPrompt, isTerminal, !hasPrompt else { return }
        hasPrompt = true
        Console.write("> ", to: descriptor)
    }

    /// A line was typed: the terminal is on a fresh one.
    func promptIsUsed() { hasPrompt = false }

    private func line(_ text: String) {
        // The prompt is wiped, so that what is told stands at the line's start, and comes again below.
        let wipe = hasPrompt ? "\r\u{1B}[K" : ""
        hasPrompt = false
        Console.write(wipe + text + "\n", to: descriptor)
        prompt()
    }

    /// How a line is set off, on a terminal.
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
    var handle: String?
    var call: PhoneCall?
    var callUUID: String?
    var calls: [PhoneCall]?
    var recents: [PhoneRecent]?
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
    var exit: Int32?

    /// Somebody who is heard.
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

/// A call as --json shows it.
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
    /// How long both could speak.
    var seconds: Double?
    var choices: [String]?

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
        seconds = call.talkSeconds
        choices = call.choices.isEmpty ? nil : call.choices.map(\.name.rawValue)
    }
}

extension CallSnapshot {
    /// How long both could speak; nil while they can, and if they never could.
    var talkSeconds: Double? {
        guard let connectedAt, let endedAt else { return nil }
        return Double(endedAt.since(connectedAt).wholeNanoseconds) / 1e9
    }
}
