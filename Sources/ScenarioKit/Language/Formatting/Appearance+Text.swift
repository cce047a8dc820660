extension AppearanceChange {
    /// The request as lines contain it.
    var text: String {
        let parts = [Self.text(icon, "icon"), Self.text(ringtone, "ringtone")].compactMap(\.self)
        return "show \(parts.joined(separator: ", "))"
    }

    private static func text(_ media: Media?, _ what: String) -> String? {
        switch media {
        case .named(let name): "\(what) \(LineFormat.word(name))"
        case .nothing: "no \(what)"
        case nil: nil
        }
    }
}

extension ProviderMatcher {
    /// The provider as an expectation names it.
    var text: String {
        var words = device == .former ? ["former"] : []
        if let name { words.append(LineFormat.quoted(name)) }
        if case .named(let device) = device { words.append("on \(device)") }
        let media = [Self.text(icon, "an icon", "icon"), Self.text(ringtone, "a ringtone", "ringtone")]
            .compactMap(\.self)
        if !media.isEmpty { words.append("with \(media.joined(separator: " and "))") }
        return words.joined(separator: " ")
    }

    private static func text(_ media: Media?, _ any: String, _ what: String) -> String? {
        switch media {
        case .named(let name): "\(what) \(LineFormat.word(name))"
        case .any: any
        case nil: nil
        }
    }
}
