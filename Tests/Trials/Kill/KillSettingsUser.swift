import BenchmarkSupport
import Foundation
import HubAccountData
import HubClient
import HubSimulation

/// A user who changes settings, contacts and block list all the time, and checks that a kill loses no such change.
actor KillSettingsUser: KillTrialUser {
    private static let account = "editor"

    /// All data that the editor changes.
    private struct Lists {
        var settings = AcknowledgedValue(DeviceSettings())
        var contacts = AcknowledgedValue([String: Contact]())
        var blocked = AcknowledgedValue([BlockRule]())
    }

    private var random: SeededRandom
    private var phone: KillTrialClient?
    private var lists = Lists()
    private var serial = 0
    private(set) var counts = KillCounts()

    init(seed: UInt64) {
        random = SeededRandom(seed: seed &* 7_919 &+ 1)
    }

    func signIn(to url: String) async throws(BenchmarkError) {
        phone = try await .connect(to: url, as: Self.account)
    }

    func audit() async -> [String] {
        guard let phone else { return [] }
        var faults: [String] = []
        do throws(HubClientError) {
            let known = lists
            guard case .settings(let foundSettings) = try await phone.client.send(.accountData(.getSettings)),
                case .contacts(let list) = try await phone.client.send(.accountData(.listContacts)),
                case .blocked(let foundRules) = try await phone.client.send(.accountData(.listBlocked))
            else { return ["the editor's lists cannot be read"] }
            let foundContacts = Dictionary(list.map { ($0.identifier, $0) }) { $1 }
            if foundContacts.count < list.count { faults.append("a contact is there twice") }
            if !lists.settings.confirm(foundSettings) {
                faults.append(Self.difference("settings", known.settings, foundSettings) { [$0] })
            }
            if !lists.contacts.confirm(foundContacts) {
                faults.append(Self.difference("contacts", known.contacts, foundContacts) { Array($0.values) })
            }
            if !lists.blocked.confirm(foundRules) {
                faults.append(Self.difference("block list", known.blocked, foundRules) { $0 })
            }
        } catch {
            faults.append("the editor's lists: \(error)")
        }
        return faults
    }

    /// Describes missing and unexpected elements; with neither, only the order differs.
    private static func difference<Value, Element: Hashable>(
        _ what: String,
        _ known: AcknowledgedValue<Value>,
        _ found: Value,
        _ elements: (Value) -> [Element]
    ) -> String {
        let (certain, now) = (elements(known.certain), elements(found))
        let (missing, strange) = (certain.filter { !now.contains($0) }, now.filter { !certain.contains($0) })
        let asked = known.asked == nil ? "" : ", or have the change that was not answered"
        return "the editor's \(what) must have \(certain.count) entries\(asked), and have \(now.count); "
            + "missing: \(missing.prefix(2)); not acknowledged: \(strange.prefix(2))"
    }

    func runLoad() async -> [String] {
        guard let phone else { return [] }
        // In parallel, so that requests wait while others are being written.
        async let one = edit(phone, "settings", \.settings) { $0.nextSettings() }
        async let two = edit(phone, "contacts", \.contacts) { $0.nextContacts() }
        async let three = edit(phone, "block list", \.blocked) { $0.nextRules() }
        let unexpectedErrors = await one + two + three
        await phone.ended()
        return unexpectedErrors
    }

    /// Changes one of the lists, each time after the change before is acknowledged.
    private func edit<Value>(
        _ phone: KillTrialClient,
        _ what: String,
        _ list: any WritableKeyPath<Lists, AcknowledgedValue<Value>> & Sendable,
        _ next: @Sendable (isolated KillSettingsUser) -> (value: Value, request: AccountDataRequest)
    ) async -> [String] {
        while true {
            let (value, request) = next(self)
            lists[keyPath: list].ask(value)
            do throws(HubClientError) {
                let answer = try await phone.client.send(.accountData(request))
                if case .settings(let settings) = answer, settings != value as? DeviceSettings {
                    return ["the editor asked for \(value), and was answered \(settings)"]
                }
                lists[keyPath: list].answered()
                counts.changes += 1
            } catch {
                let words = unexpectedError(error, "the editor's \(what)")
                if words.isEmpty { counts.cutChanges += 1 } else { lists[keyPath: list].answered(isDone: false) }
                return words
            }
        }
    }

    // MARK: Changes

    private func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    private func nextSettings() -> (value: DeviceSettings, request: AccountDataRequest) {
        var settings = lists.settings.certain
        serial += 1
        var update = SettingsUpdate(displayName: "name \(serial)")
        settings.displayName = "name \(serial)"
        switch number(0..<4) {
        case 0:
            settings.doNotDisturb.toggle()
            update.doNotDisturb = settings.doNotDisturb
        case 1:
            settings.deviceDoNotDisturb.toggle()
            update.deviceDoNotDisturb = settings.deviceDoNotDisturb
        case 2:
            let hours = (0..<number(0..<4)).map { _ in
                QuietHours(days: [.monday, .friday], from: number(0..<1_440), to: number(0..<1_440))
            }
            settings.quietHours = hours
            update.quietHours = hours
        default:
            settings.timeZone = ["Europe/Berlin", "Asia/Tokyo", ""][number(0..<3)]
            update.timeZone = settings.timeZone
        }
        let isInOwnZone = settings.timeZone.isEmpty && !settings.quietHours.isEmpty
        settings.hubTimeZone = isInOwnZone ? TimeZone.current.identifier : nil
        return (settings, .setSettings(update))
    }

    private func nextContacts() -> (value: [String: Contact], request: AccountDataRequest) {
        var contacts = lists.contacts.certain
        let identifier = "contact \(number(0..<40))"
        if number(0..<3) == 0 {
            contacts[identifier] = nil
            return (contacts, .removeContact(identifier: identifier))
        }
        serial += 1
        let contact = Contact(
            identifier: identifier,
            name: "friend \(serial)",
            handles: (0..<number(0..<4)).map { .generic("friend \(serial), \($0)") },
            isFavorite: number(0..<2) == 0,
            breaksThroughDoNotDisturb: number(0..<2) == 0
        )
        contacts[identifier] = contact
        return (contacts, .putContact(contact))
    }

    private func nextRules() -> (value: [BlockRule], request: AccountDataRequest) {
        var rules = lists.blocked.certain
        if !rules.isEmpty, number(0..<40) < rules.count {
            let rule = rules.remove(at: number(0..<rules.count))
            return (rules, .unblock(rule))
        }
        serial += 1
        let rule = number(0..<2) == 0 ? BlockRule.prefix("49\(serial)") : .handle(.generic("stranger \(serial)"))
        // In the hub's order: handles first.
        let (handles, prefixes) = ((rules + [rule]).filter(\.isHandle), (rules + [rule]).filter { !$0.isHandle })
        return (handles + prefixes, .block(rule))
    }
}

extension BlockRule {
    fileprivate var isHandle: Bool {
        if case .handle = self { true } else { false }
    }
}
