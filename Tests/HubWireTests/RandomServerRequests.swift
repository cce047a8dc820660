import HubAccountData
import HubEngine
import HubWire

// Random values of what the server itself answers: tokens, waking, administration.
extension SeededRandom {
    mutating func pushRequest() -> PushSubscriptionRequest {
        switch number(0...2) {
        case 0: .key
        case 1: .subscribe(pushSubscription())
        default: .unsubscribe(endpoint: maybe { $0.endpoint() })
        }
    }

    mutating func peopleRequest() -> PeopleRequest {
        switch number(0...2) {
        case 0: .list(search: maybe { $0.text() }, adminPage())
        case 1: .subscribe(list { $0.handle() })
        default: .setAway(flag())
        }
    }

    mutating func appearanceRequest() -> AppearanceRequest {
        switch number(0...3) {
        case 0: .list
        case 1: .media(hash: String(repeating: one(of: ["0", "9", "a", "f"]), count: 32))
        default:
            .set(
                icon: one(of: [.keep, .remove, ProviderIcon(png(size: number(24...300))).map { .replace($0) } ?? .keep]
                ),
                ringtone: one(of: [
                    .keep, .remove, ProviderRingtone(wav(size: number(16...300))).map { .replace($0) } ?? .keep,
                ])
            )
        }
    }

    private mutating func listedProvider() -> ListedProvider {
        let device = maybe { random in
            SessionOpenRequest.Device(id: random.maybe { $0.text() }, name: random.maybe { $0.text() })
        }
        var provider = ListedProvider(device: device, name: maybe { $0.text() })
        provider.iconHash = maybe { $0.text() }
        provider.ringtoneSound = maybe { $0.text() }
        provider.ringtoneHash = maybe { $0.text() }
        return provider
    }

    mutating func person() -> Person {
        Person(
            handle: handle(),
            name: maybe { $0.text() },
            department: maybe { $0.text() },
            presence: one(of: [
                .free, .onCall, .away, .doNotDisturb(until: nil), .doNotDisturb(until: instant()), .offline, .unknown,
                .other("asleep"),
            ])
        )
    }

    mutating func adminRequest() -> AdminRequest {
        switch number(0...20) {
        case 0: .calls(adminPage())
        case 1: .devices(adminPage())
        case 2: .accounts(adminPage(), search: maybe { $0.text() })
        case 7: .status
        case 8: .history(since: maybe { $0.instant() })
        case 9: .handles(adminPage(), search: maybe { $0.text() })
        case 10: .addAccount(newAccount())
        case 11: .change(account: "x" + text(), .disabled(flag()))
        case 12: .change(account: "x" + text(), .admin(flag()))
        case 13: .change(account: "x" + text(), .addHandle(handle()))
        case 14: .change(account: "x" + text(), .removeHandle(handle()))
        case 15: .change(account: "x" + text(), .remove(erases: flag()))
        case 16:
            .reset(
                AdminReset(account: "x" + text(), expiresAt: maybe { $0.instant() }, page: maybe { _ in "https://a/" })
            )
        case 17: .backup
        case 18: .audit(adminPage(), since: maybe { $0.instant() })
        case 19: .verifyAudit
        case 3: .endCall(conversation())
        case 4: .signOut(session: text())
        case 5: .reload
        default: .drain(grace: maybe { .seconds($0.number(0...86_400)) })
        }
    }

    private mutating func newAccount() -> AdminNewAccount {
        var account = AdminNewAccount(account: "x" + text(), password: "x" + text())
        account.name = maybe { _ in "Bob Miller" }
        account.department = maybe { _ in "Sales" }
        account.handles = list { $0.handle() }
        account.isAdmin = flag()
        return account
    }

    private mutating func auditEntry() -> AuditEntry {
        var entry = AuditEntry(
            number: Int64(number(1...1_000)),
            at: instant(),
            by: AuditActor(
                one(of: AuditActor.Origin.allCases),
                account: maybe { $0.text() },
                device: maybe { $0.text() },
                address: maybe { $0.text() },
                user: maybe { $0.text() }
            ),
            AuditAct(text(), on: maybe { $0.text() }, maybe { $0.text() }),
            one(of: AuditResult.allCases),
            reason: maybe { $0.text() },
            after: hash()
        )
        entry.hash = hash()
        return entry
    }

    private mutating func hash() -> [UInt8] { (0..<32).map { _ in UInt8(number(0...255)) } }

    private mutating func auditVerification() -> AuditVerification {
        let head = maybe { random in AuditHead(number: Int64(random.number(1...9)), hash: random.hash()) }
        guard flag() else { return AuditVerification(count: number(0...9), head: head) }
        return AuditVerification(count: number(0...9), head: head, faultAt: Int64(number(1...9)), fault: text())
    }

    private mutating func managed() -> AdminAccount.Managed {
        AdminAccount.Managed(
            isAdmin: flag(),
            isDisabled: flag(),
            hasPassword: flag(),
            createdAt: instant(),
            name: maybe { $0.text() },
            department: maybe { $0.text() }
        )
    }

    private mutating func adminPage() -> AdminPage {
        AdminPage(limit: maybe { $0.number(1...AdminPage.longest) }, after: maybe { $0.text() })
    }

    /// Makes a random reply of the server to one of these requests, or to a sign-in.
    mutating func serverReply() -> ReplyPayload {
        switch number(0...12) {
        case 11: .providers(list { $0.listedProvider() })
        case 12: .media(png(size: number(24...300)))
        case 8: .admin(.audit(list { $0.auditEntry() }, next: maybe { $0.text() }))
        case 9: .admin(.auditVerified(auditVerification()))
        case 10:
            .admin(
                .handles(
                    list { AdminHandle(handle: $0.handle(), account: $0.text()) },
                    next: maybe { $0.text() }
                )
            )
        case 7: .people(list { $0.person() }, next: maybe { $0.text() })
        case 0: .opened(sessionOpened())
        case 1: .pong(maybe { $0.jsonText() }, now: instant())
        case 2: .refreshed(expiresAt: instant())
        case 3: .pushKey(point())
        case 4: .admin(.calls(list { $0.adminCall() }, next: maybe { $0.text() }))
        case 5: .admin(.devices(list { $0.adminDevice() }, next: maybe { $0.text() }))
        default:
            .admin(
                .accounts(
                    list { random in
                        AdminAccount(
                            account: random.text(),
                            handles: random.list { $0.handle() },
                            devices: random.number(0...9),
                            managed: random.maybe { $0.managed() }
                        )
                    },
                    next: maybe { $0.text() }
                )
            )
        }
    }

    private mutating func pushSubscription() -> PushSubscription {
        PushSubscription(
            endpoint: endpoint(),
            key: point(),
            secret: (0..<16).map { _ in number(0...255) },
            expiresAt: maybe { Instant(nanoseconds: $0.number(0...9_000_000_000_000) * 1_000_000) }
        )
    }

    private mutating func point() -> [UInt8] { [4] + (0..<64).map { _ in number(0...255) } }

    private mutating func endpoint() -> String { "https://push.example:8443/send/\(next())?x=%20#\(next())" }

    private mutating func adminCall() -> AdminCall {
        AdminCall(
            conversation: conversation(),
            state: one(of: [.starting, .connecting, .ringing, .connected, .held]),
            caller: adminParty(),
            callee: adminParty(),
            startedAt: maybe { $0.instant() },
            connectedAt: maybe { $0.instant() },
            audioPackets: number(0...Int.max)
        )
    }

    private mutating func adminParty() -> AdminCall.Party {
        let audio = maybe { random in
            AdminAudio(
                received: UInt64(random.number(0...9)),
                lost: Int64(random.number(0...9)),
                dropped: UInt64(random.number(0...9)),
                droppedSlow: UInt64(random.number(0...9)),
                jitterMicroseconds: UInt32(random.number(0...9))
            )
        }
        return AdminCall.Party(
            account: maybe { $0.text() },
            handle: handle(),
            devices: list { $0.text() },
            audio: audio
        )
    }

    private mutating func adminDevice() -> AdminDevice {
        AdminDevice(
            session: text(),
            account: text(),
            device: SessionOpenRequest.Device(id: maybe { $0.text() }, name: maybe { $0.text() }),
            address: maybe { $0.text() },
            since: instant(),
            calls: number(0...64),
            operates: maybe { $0.text() }
        )
    }
}
