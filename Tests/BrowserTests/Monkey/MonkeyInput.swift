import BrowserKit

/// An input of the monkey.
enum MonkeyInput {
    /// The place that a tap aims at.
    enum Place: String {
        /// The centre of a control.
        case control
        /// Any point of the window.
        case anywhere
        /// A point where a call had a button before: where one may appear at any moment.
        case spot
    }

    case tap(Place, isTouch: Bool)
    case type([Key])
    case openTab(Int)
    case resize(width: Int, height: Int)
    case reload
    /// No connection for some inputs.
    case loseConnection(inputs: Int)

    private static let sizes = [(360, 740), (360, 560), (844, 390), (1024, 800), (1440, 900)]
    private static let keys: [Key] = [
        "a", "d", "e", "m", "h", "k", "s", "g", "a", "d", "e", "m", "h", "k", "t", "b", "o", "x", "0", "1", "5", "9",
        "/",
        "?", "Enter", "Enter", " ", " ", "Escape", "Escape", "Tab", "Tab", "Tab", "ArrowDown", "Backspace",
    ]

    /// Draws an input.
    static func random(using random: inout MonkeyRandom) -> MonkeyInput {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<30: return .tap(.control, isTouch: Bool.random(using: &random))
        case ..<50: return .tap(.spot, isTouch: Bool.random(using: &random))
        case ..<60: return .tap(.anywhere, isTouch: Bool.random(using: &random))
        case ..<88:
            let count = Int.random(in: 1...3, using: &random)
            return .type((0..<count).map { _ in random.one(of: keys) })
        case ..<92: return .openTab(Int.random(in: 1...3, using: &random))
        case ..<96:
            let (width, height) = random.one(of: sizes)
            return .resize(width: width, height: height)
        case ..<98: return .loseConnection(inputs: Int.random(in: 1...6, using: &random))
        default: return .reload
        }
    }
}
