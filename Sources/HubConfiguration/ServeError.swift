/// The reason why a hub cannot start, in one sentence.
public struct ServeError: Error, CustomStringConvertible {
    /// The reason, one sentence.
    public let description: String

    /// Creates an error with a sentence.
    public init(_ description: String) { self.description = description }
}
