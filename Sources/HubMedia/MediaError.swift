/// What went wrong with sound: a stable code for programs and one sentence for people.
///
/// Files and codecs throw it; nothing on the hub's relay path does.
public struct MediaError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of trouble, stable across versions.
    public enum Code: String, Sendable {
        /// The operating system would not open, read or write.
        case inputOutput
        /// The data is sound of a kind that this module does not read.
        case unsupportedFormat
        /// The data is not what its name or its header says.
        case damaged
        /// The Opus library refused.
        case codec
        /// The caller asked for something outside the documented ranges.
        case invalidArgument
    }

    /// The kind of trouble.
    public let code: Code

    /// What is wrong and what would be right, in one sentence; names the file where there is one.
    public let message: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The kind of trouble.
    ///   - message: One sentence: what is wrong, what would be right.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The sentence, as it may be shown to a user.
    public var description: String { message }
}
