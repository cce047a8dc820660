/// A rectangle with whole numbers, the y downwards.
struct Box: Hashable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    var right: Int { x + width }
    var bottom: Int { y + height }

    /// Whether they have more than an edge in common.
    func overlaps(_ other: Box) -> Bool {
        x < other.right && other.x < right && y < other.bottom && other.y < bottom
    }

    /// Whether another one lies within this one.
    func holds(_ other: Box) -> Bool {
        x <= other.x && y <= other.y && right >= other.right && bottom >= other.bottom
    }
}

/// A piece of text with its place.
struct PlacedText {
    /// What it is, which decides how it looks.
    enum Role: String {
        case title, verdict, facts, legend, heading, time, quiet, step, note, message, call
        case failureTitle, failureText
    }

    /// Where the text begins, or ends.
    enum Anchor {
        case start, middle, end
    }

    var role: Role
    /// What is shown.
    var text: String
    /// All of it, for a title; nil: all is shown.
    var whole: String?
    /// The place that nothing else may take.
    var box: Box
    var anchor = Anchor.start
    /// How it looks besides: `failed`, `reply`, ….
    var look = ""

    /// The text's height for a font's size.
    static func height(_ size: Int) -> Int { size + 4 }
}

extension PlacedText.Role {
    /// The font's size.
    var size: Int {
        switch self {
        case .title: 18
        case .heading, .failureTitle: 12
        case .verdict, .facts, .legend, .step, .message, .failureText: 11
        case .time, .quiet, .note: 10
        case .call: 9
        }
    }

    /// Whether the text is bold.
    var isBold: Bool {
        switch self {
        case .title, .verdict, .heading, .failureTitle, .call: true
        default: false
        }
    }
}
