import HubAccountData
import HubEngine
import Testing

/// The settings, the block list and the contacts, and their effect on callers.
struct CallerKnowledgeTests {
    private var world = MemoryWorld()
    private let alice = Handle.generic("alice")
    private let number = Handle(type: .phoneNumber, value: "+49 30 1")

    private func screeningData(of caller: Handle) -> CallerScreeningData { world.screeningData(of: caller) }

    @Test mutating func `a handle is blocked, a name in any case and a number by its digits (CK-11)`() throws {
        #expect(try world.ask(.block(.handle(alice))) == AccountDataResult(.done, changed: [.block]))
        #expect(try world.ask(.block(.handle(alice))) == AccountDataResult(.ignored))
        #expect(try world.ask(.block(.handle(number))).reply == .done)
        #expect(try world.ask(.block(.handle(Handle(type: .phoneNumber, value: "49301")))).reply == .ignored)
        #expect(screeningData(of: alice).isBlocked)
        #expect(screeningData(of: .generic("Alice")).isBlocked)
        #expect(!screeningData(of: .generic("alicia")).isBlocked)
        #expect(!screeningData(of: Handle(type: .emailAddress, value: "alice")).isBlocked)
        #expect(screeningData(of: Handle(type: .phoneNumber, value: "49301")).isBlocked)
        #expect(try world.ask(.listBlocked).reply == .blocked([.handle(alice), .handle(number)]))
        #expect(try world.ask(.listBlocked, as: "carol").reply == .blocked([]))
        #expect(try world.ask(.unblock(.handle(Handle(type: .phoneNumber, value: "+49301")))).reply == .done)
        #expect(try world.ask(.unblock(.handle(number))) == AccountDataResult(.ignored))
        #expect(!screeningData(of: number).isBlocked)
        #expect(try world.ask(.listBlocked).reply == .blocked([.handle(alice)]))
    }

    @Test mutating func `a name and an e-mail address are the same in any case and normal form (CK-11, CK-15, CK-74)`()
        throws
    {
        let address = Handle(type: .emailAddress, value: "Bob@Example.org")
        for handle in [.generic("BOB"), address, .generic("JÜRGEN")] as [Handle] {
            try world.ask(.block(.handle(handle)))
        }
        let spellings = [.generic("bob"), .generic("Bob"), .generic("ju\u{308}rgen")] as [Handle]
        for handle in spellings + [Handle(type: .emailAddress, value: "bob@example.ORG")] {
            #expect(screeningData(of: handle).isBlocked, "\(handle)")
            #expect(try world.ask(.block(.handle(handle))).reply == .ignored)
        }
        #expect(
            try world.ask(.listBlocked).reply
                == .blocked([.handle(.generic("BOB")), .handle(address), .handle(.generic("JÜRGEN"))])
        )
        #expect(try world.ask(.unblock(.handle(.generic("bOb")))).reply == .done)
        #expect(!screeningData(of: .generic("BOB")).isBlocked)

        let contact = Contact(
            identifier: "1",
            name: "Bob Bee",
            handles: [.generic("Bob"), .generic("BOB")],
            breaksThroughDoNotDisturb: true
        )
        try world.ask(.putContact(contact))
        #expect(screeningData(of: .generic("bob")).names.contact == "Bob Bee")
        #expect(screeningData(of: .generic("bob")).breaksThroughDoNotDisturb)
        #expect(try world.ask(.listContacts).reply == .contacts([contact]), "as it was created")
        try world.ask(.removeContact(identifier: "1"))
        #expect(screeningData(of: .generic("bob")).names.contact == nil)
    }

    @Test mutating func `an account's data is that of its name in any case`() throws {
        try world.ask(.block(.handle(alice)), as: "Carol")
        #expect(try world.ask(.listBlocked, as: "CAROL").reply == .blocked([.handle(alice)]))
        #expect(try world.ask(.erase, as: "carol").reply == .done)
        #expect(try world.ask(.listBlocked, as: "Carol").reply == .blocked([]))
    }

    @Test mutating func `numbers are blocked by their prefix, and no others (CK-11)`() throws {
        #expect(try world.ask(.block(.prefix("4930"))) == AccountDataResult(.done, changed: [.block]))
        #expect(try world.ask(.block(.prefix("4930"))) == AccountDataResult(.ignored))
        let numbers = [
            ("+49 30 1234", true), ("4930", true), ("49301", true), ("+49 3", false), ("+1 4930", false),
            ("004930", false), ("not a number", false),
        ]
        for (value, isBlocked) in numbers {
            #expect(screeningData(of: Handle(type: .phoneNumber, value: value)).isBlocked == isBlocked, "\(value)")
        }
        #expect(!screeningData(of: .generic("49301")).isBlocked, "a name is no number")
        #expect(!screeningData(of: Handle(type: .emailAddress, value: "4930@example.org")).isBlocked)
        try world.ask(.block(.handle(number)))
        try world.ask(.block(.prefix("1")))
        #expect(try world.ask(.listBlocked).reply == .blocked([.prefix("4930"), .handle(number), .prefix("1")]))
        #expect(try world.ask(.unblock(.prefix("493"))).reply == .ignored, "the rule itself is named, or nothing")
        #expect(try world.ask(.unblock(.prefix("4930"))) == AccountDataResult(.done, changed: [.block]))
        #expect(!screeningData(of: Handle(type: .phoneNumber, value: "49302")).isBlocked)
        #expect(screeningData(of: number).isBlocked, "by its handle still")
        #expect(screeningData(of: Handle(type: .phoneNumber, value: "1 212 5550123")).isBlocked)
    }

    @Test mutating func `a contact gives the caller's name and may break through Do Not Disturb (CK-13, CK-15, CK-74)`()
        throws
    {
        #expect(!screeningData(of: alice).doNotDisturb)
        let update = SettingsUpdate(doNotDisturb: true)
        #expect(try world.ask(.setSettings(update)).changed == [.settings])
        #expect(try world.ask(.setSettings(update)).changed.isEmpty)
        #expect(screeningData(of: alice).doNotDisturb)
        #expect(!screeningData(of: alice).breaksThroughDoNotDisturb)
        var contact = Contact(identifier: "1", name: "Al", handles: [alice, number], isFavorite: true)
        #expect(try world.ask(.putContact(contact)) == AccountDataResult(.done, changed: [.contacts]))
        #expect(try world.ask(.putContact(contact)) == AccountDataResult(.ignored))
        #expect(screeningData(of: alice).names.contact == "Al")
        #expect(!screeningData(of: alice).breaksThroughDoNotDisturb)
        contact.breaksThroughDoNotDisturb = true
        contact.handles = [number]
        #expect(try world.ask(.putContact(contact)).reply == .done)
        #expect(screeningData(of: Handle(type: .phoneNumber, value: "49301")).breaksThroughDoNotDisturb)
        #expect(screeningData(of: Handle(type: .phoneNumber, value: "49301")).names.contact == "Al")
        #expect(screeningData(of: alice).names.contact == nil)
        #expect(try world.ask(.removeContact(identifier: "1")).reply == .done)
        #expect(try world.ask(.removeContact(identifier: "1")) == AccountDataResult(.ignored))
        #expect(!screeningData(of: number).breaksThroughDoNotDisturb)
        #expect(screeningData(of: number).names == KnownNames())
    }

    @Test mutating func `contacts that share a handle are searched in the order of their identifiers (CK-15)`() throws {
        for (identifier, name) in [("c", "third"), ("a", ""), ("b", "second")] {
            try world.ask(.putContact(Contact(identifier: identifier, name: name, handles: [alice, alice])))
        }
        #expect(screeningData(of: alice).names.contact == "second")
        guard case .contacts(let all) = try world.ask(.listContacts).reply else { return }
        #expect(all.map(\.identifier) == ["a", "b", "c"])
        try world.ask(.removeContact(identifier: "b"))
        #expect(screeningData(of: alice).names.contact == "third")
    }

    @Test mutating func `a look-up returns each party's data about the other, and the caller's own name (CK-15)`()
        throws
    {
        try world.ask(.putContact(Contact(identifier: "1", name: "My Alice", handles: [alice])), as: "bob")
        try world.ask(.putContact(Contact(identifier: "1", name: "My Bob", handles: [.generic("bob")])), as: "alice")
        try world.ask(.block(.handle(alice)), as: "bob")
        let lookUp = LookUp(handle: .generic("bob"), caller: "alice", callerHandle: alice)
        var result = world.answer(lookUp, target: .account("bob", CallerScreeningData()))
        guard case .account("bob", let screeningData) = result.target else {
            Issue.record("another target")
            return
        }
        #expect(screeningData.isBlocked)
        #expect(screeningData.names.contact == "My Alice")
        #expect(result.calleeNames.contact == "My Bob")
        #expect(result.callerDisplayName == nil)
        try world.ask(.setSettings(SettingsUpdate(displayName: "Alice A.")), as: "alice")
        result = world.answer(lookUp, target: .unknown)
        #expect(result.callerDisplayName == "Alice A.")
        #expect(result.target == .unknown)
        try world.ask(.setSettings(SettingsUpdate(displayName: "")), as: "alice")
        #expect(world.answer(lookUp, target: .unknown).callerDisplayName == nil)
    }

    @Test mutating func `block list and contacts have limits, and accept entries again after a removal`() throws {
        world.accountData.limits.maximumListEntries = 2
        world.accountData.limits.maximumListBytes = 500
        for name in ["a", "b"] {
            try world.ask(.block(.handle(.generic(name))))
            try world.ask(.putContact(Contact(identifier: name, name: name)))
        }
        #expect(world.refusal(.block(.handle(.generic("c")))) == .tooMany)
        #expect(world.refusal(.block(.prefix("49"))) == .tooMany)
        #expect(world.refusal(.putContact(Contact(identifier: "c", name: ""))) == .tooMany)
        #expect(try world.ask(.putContact(Contact(identifier: "a", name: "new"))).reply == .done)
        let long = String(repeating: "x", count: 500)
        #expect(world.refusal(.putContact(Contact(identifier: "a", name: long))) == .tooMany)
        try world.ask(.unblock(.handle(.generic("a"))))
        #expect(world.refusal(.block(.handle(.generic(long)))) == .tooMany)
        #expect(world.refusal(.block(.handle(.generic("c")))) == nil)
        try world.ask(.removeContact(identifier: "a"))
        #expect(world.refusal(.putContact(Contact(identifier: "c", name: ""))) == nil)
    }
}
