import HubEngine

extension Assertion {
    /// The part of the line behind `expect`.
    var text: String {
        switch self {
        case .call(let deviceReference, let call, let callMatchers):
            "\(deviceReference)'s \(call) \(Self.text(callMatchers))"
        case .callCount(let deviceReference, 0): "\(deviceReference) has no calls"
        case .callCount(let deviceReference, 1): "\(deviceReference) has 1 call"
        case .callCount(let deviceReference, let count): "\(deviceReference) has \(count) calls"
        case .rings(let deviceReference): "\(deviceReference) rings"
        case .doesNotRing(let deviceReference): "\(deviceReference) does not ring"
        case .receivesNotification(let deviceReference, let matcher): "\(deviceReference) is told \(matcher.text)"
        case .receivesNoNotification(let deviceReference, let matcher): "\(deviceReference) is not told \(matcher.text)"
        case .audio(let deviceReference, let call?): "\(deviceReference)'s audio is on for \(call)"
        case .audio(let deviceReference, nil): "\(deviceReference)'s audio is off"
        case .recents(let deviceReference, let recents):
            "\(deviceReference)'s recents: \(recents.isEmpty ? "nothing" : recents.map(\.text).joined(separator: ", "))"
        case .providers(let deviceReference, let providers):
            "\(deviceReference)'s providers: "
                + (providers.isEmpty ? "nothing" : providers.map(\.text).joined(separator: ", "))
        case .directories(let deviceReference, let directories):
            "\(deviceReference)'s directories: "
                + (directories.isEmpty ? "nothing" : directories.map(\.text).joined(separator: ", "))
        case .sees(let deviceReference, let target, let presence):
            "\(deviceReference) sees \(target.text) \(presence)"
        case .hears(let deviceReference, let voices, let span):
            "\(deviceReference) hears \(LineFormat.listed(voices.map { $0.text(receivedBy: deviceReference) }))\(Self.text(span))"
        case .hearsNothing(let deviceReference, let span): "\(deviceReference) hears nothing\(Self.text(span))"
        case .neverHears(let deviceReference, let voice):
            "\(deviceReference) never heard \(voice.text(receivedBy: deviceReference))"
        case .nobodyHearsHimself: "nobody hears himself"
        case .nobodyHearsAnybody: "nobody hears anybody"
        case .either(let all): "either \(all.map(\.text).joined(separator: " or "))"
        }
    }

    private static func text(_ span: Duration?) -> String { span.map { " for \($0.text)" } ?? "" }

    private static func text(_ callMatchers: [CallMatcher]) -> String {
        if callMatchers.count == 1 {
            switch callMatchers[0] {
            case .ended, .offers, .shows, .includes, .returned, .says: return callMatchers[0].text
            default: break
            }
        }
        return "is \(callMatchers.map(\.text).joined(separator: ", "))"
    }
}

extension Voice {
    fileprivate func text(receivedBy deviceReference: DeviceReference) -> String {
        switch self {
        case .party(deviceReference.party): "himself"
        case .party(let name): name
        case .music: "music"
        case .tone: "tone"
        }
    }
}

extension CallMatcher {
    fileprivate var text: String {
        switch self {
        case .state(let state): state.rawValue
        case .groupedWith(let call): "grouped with \(call)"
        case .with(let target): "with \(target.text)"
        case .transferredBy(let target): "transferred by \(target.text)"
        case .returned(let cause): "came back\(cause.map { ": \($0.rawValue)" } ?? "")"
        case .not(let callMatcher): "not \(callMatcher.text)"
        case .heldByRemote(false): "not held by remote"
        case .ended(let reason, let cause):
            "ended: \(reason.map { "\($0)" } ?? "locally")\(cause.map { " because \($0.rawValue)" } ?? "")"
        case .offers(let choices):
            "offers \(choices.isEmpty ? "nothing" : choices.map(\.words).joined(separator: ", "))"
        case .shows(let name, let source, let title):
            "shows \(LineFormat.quoted(name))\(source.map { " from \($0.rawValue)" } ?? "")"
                + (title.map { " titled \(LineFormat.quoted($0))" } ?? "")
        case .includes(let people):
            "includes \(people.isEmpty ? "nobody" : LineFormat.listed(people.map(\.text)))"
        case .says(let message): "says \(message.map { LineFormat.quoted($0) } ?? "nothing")"
        case .active, .muted, .grouped, .video, .outgoing, .heldByRemote, .remotelyRinging, .translating:
            Keywords.callMatchers.first { $0.callMatcher == self }?.words ?? ""
        }
    }
}

extension DirectoryMatcher {
    var text: String {
        LineFormat.word(name) + (title.map { " titled \(LineFormat.quoted($0))" } ?? "")
            + (isEnabled ? "" : " disabled") + (failure.map { " failed saying \(LineFormat.quoted($0))" } ?? "")
    }
}

extension ParticipantMatcher {
    fileprivate var text: String {
        switch self {
        case .person(let target, let name): "\(target.text)\(name.map { " named \(LineFormat.quoted($0))" } ?? "")"
        case .somebody: "somebody"
        }
    }
}

extension NotificationMatcher {
    var text: String {
        switch self {
        case .notification(let name): name
        case .perform(let kind, let call): "perform \(kind.rawValue)\(call.map { " \($0)" } ?? "")"
        case .digits(let digits): "dtmf \(LineFormat.word(digits))"
        case .closing(let reason): "closing \(reason)"
        }
    }
}

extension RecentCallMatcher {
    fileprivate var text: String {
        "\(outcome.rawValue) \(isIncoming ? "from" : "to") \(other.text)\(hasVideo ? " with video" : "")"
            + (provider.map { " by \(LineFormat.quoted($0))" } ?? "") + (isSilenced ? ", silenced" : "")
    }
}
