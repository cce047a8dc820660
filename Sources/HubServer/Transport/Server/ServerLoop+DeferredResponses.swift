/// An HTTP request whose response is pending.
struct DeferredResponse {
    /// The identifier of the request for other loops.
    let requestID: HTTPRequestID
    /// True for a HEAD request, whose response has no content.
    let isHead: Bool
    /// The response, once it is available.
    var response: HTTPResponse?
}

/// HTTP requests that are answered in a later iteration of the loop, since another loop makes the response.
extension ServerLoop {
    /// Defers the response to a request until `answer(_:with:)`; meanwhile nothing is read from its socket.
    ///
    /// - Parameters:
    ///   - request: The object of the request.
    ///   - requestID: The identifier of the request that the handler was given.
    ///   - isHead: True for a HEAD request.
    /// - Returns: The result for the library: 0, to go on.
    func deferResponse(_ request: LWSRequest, _ requestID: HTTPRequestID, isHead: Bool) -> Int32 {
        deferredResponses[request] = DeferredResponse(requestID: requestID, isHead: isHead)
        request.setReading(false)
        return 0
    }

    /// Answers a deferred request, if its client is still connected.
    ///
    /// - Parameters:
    ///   - requestID: The identifier of the request.
    ///   - response: The response.
    func answer(_ requestID: HTTPRequestID, with response: HTTPResponse) {
        guard let (request, _) = deferredResponses.first(where: { $0.value.requestID == requestID }) else { return }
        deferredResponses[request]?.response = response
        // libwebsockets does not write to a socket that it does not read (rops_handle_POLLIN_h1).
        request.setReading(true)
        request.requestWritable()
    }

    /// Writes the response to a deferred request, if it is available, as the socket is writable.
    ///
    /// - Parameter request: The object of the request.
    /// - Returns: 0 while there is no response yet, -1 to close the connection behind it.
    func sendDeferredResponse(_ request: LWSRequest) -> Int32 {
        guard let deferred = deferredResponses[request], let response = deferred.response else { return 0 }
        deferredResponses[request] = nil
        return answer(request, with: response, isHead: deferred.isHead)
    }
}
