import HubClient
import HubEngine

// Requests to the hub that change calls.
extension LineParser {
    /// Reads actions separated by commas.
    mutating func actions(isRefused: Bool) throws(LineSyntaxError) -> [ScriptedAction] {
        var actions = [try action(isRefused: isRefused)]
        while words.takes(.comma) { actions.append(try action(isRefused: isRefused)) }
        return actions
    }

    /// Reads one action.
    mutating func action(isRefused: Bool) throws(LineSyntaxError) -> ScriptedAction {
        if words.take("call") { return try callAction(isRefused: isRefused) }
        if words.take("answer") { return .answer(try call()) }
        if words.take("end") {
            let call = try call()
            let isHere = words.take("here")
            if let message = try saying() { return .decline(call, saying: message, isHere: isHere) }
            return isHere ? .endHere(call) : .end(call)
        }
        if words.take("hold") { return .setHeld(try call(), true) }
        if words.take("unhold") { return .setHeld(try call(), false) }
        if words.take("mute") { return .setMuted(try call(), true) }
        if words.take("unmute") { return .setMuted(try call(), false) }
        if words.take("merge") || words.take("group") {
            let call = try call()
            try words.require("with")
            return .setGroup(call, with: try self.call())
        }
        if words.take("split") || words.take("ungroup") { return .setGroup(try call(), with: nil) }
        if words.take("key") { return try keyAction() }
        if words.take("pull") { return .pull(try call()) }
        if words.take("transfer") { return try transferAction() }
        if words.take("translate") { return try translateAction() }
        if words.take("stop translating") { return .setTranslating(try call(), false, from: nil, to: nil) }
        throw unknownAction(isRefused: isRefused)
    }

    /// Reads the part behind `call` and `calls`.
    ///
    /// A refused call is never created: without `as` its default name stays available for the next call.
    mutating func callAction(isRefused: Bool) throws(LineSyntaxError) -> ScriptedAction {
        let target = try target()
        var name: CallName?
        var isVideo = false
        while true {
            if name == nil, words.take("as") {
                name = try newCall()
            } else if !isVideo, words.take("with video") {
                isVideo = true
            } else {
                break
            }
        }
        let call = name ?? CallName(participants.nextCall)
        if name != nil || !isRefused { try self.name(call) }
        return .call(target, call, isVideo: isVideo)
    }

    private mutating func keyAction() throws(LineSyntaxError) -> ScriptedAction {
        let place = words.index
        let digits = try wordOrQuoted("digits, such as 12#")
        guard !digits.contains(where: { ",;".contains($0) }) || DialStringSegment.reading(digits) != nil else {
            throw LineSyntaxError(
                column: words.column(of: place),
                sentence: "after each pause come digits, such as 12,34;56"
            )
        }
        try words.require("on")
        return .key(digits, try call())
    }

    /// Reads the part behind `transfer`: a word that is the name of a call is that call.
    private mutating func transferAction() throws(LineSyntaxError) -> ScriptedAction {
        let call = try call()
        try words.require("to")
        let isCall = words.word().map { participants.calls.contains($0) } ?? false
        return .transfer(call, to: isCall ? .call(try self.call()) : .target(try target()))
    }

    private mutating func translateAction() throws(LineSyntaxError) -> ScriptedAction {
        let call = try call()
        let from = words.take("from") ? try wordOrQuoted("a language, such as en") : nil
        let to = words.take("to") ? try wordOrQuoted("a language, such as ko") : nil
        return .setTranslating(call, true, from: from, to: to)
    }

    /// Reads the text with which a call is declined; nil: there is none.
    mutating func saying() throws(LineSyntaxError) -> String? {
        words.take("saying") ? try quoted("a text for the caller") : nil
    }

    /// Reads a choice of a ringing call, or a swap; nil: the line contains neither.
    mutating func choice(of deviceReference: DeviceReference) throws(LineSyntaxError) -> StepAction? {
        for (phrase, choice) in Keywords.choices where words.take(phrase) {
            let call = try call()
            if choice == .decline, let message = try saying() {
                try checkIsOnlyAction(phrase)
                let action = ScriptedAction.decline(call, saying: message, isHere: false)
                return .transaction(deviceReference, [action], refusal: nil)
            }
            try checkIsOnlyAction(phrase)
            return .choose(deviceReference, choice, call)
        }
        guard words.take("swap") else { return nil }
        guard words.next != nil else { return .swap(deviceReference, nil, nil) }
        let first = try call()
        try words.require("with")
        let second = try call()
        try checkIsOnlyAction("swap")
        return .swap(deviceReference, first, second)
    }

    private func checkIsOnlyAction(_ phrase: String) throws(LineSyntaxError) {
        guard words.next?.kind == .comma else { return }
        let sentence = "\"\(phrase)\" is a transaction by itself; before a comma stands an action, such as hold A"
        throw LineSyntaxError(column: words.column, sentence: sentence)
    }

    private mutating func unknownAction(isRefused: Bool) -> LineSyntaxError {
        let isWhole = Keywords.choices.contains { words.take($0.words) } || words.take("swap")
        if isWhole {
            let sentence = "with \"cannot\" and in a list stand the actions themselves, such as hold A, answer B"
            return LineSyntaxError(column: words.column, sentence: sentence)
        }
        if words.word() == "calls" {
            return LineSyntaxError(
                column: words.column,
                sentence: "\"calls\" stands without a colon: \"alice calls bob\""
            )
        }
        guard let word = words.word() else { return words.expected("an action, such as accept A or hold A") }
        if let other = KeywordSynonyms.requests.correct(for: words) {
            let sentence =
                "\(other.synonym.quoted) is not a known request; did you mean \"\(other.correct)\"?"
            return LineSyntaxError(column: words.column, sentence: sentence)
        }
        let nearest = Suggestion.nearest(to: word, among: Self.requestVerbs)
        let ending = nearest.map { "; did you mean \($0)?" } ?? "; docs/scenarios.md has the verbs"
        return LineSyntaxError(
            column: words.column,
            sentence: "\(word.quoted) is not a known request\(ending)"
        )
    }

    /// Reads `fulfills`, `fails`, `ignores` and the answers to `provider.execute`; nil: the line has none of these.
    mutating func response(of deviceReference: DeviceReference) throws(LineSyntaxError) -> StepAction? {
        if words.take("handles the transaction") { return .executed(deviceReference, handled: true) }
        if words.take("passes the transaction on") { return .executed(deviceReference, handled: false) }
        if words.take("fulfills everything") { return .fulfillsEverything(deviceReference, true) }
        if words.take("fulfills nothing") { return .fulfillsEverything(deviceReference, false) }
        for (word, response) in [("fulfills", ActionResponse.fulfills), ("fails", .fails), ("ignores", .ignores)]
        where words.take(word) {
            let (kind, call) = (try actionKind(), try call())
            guard kind == .translate, response == .fulfills, words.take("by") else {
                return .respond(deviceReference, response, kind, call)
            }
            return .respond(deviceReference, .fulfillsBy(try translationEngine()), kind, call)
        }
        return nil
    }

    private mutating func translationEngine() throws(LineSyntaxError) -> TranslationEngine {
        guard let word = words.word(), let engine = TranslationEngine(rawValue: word) else {
            throw words.unknown("translation engine", among: TranslationEngine.allCases.map(\.rawValue))
        }
        _ = words.take(.word)
        return engine
    }

    /// Reads the name of an action in a line that fulfills, fails or expects it.
    mutating func actionKind() throws(LineSyntaxError) -> ActionKindName {
        guard let word = words.word(), let kind = ActionKindName(rawValue: word) else {
            throw words.unknown("action", among: ActionKindName.allCases.map(\.rawValue))
        }
        _ = words.take(.word)
        return kind
    }
}
