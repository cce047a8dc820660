/// An error of an audio file or codec: a stable code for programs and one sentence for people.
///
/// Files and codecs throw it; nothing on the hub's relay path does.
public struct MediaError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of error, stable across versions.
    public enum Code: String, Sendable {
        /// The operating system failed to open, read or write.
        case inputOutput
        /// The data is audio of a kind that this module does not read.
        case unsupportedFormat
        /// The data does not match its name or header.
        case damaged
        /// The Opus library reported an error.
        case codec
        /// An argument is outside its documented range.
        case invalidArgument
    }

    /// The kind of error.
    public let code: Code

    /// One sentence: what is wrong and what would be right; it names the file if there is one.
    public let message: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - message: One sentence: the fault, and the valid alternative.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The sentence, as it may be shown to a user.
    public var description: String { message }
}
