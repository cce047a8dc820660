import HubEngine

/// Where a run takes place: a hub, a clock, and lines from devices to the hub.
///
/// One thread's: a run asks, and lets time pass; what comes over the lines meanwhile it is given in its order.
protocol Stage: AnyObject {
    /// The time since the stage was set up.
    var now: Duration { get }
    /// How far apart two devices may learn of the same thing.
    var slack: Duration { get }
    /// How late a frame of sound may be.
    var lateness: Duration { get }
    /// How long what a deed has caused may be on its way when the deed is done.
    var settling: Duration { get }
    /// Whether the hub goes on when the run is over, for others: its sessions must not stay there.
    var outlivesRun: Bool { get }
    /// Begins to connect; that it is open, or has failed, comes as a happening.
    func connect(_ line: Int)
    /// Sends a message, after those before it.
    func send(_ message: LineMessage, over line: Int)
    /// Breaks a line off without a word; nothing more comes from it.
    func cut(_ line: Int)
    /// Closes a line in good order; nothing more comes from it.
    func hangUp(_ line: Int)
    /// Whether the device reads what comes over a line.
    func setReading(_ reads: Bool, _ line: Int)
    /// Lets time pass until something has come, or to a moment.
    func wait(until moment: Duration) -> [Happening]
    /// Something happens to the hub; it has happened when this returns.
    func perform(_ deed: HubDeed) throws(StageFault)
    /// The hub is stopped for so long, as on a machine that sleeps.
    func jumpClock(by duration: Duration) throws(StageFault)
    /// Whether there is a hub.
    var hasHub: Bool { get }
    /// How the hub has ended though nobody asked for that.
    ///
    /// - Parameter patience: How long it is waited for that, where a connection has just ended.
    /// - Returns: A sentence; nil: it has not, or nobody can tell.
    func unaskedEnd(patience: Duration) -> String?
    /// The run is over.
    func end()
}

/// Something that goes over a line.
enum LineMessage: Hashable, Sendable {
    /// A text message.
    case text([UInt8])
    /// A binary message.
    case audio([UInt8])

    /// How long it is.
    var byteCount: Int {
        switch self {
        case .text(let bytes), .audio(let bytes): bytes.count
        }
    }
}

/// Something that has happened on a line.
struct Happening: Hashable, Sendable {
    /// What it is.
    enum Content: Hashable, Sendable {
        /// It is open.
        case opened
        /// A message has come.
        case message(LineMessage)
        /// It is over, and why.
        case ended(String)
    }

    /// Which line's.
    var line: Int
    /// When.
    var at: Duration
    /// What.
    var content: Content
}

/// Why a stage cannot do what it is asked.
struct StageFault: Error {
    /// One sentence without a stop at its end.
    var sentence: String
}
