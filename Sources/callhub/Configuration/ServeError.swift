/// The reason why a hub cannot start, in one sentence.
struct ServeError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
