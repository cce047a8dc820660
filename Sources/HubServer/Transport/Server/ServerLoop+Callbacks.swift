import CUV

/// The callbacks of libuv, which find the loop in their handles' data.
extension ServerLoop {
    static let callbacks = EventLoop.Callbacks(
        sweep: { withAwakenedLoop($0?.pointee.data) { $0.sweep() } },
        deadline: { withAwakenedLoop($0?.pointee.data) { $0.deadlineTimerFired() } },
        tick: { withAwakenedLoop($0?.pointee.data) { $0.tickTimerFired() } },
        wakeUp: { withAwakenedLoop($0?.pointee.data) { $0.handleWakeUp() } },
        // Does not begin an iteration: one without events is not counted.
        beforeWait: { handle in
            guard let data = handle?.pointee.data else { return }
            Unmanaged<ServerLoop>.fromOpaque(data)._withUnsafeGuaranteedRef { $0.iterationEnds() }
        }
    )
}

/// Finds the loop at the beginning of a callback, and records that it is awake.
private func withAwakenedLoop(_ data: UnsafeMutableRawPointer?, _ body: (ServerLoop) -> Void) {
    guard let data else { return }
    Unmanaged<ServerLoop>.fromOpaque(data)._withUnsafeGuaranteedRef { loop in
        loop.meter.pointee.beginIteration(at: uv_hrtime())
        body(loop)
    }
}

/// The only callback of libwebsockets, for all events.
///
/// The result 0 lets the library go on, -1 has it close the connection.
func onLibraryEvent(
    _ wsi: OpaquePointer?,
    _ reason: LWSEvent.Number,
    _ session: UnsafeMutableRawPointer?,
    _ input: UnsafeMutableRawPointer?,
    _ count: Int
) -> Int32 {
    guard let wsi, let owner = LWSContext.owner(of: wsi, reason, session) else { return 0 }
    return Unmanaged<ServerLoop>.fromOpaque(owner)._withUnsafeGuaranteedRef { loop in
        loop.meter.pointee.beginIteration(at: uv_hrtime())
        let bytes = UnsafeRawBufferPointer(start: input, count: input == nil ? 0 : count)
        return loop.handle(LWSEvent(reason, wsi), LWSSession(session), bytes)
    }
}

extension ServerLoop {
    /// Handles an event of libwebsockets.
    @inline(__always)
    fileprivate func handle(_ event: LWSEvent, _ session: LWSSession, _ input: UnsafeRawBufferPointer) -> Int32 {
        switch event {
        case .received(let fragment):
            guard let state = state(session) else { return 0 }
            assembler.receive(input, fragment, from: state, messages)
            return 0
        case .writable:
            writable(session)
            return 0
        default:
            return handleRare(event, session, input)
        }
    }

    private func handleRare(_ event: LWSEvent, _ session: LWSSession, _ input: UnsafeRawBufferPointer) -> Int32 {
        switch event {
        case .received, .writable, .other: return 0
        case .pong: pongReceived(session)
        case .established(let socket, let request): return established(socket, request, session)
        case .peerClosed: return handlePeerClose(session, payload: input)
        case .closing: socketClosing(session)
        case .closed: socketClosed(session)
        case .socketCreated: counterMemory.pointee.sockets += 1
        case .socketDestroyed(let request):
            counterMemory.pointee.sockets -= 1
            if !deferredResponses.isEmpty { deferredResponses[request] = nil }
            releaseSocket(request)
        case .upgrade(let request): return confirmUpgrade(request)
        case .requestHead(let request): return refuseInvalidRequests(request)
        case .request(let request): return answer(request)
        case .requestWritable(let request): return sendDeferredResponse(request)
        case .fileSent(let request): return close(request)
        case .rawAdopted(let request): return acceptedSocket(request)?.refusal == nil ? -1 : 0
        // Read from the socket first: unread bytes would make the close a reset, and the response be lost.
        case .rawReceived(let request): request.requestWritable()
        case .rawWritable(let request): return refuseRaw(request)
        case .requestBody: return -1
        }
        return 0
    }
}
