/// A rectangle with integer coordinates, y downwards.
struct Box: Hashable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    var right: Int { x + width }
    var bottom: Int { y + height }

    /// Indicates that two rectangles share more than an edge.
    func overlaps(_ other: Box) -> Bool {
        x < other.right && other.x < right && y < other.bottom && other.y < bottom
    }

    /// Indicates that another rectangle lies within this one.
    func encloses(_ other: Box) -> Bool {
        x <= other.x && y <= other.y && right >= other.right && bottom >= other.bottom
    }
}

/// A text with its place.
struct PlacedText {
    /// The role of the text, which determines its style.
    enum Role: String {
        case title, verdict, facts, legend, heading, time, quiet, step, note, message, call
        case failureTitle, failureText
    }

    /// The point of the text that its place refers to.
    enum Anchor {
        case start, middle, end
    }

    var role: Role
    /// The displayed text.
    var text: String
    /// The whole text, for a tooltip; nil: it is not shortened.
    var whole: String?
    /// The place, which no other text overlaps.
    var box: Box
    var anchor = Anchor.start
    /// A further CSS class: `failed`, `reply`, ….
    var appearance = ""

    /// Returns the text's height for a font size.
    static func height(_ size: Int) -> Int { size + 4 }
}

extension PlacedText.Role {
    /// The font size, in pixels.
    var size: Int {
        switch self {
        case .title: 18
        case .heading, .failureTitle: 12
        case .verdict, .facts, .legend, .step, .message, .failureText: 11
        case .time, .quiet, .note: 10
        case .call: 9
        }
    }

    /// Indicates that the text is bold.
    var isBold: Bool {
        switch self {
        case .title, .verdict, .heading, .failureTitle, .call: true
        default: false
        }
    }
}
