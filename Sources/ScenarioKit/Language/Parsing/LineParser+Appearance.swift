// Icons and ringtones of providers: how a party shows itself on the screens of its account, and what these are told.
extension LineParser {
    /// Reads `show icon monkey, no ringtone`; nil: the line contains none.
    mutating func appearanceChange() throws(LineSyntaxError) -> AppearanceChange? {
        guard words.take("show") else { return nil }
        var change = AppearanceChange()
        repeat {
            let place = words.index
            if words.take("icon") {
                try set(&change.icon, .named(try mediaName("icon")), at: place)
            } else if words.take("no icon") {
                try set(&change.icon, .nothing, at: place)
            } else if words.take("ringtone") {
                try set(&change.ringtone, .named(try mediaName("ringtone")), at: place)
            } else if words.take("no ringtone") {
                try set(&change.ringtone, .nothing, at: place)
            } else {
                throw words.expected("\"icon\" or \"ringtone\" and a name, \"no icon\" or \"no ringtone\"")
            }
        } while words.takes(.comma)
        return change
    }

    /// Reads the part behind `bob's providers`.
    mutating func providers(of party: String) throws(LineSyntaxError) -> [ProviderMatcher] {
        try words.requireColon(before: "the providers, such as \"Hotline\" with icon monkey")
        guard !words.take("nothing") else { return [] }
        var providers: [ProviderMatcher] = []
        repeat { providers.append(try provider(of: party)) } while words.takes(.comma)
        return providers
    }

    private mutating func provider(of party: String) throws(LineSyntaxError) -> ProviderMatcher {
        var provider = ProviderMatcher(nil, on: words.take("former") ? .former : .present)
        provider.name = words.take(.quoted)?.text
        if provider.device == .present, words.take("on") { provider.device = .named(try device(of: party)) }
        if words.take("with") {
            repeat {
                let place = words.index
                if words.take("an icon") {
                    try set(&provider.icon, .any, at: place)
                } else if words.take("icon") {
                    try set(&provider.icon, .named(try mediaName("icon")), at: place)
                } else if words.take("a ringtone") {
                    try set(&provider.ringtone, .any, at: place)
                } else if words.take("ringtone") {
                    try set(&provider.ringtone, .named(try mediaName("ringtone")), at: place)
                } else {
                    throw words.expected("\"icon\" or \"ringtone\" and a name, \"an icon\" or \"a ringtone\"")
                }
            } while words.take("and")
        }
        guard provider.name != nil || provider.icon != nil || provider.ringtone != nil else {
            throw words.expected("a provider by name, icon or ringtone, such as \"Hotline\" with icon monkey")
        }
        return provider
    }

    private func set<Media>(_ media: inout Media?, _ value: Media, at place: Int) throws(LineSyntaxError) {
        guard media == nil else {
            let sentence = "a provider has one icon and one ringtone; this is the second one"
            throw LineSyntaxError(column: words.column(of: place), sentence: sentence)
        }
        media = value
    }

    private mutating func mediaName(_ what: String) throws(LineSyntaxError) -> String {
        try wordOrQuoted("the \(what)'s name, such as monkey")
    }
}
