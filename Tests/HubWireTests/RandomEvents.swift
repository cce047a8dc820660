@testable import HubEngine
@testable import HubWire

// Random values of all inputs of an engine. Times have nanosecond precision.
extension SeededRandom {
    mutating func exactInstant() -> Instant {
        Instant(nanoseconds: number(-9_000_000_000_000_000_000...9_000_000_000_000_000_000))
    }

    mutating func session() -> SessionID { SessionID(index: number(0 ... .max), generation: number(0 ... .max)) }

    mutating func token() -> RequestToken { RequestToken(rawValue: flag() ? 0 : next()) }

    mutating func opening() -> SessionOpening {
        SessionOpening(
            account: text(),
            handles: list { $0.handle() },
            deviceID: text(),
            deviceName: maybe { $0.text() },
            provider: provider(),
            fulfillment: one(of: Fulfillment.allCases),
            executesTransactions: flag(),
            mayCall: flag(),
            observes: flag(),
            isAfterReset: flag(),
            isNamedInGroups: flag(),
            holdAudio: one(of: HoldAudio.allCases),
            machine: maybe { $0.text() },
            operatedDevice: maybe { $0.text() }
        )
    }

    mutating func names() -> KnownNames {
        var names = KnownNames()
        names.contact = maybe { $0.text() }
        names.directory = maybe { $0.text() }
        names.directoryTitle = maybe { $0.text() }
        return names
    }

    mutating func screeningData() -> CallerScreeningData {
        var screeningData = CallerScreeningData()
        screeningData.isBlocked = flag()
        screeningData.isBlockedByDirectory = flag()
        screeningData.doNotDisturb = flag()
        screeningData.quietDevices = Set(list { $0.text() })
        screeningData.breaksThroughDoNotDisturb = flag()
        screeningData.names = names()
        return screeningData
    }

    mutating func lookUpResult() -> LookUpResult {
        let target: LookUpResult.Target =
            switch number(0...2) {
            case 0: .account(text(), screeningData())
            case 1: .builtIn(one(of: BuiltInParty.allCases))
            default: .unknown
            }
        var result = LookUpResult(target)
        result.callerDisplayName = maybe { $0.text() }
        result.callerInvitation = maybe { $0.callLink() } ?? nil
        result.isCalleeRefused = flag()
        result.calleeNames = names()
        return result
    }

    /// A request as it came over the wire; its dates may have all their nanoseconds.
    mutating func request() -> Request {
        switch number(0...4) {
        case 0: return .fulfill(identifier(), date: maybe { $0.exactInstant() })
        case 1: return .transaction([ActionRequest(callUUID: identifier(), kind: .unknown(type: "x" + text()))])
        case 2: return .reportCallEnded(identifier(), one(of: EndReason.allCases), date: maybe { $0.exactInstant() })
        default:
            while true { if case .engine(let request) = clientRequest() { return request } }
        }
    }

    mutating func event() -> Event {
        switch number(0...10) {
        case 0: .sessionOpened(opening(), token: token())
        case 1: .sessionResumed(session(), token: token())
        case 2: .sessionLost(session())
        case 3: .sessionClosed(session())
        case 4: .request(session(), request(), token: token())
        case 5: .lookedUp(lookUpToken(), lookUpResult())
        case 6: .screened(screeningToken(), screeningData())
        case 8: .groupNaming(account: text(), isNamed: flag())
        case 9: .holdAudio(account: text(), one(of: HoldAudio.allCases))
        case 7: .endConversation(conversation(), token: token())
        default: .drain(until: exactInstant())
        }
    }

    mutating func conversation() -> ConversationID {
        ConversationID(index: number(0 ... .max), generation: number(0 ... .max))
    }

    private mutating func lookUpToken() -> LookUpToken {
        guard flag() else { return LookUpToken(conversation: conversation()) }
        return LookUpToken(
            transfer: TransferToken(
                session: session(),
                action: actionRequest(),
                request: token(),
                conversation: conversation(),
                joined: maybe { $0.conversation() }
            )
        )
    }

    private mutating func screeningToken() -> ScreeningToken {
        ScreeningToken(session: session(), callUUID: identifier(), update: update(), request: token())
    }

    mutating func entry() -> EventLogEntry {
        EventLogEntry(time: exactInstant(), number(0...9) == 0 ? .timePassed : .event(event()))
    }

    mutating func engineConfiguration() -> EngineConfiguration {
        var configuration = EngineConfiguration(seed: next())
        let times: [WritableKeyPath<EngineConfiguration, Duration>] = [
            \.ringTimeout, \.startDeadline, \.answerDeadline, \.actionDeadline, \.resumeGrace, \.softPause, \.pushWait,
        ]
        for time in times {
            let scale: Int64 = one(of: [1, 1_000_000, 1_000_000_000])
            configuration[keyPath: time] = .nanoseconds(number(0...86_400_000_000_000) / scale * scale)
        }
        configuration.maximumCallsPerDevice = number(1...1_000_000)
        return configuration
    }
}
