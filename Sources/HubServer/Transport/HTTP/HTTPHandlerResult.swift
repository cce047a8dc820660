/// The identifier of an HTTP request that is answered later.
package struct HTTPRequestID: Hashable, Sendable {
    /// The number of the request's loop.
    let loop: UInt16

    /// The number of the request.
    let number: UInt64
}

/// A handler's answer to an HTTP request.
enum HTTPHandlerResult: Sendable, Equatable {
    /// The response.
    case now(HTTPResponse)

    /// A response to be given by ``ServerLoop/answer(_:with:)``.
    case deferred

    /// None, as the path is not the handler's; it may be a static file.
    case unhandled
}
