import HubEngine
import Testing

@testable import HubServer

/// The accounts that an `open` hub knows, and their removal.
struct AccountDirectoryTests {
    private var directory = AccountDirectory()

    private mutating func signIn(_ name: String) -> [String] { directory.noteSignIn(name, [.generic(name)]) }

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
}
