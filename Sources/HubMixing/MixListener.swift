/// The identity of a listener at a mixer, chosen by its owner.
package struct ListenerID: Hashable, Sendable {
    /// The number.
    package let number: UInt64

    /// Creates an identity.
    package init(_ number: UInt64) { self.number = number }
}

/// A listener's end of a mix: the bus that it is on, and the numbers of its RTP stream.
final class MixListener {
    let id: ListenerID
    /// The bus whose packets the listener receives.
    var bus: MixBus?
    /// The number of edges that end here.
    var edgeCount = 0
    /// The sequence number of the next packet.
    var sequenceNumber: UInt16 = 0
    /// True if the next packet opens a talk spurt.
    var startsTalkSpurt = true
    /// The number of the last frame in which it had sources, or a rest of them.
    var usedAt: Int64 = 0
    /// The set of the sources in the present frame.
    var sources = SourceSet()

    init(_ id: ListenerID) { self.id = id }
}

/// A set of sources, for comparisons: the number of its members and the sum of their marks.
struct SourceSet: Hashable {
    private(set) var count = 0
    private(set) var sum: UInt64 = 0

    mutating func insert(_ source: SourceStream) {
        count += 1
        sum &+= source.mark
    }
}
