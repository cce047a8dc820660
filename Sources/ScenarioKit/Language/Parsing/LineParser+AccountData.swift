import HubAccountData

// Changes of an account's data: settings, blocked callers, contacts, directories.
extension LineParser {
    /// Reads a change of an account's data; nil: the line contains none.
    mutating func accountDataChange() throws(LineSyntaxError) -> AccountDataChange? {
        if words.take("do not disturb") {
            return .doNotDisturb(try onOrOff(), isThisDeviceOnly: words.take("here"))
        }
        if words.take("named in groups") { return .namedInGroups(try onOrOff()) }
        if words.take("transfers of strangers") { return .transfersOfStrangers(try onOrOff()) }
        if words.take("hold audio") { return .holdAudio(try holdAudio()) }
        if words.take("listed") { return .listed(try onOrOff()) }
        if words.take("display name") { return .displayName(try quoted("a name")) }
        if words.take("block") { return .block(try target()) }
        if words.take("unblock") { return .unblock(try target()) }
        if words.take("no contact") { return .removeContact(try target()) }
        if words.take("contact") { return try contact() }
        if words.take("enable directory") { return .setDirectoryEnabled(try directoryName(), true) }
        if words.take("disable directory") { return .setDirectoryEnabled(try directoryName(), false) }
        if words.take("load directory") { return try directory() }
        if words.take("reload directory") { return .reloadDirectory(try directoryName()) }
        if words.take("cancel directory") {
            let name = try directoryName()
            return .cancelDirectoryLoad(name, message: words.take("saying") ? try quoted("a reason") : nil)
        }
        return nil
    }

    private mutating func onOrOff() throws(LineSyntaxError) -> Bool {
        let isOn = words.take("on")
        guard isOn || words.take("off") else { throw words.expected("\"on\" or \"off\"") }
        return isOn
    }

    private mutating func holdAudio() throws(LineSyntaxError) -> HoldAudioChoice {
        for choice in HoldAudioChoice.allCases where words.take(choice.rawValue) { return choice }
        throw words.expected("\"music\", \"tone\", \"silence\" or \"hub\"")
    }

    private mutating func contact() throws(LineSyntaxError) -> AccountDataChange {
        let target = try target()
        try words.require("named")
        let name = try quoted("a name")
        var isFavorite = false
        var breaksThrough = false
        while words.takes(.comma) {
            if words.take("favorite") {
                isFavorite = true
            } else if words.take("breaks through") {
                breaksThrough = true
            } else {
                throw words.expected("\"favorite\" or \"breaks through\"")
            }
        }
        return .contact(target, name: name, isFavorite: isFavorite, breaksThrough: breaksThrough)
    }

    private mutating func directoryName() throws(LineSyntaxError) -> String {
        try wordOrQuoted("the directory's name, such as numbers")
    }

    private mutating func directory() throws(LineSyntaxError) -> AccountDataChange {
        let name = try directoryName()
        let title = words.take("titled") ? try quoted("a title") : nil
        try words.requireColon(before: "entries, such as block 1234, 1111 is \"Operator\"")
        var blocking: [Int64] = []
        var labels: [AccountDataChange.Label] = []
        guard !words.take("nothing") else { return .loadDirectory(name, title: title, blocking: [], labels: []) }
        repeat {
            if words.take("block") {
                blocking.append(try telephoneNumber())
            } else {
                let number = try telephoneNumber()
                try words.require("is")
                labels.append(AccountDataChange.Label(number: number, label: try quoted("a label")))
            }
        } while words.takes(.comma)
        return .loadDirectory(name, title: title, blocking: blocking, labels: labels)
    }

    /// Reads the part behind `bob's directories`.
    mutating func directories() throws(LineSyntaxError) -> [DirectoryMatcher] {
        try words.requireColon(before: "the directories, such as numbers titled \"Acme\", disabled")
        guard !words.take("nothing") else { return [] }
        var directories: [DirectoryMatcher] = []
        repeat {
            var directory = DirectoryMatcher(try directoryName())
            if words.take("titled") { directory.title = try quoted("a title") }
            directory.isEnabled = !words.take("disabled")
            if words.take("failed saying") { directory.failure = try quoted("a reason") }
            directories.append(directory)
        } while words.takes(.comma)
        return directories
    }

    private mutating func telephoneNumber() throws(LineSyntaxError) -> Int64 {
        guard let word = words.word(), let number = Self.digits(word[...], atMost: 18) else {
            throw words.expected("a number of at most 18 digits, such as 4912345, or \"block\" and a number")
        }
        _ = words.take(.word)
        return Int64(number)
    }
}
