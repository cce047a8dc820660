import CLibWebSockets

/// An HTTP request that waits for its answer.
struct LateAnswer {
    /// What others know it by.
    let ticket: HTTPTicket
    /// Whether only the head is wanted.
    let isHead: Bool
    /// The answer, once it is there.
    var response: HTTPResponse?
}

/// HTTP requests that are answered on a later turn of the loop, since another loop knows the answer.
extension ServerLoop {
    /// Has a request wait for `answer(_:with:)`; meanwhile nothing is read from its socket.
    ///
    /// - Parameters:
    ///   - wsi: Who asks.
    ///   - ticket: What the handler was told.
    ///   - isHead: Whether only the head is wanted.
    /// - Returns: For the library: 0 goes on.
    func keepWaiting(_ wsi: OpaquePointer, _ ticket: HTTPTicket, isHead: Bool) -> Int32 {
        lateAnswers[wsi] = LateAnswer(ticket: ticket, isHead: isHead)
        lws_rx_flow_control(wsi, 0)
        return 0
    }

    /// Answers a request that was to be answered later; one whose client has gone is forgotten.
    ///
    /// - Parameters:
    ///   - ticket: Which one.
    ///   - response: The answer.
    func answer(_ ticket: HTTPTicket, with response: HTTPResponse) {
        guard let (wsi, _) = lateAnswers.first(where: { $0.value.ticket == ticket }) else { return }
        lateAnswers[wsi]?.response = response
        // A socket that is not read is not written to either (rops_handle_POLLIN_h1).
        lws_rx_flow_control(wsi, 1)
        lws_callback_on_writable(wsi)
    }

    /// The socket of a request takes bytes: writes the answer that has come.
    ///
    /// - Parameter wsi: Who asks.
    /// - Returns: 0 while there is no answer yet, -1 to close the connection behind it.
    func answerLate(_ wsi: OpaquePointer) -> Int32 {
        guard let late = lateAnswers[wsi], let response = late.response else { return 0 }
        lateAnswers[wsi] = nil
        return answer(wsi, with: response, isHead: late.isHead)
    }
}
