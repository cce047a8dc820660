/// A blind transfer that has failed, so that its call rings its transferor again (rule CH-06).
public struct ReturnedTransfer: Hashable, Sendable {
    /// The handle that the call was transferred to.
    public var handle: Handle
    /// The reason why the transfer has failed; nil: none is known.
    public var cause: EndCause?

    package init(handle: Handle, cause: EndCause?) {
        self.handle = handle
        self.cause = cause
    }
}
