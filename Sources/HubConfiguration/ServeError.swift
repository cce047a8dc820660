/// The reason why a hub cannot start, in one sentence.
public struct ServeError: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
