import HubWire

@testable import HubEngine

// Random values of everything that goes over the wire. Dates are whole milliseconds: the wire has no more.
extension SeededRandom {
    mutating func identifier<Kind>() -> Identifier<Kind> { Identifier(high: next(), low: next()) }

    mutating func instant() -> Instant {
        Instant(nanoseconds: number(-4_000_000_000_000...9_000_000_000_000) * 1_000_000)
    }

    mutating func handle() -> Handle {
        Handle(type: one(of: Handle.HandleType.allCases), value: "x" + text())
    }

    mutating func provider() -> ProviderConfiguration {
        var provider = ProviderConfiguration()
        provider.maximumCallGroups = number(1...1_000)
        provider.maximumCallsPerCallGroup = number(1...1_000)
        provider.includesCallsInRecents = flag()
        provider.supportsVideo = flag()
        provider.supportedHandleTypes = Handle.HandleType.allCases.filter { _ in flag() }
        provider.ringtoneSound = maybe { $0.text() }
        provider.localizedName = maybe { $0.text() }
        return provider
    }

    mutating func actionKind() -> ActionKind {
        switch one(of: ActionType.allCases) {
        case .start:
            .start(
                handle: handle(),
                isVideo: flag(),
                contactIdentifier: maybe { $0.text() },
                isExternal: flag()
            )
        case .answer: .answer
        case .end: one(of: [.end, .endHere, .decline(message: message(), onlyHere: flag())])
        case .pull: .pull
        case .transfer: .transfer(to: flag() ? .call(identifier()) : .handle(handle()))
        case .setHeld: .setHeld(flag())
        case .setMuted: .setMuted(flag())
        case .setGroup: .setGroup(with: maybe { $0.identifier() })
        case .playDTMF: .playDTMF(digits: text(), type: one(of: DTMFType.allCases))
        case .setTranslating:
            .setTranslating(flag(), localLanguage: maybe { $0.text() }, remoteLanguage: maybe { $0.text() })
        }
    }

    mutating func actionRequest() -> ActionRequest {
        ActionRequest(uuid: maybe { $0.identifier() }, callUUID: identifier(), kind: actionKind())
    }

    mutating func action() -> Action {
        Action(uuid: identifier(), callUUID: identifier(), kind: actionKind())
    }

    mutating func update() -> CallUpdate {
        var update = CallUpdate()
        update.remoteHandle = maybe { $0.handle() }
        update.localizedCallerName = maybe { $0.text() }
        update.supportsHolding = maybe { $0.flag() }
        update.supportsGrouping = maybe { $0.flag() }
        update.supportsUngrouping = maybe { $0.flag() }
        update.supportsDTMF = maybe { $0.flag() }
        update.hasVideo = maybe { $0.flag() }
        return update
    }

    mutating func capabilities() -> CallCapabilities {
        var capabilities = CallCapabilities()
        capabilities.supportsHolding = flag()
        capabilities.supportsGrouping = flag()
        capabilities.supportsUngrouping = flag()
        capabilities.supportsDTMF = flag()
        return capabilities
    }

    mutating func snapshot() -> CallSnapshot {
        CallSnapshot(
            uuid: identifier(),
            isOutgoing: flag(),
            state: one(of: [.starting, .connecting, .ringing, .connected, .held, .ended]),
            hasConnected: flag(),
            remoteHandle: handle(),
            localizedCallerName: text(),
            nameSource: nameSource(),
            directoryTitle: maybe { $0.text() },
            invitation: maybe { $0.callLink() } ?? nil,
            invitationName: maybe { $0.text() },
            isMuted: flag(),
            isOnHold: flag(),
            group: maybe { $0.identifier() },
            hasVideo: flag(),
            capabilities: capabilities(),
            remoteIsRinging: flag(),
            remoteIsOnHold: flag(),
            isTranslating: flag(),
            translationEngine: maybe { $0.one(of: TranslationEngine.allCases) },
            isExternal: flag(),
            mustReport: flag(),
            startedAt: maybe { $0.instant() },
            startedConnectingAt: maybe { $0.instant() },
            connectedAt: maybe { $0.instant() },
            endedAt: maybe { $0.instant() },
            endedReason: maybe { $0.one(of: EndReason.allCases) },
            cause: maybe { $0.one(of: EndCause.allCases) },
            choices: list { random in
                Choice(
                    name: random.one(of: [.accept, .decline, .holdAndAccept, .endAndAccept, .endHeldAndAccept]),
                    actions: random.list { $0.actionRequest() }
                )
            },
            participants: list { $0.participant() },
            transferor: maybe { $0.participant() },
            returned: maybe { random in
                ReturnedTransfer(handle: random.handle(), cause: random.maybe { $0.one(of: EndCause.allCases) })
            },
            message: maybe { $0.message() }
        )
    }

    private mutating func nameSource() -> CallSnapshot.NameSource {
        one(of: [.caller, .contact, .directory, .handle, .hidden])
    }

    private mutating func participant() -> CallParticipant {
        flag() ? .hidden : CallParticipant(handle: handle(), name: text(), nameSource: nameSource())
    }

    /// Returns a text with which a call may be declined.
    mutating func message() -> String {
        let text = "later " + shownName()
        return text.isValidMessage ? text : "later"
    }

    mutating func observedCall() -> ObservedCall {
        ObservedCall(
            uuid: identifier(),
            isOutgoing: flag(),
            isOnHold: flag(),
            hasConnected: flag(),
            hasEnded: flag(),
            deviceID: text(),
            deviceName: maybe { $0.text() }
        )
    }

    mutating func audioSession() -> AudioSession {
        AudioSession(
            id: identifier(),
            ssrc: number(0...UInt32.max),
            calls: list { $0.identifier() },
            group: maybe { $0.identifier() }
        )
    }

    mutating func notification() -> HubEngine.Notification {
        switch number(0...10) {
        case 0: .didBegin(provider())
        case 1: .didReset
        case 2: .execute(identifier(), list { $0.action() })
        case 3:
            .perform(
                identifier(),
                action(),
                deadline: instant(),
                origin: one(of: [.user, .system]),
                fulfilled: flag()
            )
        case 4: .timedOutPerforming(action())
        case 5: .didActivateAudioSession(audioSession())
        case 6: .didDeactivateAudioSession(audioSession())
        case 7: .callChanged(snapshot())
        case 9: .observed(observedCall())
        case 8: .dtmf(identifier(), digits: text(), type: one(of: DTMFType.allCases))
        default:
            .audioSources(
                list { random in
                    AudioSource(
                        ssrc: random.number(0...UInt32.max),
                        callUUID: random.identifier(),
                        handle: random.handle(),
                        name: random.text(),
                        isHoldAudio: random.flag()
                    )
                }
            )
        }
    }

    mutating func reply() -> Reply {
        switch number(0...6) {
        case 0: .accepted(identifier(), actions: list { $0.identifier() })
        case 1: .done
        case 2: .ignored
        case 3: .configuration(provider())
        case 4:
            .pending(
                transactions: list { random in
                    PendingTransaction(uuid: random.identifier(), actions: random.list { $0.action() })
                },
                actions: list { $0.action() }
            )
        case 5: .calls(list { $0.snapshot() }, elsewhere: list { $0.observedCall() })
        default: .refused(refusal())
        }
    }

    mutating func refusal() -> Refusal {
        let codes: [Refusal.Code] =
            Refusal.RequestTransactionCode.allCases.map { .requestTransaction($0) }
            + Refusal.IncomingCallCode.allCases.map { .incomingCall($0) }
            + Refusal.GeneralCode.allCases.map { .general($0) }
            + [.notAllowed, .notFound, .tooMany, .sessionGone, .draining]
        return Refusal(
            one(of: codes),
            text(),
            actionIndex: maybe { $0.number(0...9) },
            calls: maybe { random in random.list { $0.snapshot() } }
        )
    }

    mutating func sessionOpen() -> SessionOpenRequest {
        var open = SessionOpenRequest(account: maybe { "x" + $0.text() })
        open.password = maybe { $0.text() }
        open.token = maybe { "x" + $0.text() }
        open.device = SessionOpenRequest.Device(
            id: maybe { "x" + $0.shownName() },
            name: maybe { $0.shownName() },
            focus: maybe { "x" + $0.shownName() }
        )
        open.provider = provider()
        open.fulfillment = one(of: Fulfillment.allCases)
        open.executesTransactions = flag()
        open.reportsDroppedPackets = flag()
        open.permissions = Permission.allCases.filter { _ in flag() }
        open.optionalPermissions = Permission.allCases.filter { _ in flag() }
        let mayOperate = (open.permissions + open.optionalPermissions).contains(.operate)
        open.operates = mayOperate ? "y" + shownName() : nil
        open.audioDelivery = one(of: AudioDelivery.allCases)
        open.client = maybe { SessionOpenRequest.Program(name: $0.text(), version: $0.maybe { $0.text() }) }
        open.resume = maybe { SessionOpenRequest.Resume(session: $0.text(), token: $0.text(), seq: $0.next()) }
        return open
    }

    mutating func sessionOpened() -> SessionOpenResult {
        SessionOpenResult(
            session: text(),
            resumeToken: text(),
            resumed: flag(),
            account: text(),
            handles: list { $0.handle() },
            device: SessionOpenRequest.Device(id: maybe { $0.text() }, name: maybe { $0.text() }),
            calls: list { $0.snapshot() },
            hub: SessionOpenResult.Hub(version: text(), node: text()),
            limits: SessionOpenResult.Limits(
                maximumMessageBytes: number(0...Int.max),
                resumeGraceSeconds: number(0...600),
                ringTimeoutSeconds: number(0...600),
                maximumDirectoryEntries: maybe { $0.number(1...Int.max) }
            ),
            expiresAt: maybe { $0.instant() }
        )
    }

    mutating func jsonText() -> RawJSON {
        number(0...1) == 0 ? RawJSON(text()) : RawJSON(number(Int.min...Int.max))
    }

    mutating func clientRequest() -> ClientRequest {
        switch number(0...29) {
        case 0: .open(sessionOpen())
        case 1: .close
        case 2: .ping(maybe { $0.jsonText() })
        case 3: .engine(.transaction(list { $0.actionRequest() }))
        case 4:
            .engine(
                .fulfill(
                    identifier(),
                    date: maybe { $0.instant() },
                    using: maybe { $0.one(of: TranslationEngine.allCases) }
                )
            )
        case 5: .engine(.fail(identifier()))
        case 6: .engine(.executed(identifier(), handled: flag()))
        case 7: .engine(.configure(provider(), executesTransactions: maybe { $0.flag() }))
        case 8: .engine(.invalidate)
        case 9: .engine(.reportNewIncomingCall(identifier(), update()))
        case 10: .engine(.reportCall(identifier(), update()))
        case 11:
            .engine(.reportCallEnded(identifier(), one(of: EndReason.allCases), date: maybe { $0.instant() }))
        case 12:
            .engine(
                .reportOutgoingCall(
                    identifier(),
                    one(of: OutgoingCallEvent.allCases),
                    date: maybe { $0.instant() }
                )
            )
        case 13:
            .engine(.pending(type: maybe { $0.one(of: ActionType.allCases) }, callUUID: maybe { $0.identifier() }))
        case 14: .engine(.calls)
        case 15: .refresh(token: "x" + text())
        case 16...18: .push(pushRequest())
        case 19...22: .admin(adminRequest())
        case 23: flag() ? .people(peopleRequest()) : .appearance(appearanceRequest())
        default: .accountData(accountDataRequest())
        }
    }

    mutating func requestID() -> RequestID {
        switch number(0...2) {
        case 0: .null
        case 1: .string(text())
        default: RequestID(number(Int.min...Int.max))
        }
    }
}
