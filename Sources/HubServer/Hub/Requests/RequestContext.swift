import HubEngine
import HubWire

/// The client and the ID of a request, passed along until the request is answered.
struct RequestContext {
    /// The connection of the request and of its answer.
    let connection: ConnectionID
    /// The request's ID (JSON-RPC 2.0); nil: the client expects no answer.
    let id: RequestID?
    /// The number of the request, by which a pending one is found.
    let token: RequestToken
    /// The invitation of the guest whose calls are taken for the request; nil: none are.
    var invitation: InvitationID?
    /// The number of calls that are taken of those that the invitation has left.
    var takenCalls = 0
}
