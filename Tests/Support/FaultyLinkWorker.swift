import Foundation

/// The state of a link, all of it for the link's thread except the queue of commands.
final class FaultyLinkWorker: @unchecked Sendable {
    /// One direction of a connection.
    struct Lane {
        var source: Int32
        var sink: Int32
        var waiting: [UInt8] = []
        /// Bytes that a slow direction holds back, and the times at which they pass.
        var late: [(due: ContinuousClock.Instant, bytes: [UInt8])] = []
        /// True if the source has closed its side.
        var hasEnded = false
        /// True if the end has been passed on to the sink.
        var isShut = false

        /// Takes received bytes: they pass at once, or after the delay, but never before others.
        mutating func take(_ bytes: [UInt8], _ slowness: FaultyLink.Slowness?, at now: ContinuousClock.Instant) {
            guard slowness != nil || !late.isEmpty else {
                waiting = bytes
                return
            }
            let bounds =
                slowness.map { ($0.delay.lowerBound / .seconds(1), $0.delay.upperBound / .seconds(1)) } ?? (0, 0)
            let before = max(late.last?.due ?? now, now)
            let passing = slowness?.bytesPerSecond.map { Double(bytes.count) / Double($0) } ?? 0
            let due = max(before, now + .seconds(Double.random(in: bounds.0...bounds.1))) + .seconds(passing)
            late.append((due, bytes))
        }

        /// Lets the bytes pass that are due.
        mutating func release(at now: ContinuousClock.Instant) {
            guard let first = late.first, first.due <= now else { return }
            waiting = first.bytes
            late.removeFirst()
        }
    }

    struct Pair {
        var toHub: Lane
        var fromHub: Lane
        var isAbandoned = false
        var isOver = false
    }

    let port: Int
    var silent: FaultyLink.Directions = []
    var slowness: (toHub: FaultyLink.Slowness?, fromHub: FaultyLink.Slowness?)
    var refuses = false
    var pairs: [Pair] = []
    var counts = FaultyLink.Counts()

    private let hubPort: Int
    private let listener: Int32
    private let wakeUpIn: Int32
    private let wakeUpOut: Int32
    private let condition = NSCondition()
    private var commands: [() -> Void] = []
    private var isStopped = false

    init(hubPort: Int) throws {
        self.hubPort = hubPort
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        self.listener = listener
        var address = Self.loopback(port: 0)
        guard listener >= 0, Self.with(&address, { bind(listener, $0, $1) }) == 0, listen(listener, 128) == 0 else {
            throw RawSocketError.connectFailed(code: errno)
        }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw RawSocketError.connectFailed(code: errno) }
        (wakeUpIn, wakeUpOut) = (ends[0], ends[1])
        for descriptor in [listener, wakeUpIn] { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    }

    // MARK: From other threads

    /// Runs a command on the link's thread, and waits for its result.
    @discardableResult
    func perform<Value: Sendable>(_ order: @escaping (FaultyLinkWorker) -> Value) -> Value {
        nonisolated(unsafe) var result: Value?
        nonisolated(unsafe) let order = order
        condition.lock()
        defer { condition.unlock() }
        commands.append { result = order(self) }
        wakeUp()
        while true {
            if let result { return result }
            condition.wait()
        }
    }

    func stop() {
        condition.withLock { commands.append { self.isStopped = true } }
        wakeUp()
    }

    private func wakeUp() {
        var byte: UInt8 = 0
        _ = write(wakeUpOut, &byte, 1)
    }

    // MARK: On the link's thread

    func run() {
        while !isStopped {
            var polls = interests()
            guard poll(&polls, nfds_t(polls.count), pollTimeout) >= 0 else { continue }
            runCommands()
            accept()
            for index in pairs.indices where !pairs[index].isOver && !pairs[index].isAbandoned {
                if !silent.contains(.toHub) { move(index, \.toHub, \.bytesToHub, slowness.toHub) }
                if !silent.contains(.fromHub) { move(index, \.fromHub, \.bytesFromHub, slowness.fromHub) }
                if pairs[index].toHub.isShut, pairs[index].fromHub.isShut { end(index) }
            }
            pairs.removeAll(where: \.isOver)
        }
        for index in pairs.indices { end(index) }
        for descriptor in [listener, wakeUpIn, wakeUpOut] { close(descriptor) }
    }

    private func interests() -> [pollfd] {
        var polls = [wakeUpIn, listener].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        for pair in pairs where !pair.isAbandoned {
            for (lane, direction) in [(pair.toHub, FaultyLink.Directions.toHub), (pair.fromHub, .fromHub)] {
                guard !silent.contains(direction), !lane.isShut else { continue }
                let isFull = !lane.waiting.isEmpty
                // The end is noticed already, and passed on when all delayed bytes have passed.
                if !isFull, lane.hasEnded { continue }
                polls.append(
                    pollfd(fd: isFull ? lane.sink : lane.source, events: Int16(isFull ? POLLOUT : POLLIN), revents: 0)
                )
            }
        }
        return polls
    }

    /// The timeout of poll(2): the milliseconds until delayed bytes are due; -1: there are none.
    private var pollTimeout: Int32 {
        var due: ContinuousClock.Instant?
        for pair in pairs where !pair.isAbandoned {
            for (lane, direction) in [(pair.toHub, FaultyLink.Directions.toHub), (pair.fromHub, .fromHub)] {
                guard !silent.contains(direction), lane.waiting.isEmpty, let first = lane.late.first else { continue }
                due = min(due ?? first.due, first.due)
            }
        }
        guard let due else { return -1 }
        return Int32(
            clamping: Int64((max(.zero, ContinuousClock.now.duration(to: due)) / .milliseconds(1)).rounded(.up))
        )
    }

    private func runCommands() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(wakeUpIn, &bytes, bytes.count) > 0 {}
        condition.withLock {
            for order in commands { order() }
            commands = []
            condition.broadcast()
        }
    }

    private func accept() {
        while true {
            let client = Foundation.accept(listener, nil, nil)
            guard client >= 0 else { return }
            counts.connections += 1
            let hub = refuses ? -1 : connectToHub()
            guard hub >= 0 else {
                Self.reset(client)
                continue
            }
            for descriptor in [client, hub] {
                _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
                var one: Int32 = 1
                _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
            }
            pairs.append(Pair(toHub: Lane(source: client, sink: hub), fromHub: Lane(source: hub, sink: client)))
        }
    }

    private func connectToHub() -> Int32 {
        let hub = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        var address = Self.loopback(port: hubPort)
        guard Self.with(&address, { connect(hub, $0, $1) }) == 0 else {
            close(hub)
            return -1
        }
        return hub
    }

    /// Moves bytes until the source has no more or the sink takes no more.
    private func move(
        _ index: Int,
        _ path: WritableKeyPath<Pair, Lane>,
        _ count: WritableKeyPath<FaultyLink.Counts, Int>,
        _ slowness: FaultyLink.Slowness?
    ) {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while !pairs[index].isOver {
            var lane = pairs[index][keyPath: path]
            defer { if !pairs[index].isOver { pairs[index][keyPath: path] = lane } }
            if lane.waiting.isEmpty { lane.release(at: .now) }
            if lane.waiting.isEmpty {
                guard !lane.hasEnded else {
                    guard lane.late.isEmpty else { return }
                    if !lane.isShut { shutdown(lane.sink, Int32(SHUT_WR)) }
                    lane.isShut = true
                    return
                }
                let received = recv(lane.source, &bytes, bytes.count, 0)
                if received == 0 {
                    lane.hasEnded = true
                    continue
                }
                guard received > 0 else { return errno == EAGAIN || errno == EINTR ? () : fail(index) }
                lane.take(Array(bytes[..<received]), slowness, at: .now)
                continue
            }
            let sent = send(lane.sink, lane.waiting, lane.waiting.count, Int32(MSG_NOSIGNAL))
            guard sent >= 0 else { return errno == EAGAIN || errno == EINTR ? () : fail(index) }
            counts[keyPath: count] += sent
            lane.waiting.removeFirst(sent)
        }
    }

    /// Resets both ends, since one was reset.
    private func fail(_ index: Int) {
        Self.reset(pairs[index].toHub.source)
        Self.reset(pairs[index].toHub.sink)
        pairs[index].isOver = true
    }

    private func end(_ index: Int) {
        close(pairs[index].toHub.source)
        close(pairs[index].toHub.sink)
        pairs[index].isOver = true
    }

    func reset(_ ends: FaultyLink.Ends) {
        for index in pairs.indices where !pairs[index].isAbandoned && !pairs[index].isOver {
            if ends == .both { fail(index) } else { resetOneEnd(index, ends) }
        }
        pairs.removeAll(where: \.isOver)
    }

    private func resetOneEnd(_ index: Int, _ ends: FaultyLink.Ends) {
        // The descriptor stays in use, as a duplicate of a pipe's end that nothing is moved through, so that its number
        // is not reused.
        let descriptor = ends.contains(.client) ? pairs[index].toHub.source : pairs[index].toHub.sink
        let copy = dup(wakeUpOut)
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        dup2(copy, descriptor)
        close(copy)
        pairs[index].isAbandoned = true
    }

    private static func reset(_ descriptor: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close(descriptor)
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func with(
        _ address: inout sockaddr_in,
        _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
