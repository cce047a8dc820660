import HubAccountData
import HubEngine
import HubWire

// Random values of what the hub remembers.
extension SeededRandom {
    mutating func accountDataRequest() -> AccountDataRequest {
        switch number(0...16) {
        case 0: .getSettings
        case 1: .setSettings(settingsUpdate())
        case 2: .listBlocked
        case 3: .block(blockRule())
        case 4: .unblock(blockRule())
        case 5: .listContacts
        case 6: .putContact(contact(), photo: photoChange())
        case 7: .removeContact(identifier: text())
        case 8: .listRecents(limit: maybe { $0.number(1...1_000) }, before: maybe { $0.identifier() })
        case 9: .markRecentsSeen(maybe { random in random.list { $0.identifier() } })
        case 10: .removeRecents(maybe { random in random.list { $0.identifier() } })
        case 11: .loadDirectory(directoryLoad())
        case 12:
            flag()
                ? .cancelDirectoryLoad(identifier: "x" + shownName(), message: maybe { $0.message() })
                : .reloadDirectory(identifier: text())
        case 13: .setDirectoryEnabled(identifier: text(), flag())
        case 14: .erase
        case 15: .contactPhoto(identifier: text())
        default: .directoryStatus(identifier: maybe { $0.text() })
        }
    }

    mutating func accountDataReply() -> AccountDataReply {
        switch number(0...8) {
        case 0: .done
        case 1: .ignored
        case 2: .settings(shownSettings())
        // Handles, prefixes and links are lists of their own.
        case 3: .blocked(list { .handle($0.handle()) } + list { .prefix($0.prefix()) } + links())
        case 4: .contacts(list { $0.listedContact() })
        case 7: .photo(.inMemory(list { $0.number(0...UInt8.max) }))
        case 5: .recents(list { $0.recentEntry() })
        case 6:
            .loaded(
                DirectoryLoadResult(
                    blocking: number(0...2_000_000),
                    identification: number(0...2_000_000),
                    isExpired: flag()
                )
            )
        default: .directories(list { $0.directoryStatus() })
        }
    }

    mutating func wireNotification() -> WireNotification {
        switch number(0...12) {
        case 5: .providersChanged
        case 0, 1: .recorded(recordedEvent())
        case 2: .packetsDropped(droppedPackets())
        case 4: .directoryReloadRequested(identifier: text())
        case 3: .peopleChanged(list { $0.person() })
        default: deviceNotification()
        }
    }

    private mutating func droppedPackets() -> DroppedPackets {
        var dropped = DroppedPackets(audioSession: identifier(), ssrc: number(0...UInt32.max), slowConsumer: next())
        for reason in DroppedPackets.Reason.allCases where flag() { dropped.sent[reason] = next() }
        return dropped
    }

    private mutating func deviceNotification() -> WireNotification {
        number(0...4) == 0 ? .changed(one(of: AccountDataTopic.allCases)) : WireNotification(notification())
    }

    private mutating func recordedEvent() -> RecordedEvent {
        RecordedEvent(
            deviceID: text(),
            deviceName: maybe { $0.text() },
            at: instant(),
            event: next(),
            conversation: maybe { $0.text() },
            content: number(0...3) == 0 ? .session(one(of: SessionChange.allCases)) : .notified(deviceNotification())
        )
    }

    mutating func phoneNumber() -> Int64 { number(phoneNumbers) }

    private mutating func settingsUpdate() -> SettingsUpdate {
        SettingsUpdate(
            doNotDisturb: maybe { $0.flag() },
            quietHours: maybe { random in random.list { $0.quietHours() } },
            quietHoursSkippedUntil: maybe { $0.instant() },
            timeZone: maybe { $0.timeZone() },
            deviceDoNotDisturb: maybe { $0.flag() },
            displayName: maybe { $0.shownName() },
            isNamedInGroups: maybe { $0.flag() },
            isListed: maybe { $0.flag() },
            acceptsTransferredStrangers: maybe { $0.flag() },
            holdAudio: maybe { $0.one(of: HoldAudioChoice.allCases) }
        )
    }

    private mutating func shownSettings() -> DeviceSettings {
        var settings = DeviceSettings()
        settings.doNotDisturb = flag()
        settings.quietHours = list { $0.quietHours() }
        settings.quietHoursSkippedUntil = maybe { $0.instant() }
        settings.timeZone = timeZone()
        settings.hubTimeZone = maybe { $0.timeZone() }
        settings.deviceDoNotDisturb = flag()
        settings.displayName = text()
        settings.isNamedInGroups = flag()
        settings.acceptsTransferredStrangers = flag()
        settings.holdAudio = one(of: HoldAudioChoice.allCases)
        settings.isListed = flag()
        return settings
    }

    private mutating func quietHours() -> QuietHours {
        let days = QuietHours.Weekday.allCases.filter { _ in flag() }
        return QuietHours(days: Set(days + [.monday]), from: number(0...1_439), to: number(0...1_439))
    }

    private mutating func timeZone() -> String {
        one(of: ["", "Europe/Berlin", "America/Argentina/ComodRivadavia", "Etc/GMT+12", "UTC"])
    }

    private mutating func blockRule() -> BlockRule {
        flag() ? .handle(handle()) : flag() ? .prefix(prefix()) : links().first ?? .prefix(prefix())
    }

    private mutating func links() -> [BlockRule] {
        list { $0.callLink() }.compactMap { invitation in invitation.map { .invitation($0) } }
    }

    private mutating func prefix() -> String { String(number(1...999_999_999_999_999_999 as ClosedRange<Int64>)) }

    private mutating func contact() -> Contact {
        Contact(
            identifier: "x" + shownName(),
            name: shownName(),
            handles: list { $0.handle() },
            isFavorite: flag(),
            breaksThroughDoNotDisturb: flag(),
            ringtone: maybe { $0.one(of: ["bell", "0-a", "no-such-ringtone"]) }
        )
    }

    /// As sent to clients: with the hash of its photo.
    private mutating func listedContact() -> Contact {
        var contact = contact()
        contact.photoHash = maybe { $0.text() }
        return contact
    }

    private mutating func photoChange() -> PhotoChange {
        let bytes = [0xFF, 0xD8, 0xFF] + list { $0.number(0...UInt8.max) }
        return flag() ? .keep : flag() ? .remove : Photo(bytes).map { .replace($0) } ?? .keep
    }

    /// As sent to clients: without the devices that had the call.
    private mutating func recentEntry() -> RecentEntry {
        let link = maybe { $0.callLink() } ?? nil
        let call = RecentCall(
            id: identifier(),
            handle: handle(),
            name: text(),
            invitation: link,
            invitationName: link == nil ? nil : maybe { $0.text() },
            isOutgoing: flag(),
            outcome: one(of: RecentCall.Outcome.allCases),
            isSilenced: flag(),
            startedAt: instant(),
            connectedAt: maybe { $0.instant() },
            endedAt: instant(),
            hasVideo: flag(),
            provider: maybe { $0.text() },
            isUnknown: flag()
        )
        return RecentEntry(call, isSeen: flag(), count: call.invitation == nil ? 1 : number(1...9_999))
    }

    private mutating func directoryLoad() -> DirectoryLoad {
        var load = DirectoryLoad("x" + shownName(), isIncremental: flag())
        load.blocking = list { $0.phoneNumber() }
        load.identification = list { DirectoryEntry($0.phoneNumber(), "x" + $0.shownName()) }
        load.removeBlocking = list { $0.phoneNumber() }
        load.removeIdentification = list { $0.phoneNumber() }
        load.removesAllBlocking = flag()
        load.removesAllIdentification = flag()
        load.title = maybe { $0.shownName() }
        load.batch = number(1...9)
        load.isFinal = flag()
        return load
    }

    private mutating func directoryStatus() -> DirectoryStatus {
        DirectoryStatus(
            identifier: text(),
            isEnabled: flag(),
            blocking: number(0...2_000_000),
            identification: number(0...2_000_000),
            loadedAt: maybe { $0.instant() },
            isIncremental: flag(),
            title: maybe { $0.text() },
            lastFault: maybe { random in
                DirectoryLoadFault(
                    code: random.one(of: [.callDirectory(.entriesOutOfOrder), .callDirectory(.unknown), .tooMany]),
                    message: random.text(),
                    at: random.instant()
                )
            }
        )
    }
}

extension SeededRandom {
    /// A link's identifier.
    mutating func callLink() -> InvitationID? {
        let letters = Array("azAZ09-._~")
        return InvitationID(String((0..<number(1...64)).map { _ in one(of: letters) }))
    }

    /// A text without control characters.
    mutating func shownName() -> String {
        String(String.UnicodeScalarView(text().unicodeScalars.filter(\.isReadable)))
    }
}
