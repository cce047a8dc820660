import HubEngine
import HubWire
import Testing

@testable import HubServer

/// The accounts that an `open` hub knows, and their removal.
struct AccountDirectoryTests {
    private var directory = AccountDirectory()

    private mutating func signIn(_ name: String) -> [String] {
        directory.noteSignIn(AccountRecord(name: name, handles: [.generic(name)]))
    }

    /// Signs ten thousand other accounts in and out.
    private mutating func signInManyAccounts() -> [String] {
        (0..<10_000).flatMap { number in
            let forgotten = signIn("stranger \(number)")
            #expect(directory.noteSignOut("stranger \(number)") == false)
            return forgotten
        }
    }

    @Test mutating func `a signed-out account stays known until ten thousand others have signed in`() {
        #expect(signIn("bob").isEmpty)
        #expect(directory.noteSignOut("bob") == false)
        #expect(directory.lookUp(.generic("bob")) == .account("bob", CallerScreeningData()))
        #expect(signInManyAccounts() == ["bob"])
        #expect(directory.lookUp(.generic("bob")) == .unknown)
    }

    @Test mutating func `a signed-in account stays known regardless of others, and is removed after its last sign-out`()
    {
        #expect(signIn("bob").isEmpty)
        #expect(signIn("bob").isEmpty)
        #expect(signInManyAccounts().isEmpty)
        #expect(directory.lookUp(.generic("bob")) == .account("bob", CallerScreeningData()))
        #expect(directory.noteSignOut("bob") == false)
        #expect(directory.noteSignOut("bob") == true)
        #expect(directory.lookUp(.generic("bob")) == .unknown)
    }

    private func spelled(_ name: String) -> AuthenticatedIdentity {
        directory.spelled(AuthenticatedIdentity(account: name, handles: [.generic(name)]))
    }

    @Test mutating func `an account is one in any case of its name, spelled as at its first sign-in`() {
        #expect(spelled("Alice").account == "Alice")
        #expect(signIn("Alice").isEmpty)
        #expect(spelled("alice") == AuthenticatedIdentity(account: "Alice", handles: [.generic("Alice")]))
        #expect(directory.lookUp(.generic("ALICE")) == .account("Alice", CallerScreeningData()))
        #expect(directory.handleOfAnotherAccount([.generic("alice")], by: "ALICE") == nil)
        #expect(directory.handleOfAnotherAccount([.generic("alice")], by: "bob") == .generic("alice"))
        #expect(signIn("Alice").isEmpty)
        #expect(directory.all.map(\.devices) == [2])
    }

    @Test func `of two spellings of one handle in a token the first stays`() {
        let handles = [Handle.generic("Sales"), .generic("sales"), Handle(type: .emailAddress, value: "sales")]
        let identity = AuthenticatedIdentity(account: "bob", handles: handles)
        #expect(directory.spelled(identity).handles == [handles[0], handles[2]])
    }

    @Test mutating func `an account keeps its spelling while a device is signed in, whatever the list says`() {
        _ = directory.accept(list: [AccountRecord(name: "bob", handles: [.generic("bob")])])
        #expect(signIn("bob").isEmpty)
        let change = directory.accept(list: [AccountRecord(name: "Bob", handles: [.generic("Bob")])])
        #expect(change.removed.isEmpty && change.changed == ["Bob"])
        #expect(spelled("BOB").account == "bob")
        #expect(directory.lookUp(.generic("bob")) == .account("bob", CallerScreeningData()))
        #expect(directory.noteSignOut("bob") == false)
        #expect(spelled("BOB").account == "Bob")
        #expect(directory.accept(list: []).removed == ["Bob"])
        #expect(directory.lookUp(.generic("bob")) == .unknown)
    }

    @Test(arguments: ["Echo", "echo", "ECHO"]) mutating func `a built-in handle is reached in any case`(name: String) {
        _ = directory.accept(list: [AccountRecord(name: "x", handles: [.generic("Echo")])])
        #expect(directory.lookUp(.generic(name)) == .builtIn(.echo))
    }
}
