import HubWire
import Testing

/// A faulty message, and the error that the client receives.
struct Fault: CustomTestStringConvertible, Sendable {
    var message: String
    var id: RequestID?
    var code: Int
    var sentence: String

    init(_ message: String, id: RequestID? = .null, _ code: Int, _ sentence: String) {
        (self.message, self.id, self.code, self.sentence) = (message, id, code, sentence)
    }

    /// A request with faulty parameters.
    init(_ method: String, _ params: String, _ code: Int, _ sentence: String) {
        let message = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
        self.init(message, id: RequestID(1), code, sentence)
    }

    var testDescription: String { "\(code) \(message.prefix(200))" }
}
