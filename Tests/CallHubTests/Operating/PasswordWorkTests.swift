import Foundation
import HubCrypto
import HubServer
import HubStore
import Testing

@testable import HubAccounts
@testable import HubConfiguration

/// Tests that a refused sign-in costs the same work for every name, so that its time reveals no account.
struct PasswordWorkTests {
    /// The hashes that the authenticator has verified, by their cost.
    private final class Work: @unchecked Sendable {
        private let lock = NSLock()
        private var costs: [String] = []

        func note(_ hash: PasswordHash) { lock.withLock { costs.append(hash.costText) } }

        func take() -> [String] {
            lock.withLock {
                defer { costs = [] }
                return costs.sorted()
            }
        }
    }

    private static let configured = PasswordCost(megabytes: 9, passes: 1)
    private static let former = PasswordCost(megabytes: 8, passes: 2)

    private let work = Work()
    private let book = AccountCache()
    private let keeper: HubAuthenticator

    /// A hub's accounts: each kind that a wrong password meets.
    init() async throws {
        let configured = try #require(Self.configured)
        let former = try #require(Self.former)
        func hash(_ cost: PasswordCost) throws -> String {
            try #require(PasswordHash(try Password("secret"), cost: cost)).text
        }
        let (current, stale) = (try hash(configured), try hash(former))
        let store = try Store(StoreSettings(":memory:"))
        await withCheckedContinuation { done in
            store.perform { file throws(StoreError) in
                try file.addAccount(NewAccount("current", passwordHash: current))
                try file.addAccount(NewAccount("stale", passwordHash: stale))
                try file.addAccount(NewAccount("disabled", passwordHash: current))
                try file.addAccount(NewAccount("disabled-stale", passwordHash: stale))
                try file.addAccount(NewAccount("token-only"))
                try file.setDisabled(true, "disabled")
                try file.setDisabled(true, "disabled-stale")
            } then: { _ in
                done.resume()
            }
        }
        book.take(try store.load().accounts)
        keeper = HubAuthenticator(
            .accounts,
            store,
            book,
            try TokenAuthenticator(TokenSettings(), invitationKey: InvitationTokens.freshKey(), revokedInvitations: []),
            cost: configured,
            maximumPasswordWait: .seconds(100),
            allowsAnyoneToAdminister: false
        ) { [work] hash, password in
            work.note(hash)
            return hash.matches(password)
        }
    }

    /// Signs in, and returns the refusal; nil: signed in.
    private func signIn(_ account: String, _ password: String) async -> AuthenticationFault? {
        await withCheckedContinuation { done in
            keeper.authenticate(Credentials(account: account, password: password)) { verdict in
                if case .failure(let refusal) = verdict {
                    done.resume(returning: refusal.kind)
                } else {
                    done.resume(returning: nil)
                }
            }
        }
    }

    private static let all = ["m=8192,t=2,p=1", "m=9216,t=1,p=1"]

    @Test(arguments: [
        "current", "stale", "disabled", "disabled-stale", "token-only", "nobody", " no name ",
    ])
    func `a wrong password costs one hash of each stored cost, for every name`(_ name: String) async {
        #expect(await signIn(name, "guess") == .wrongPassword)
        #expect(work.take() == Self.all)
    }

    @Test func `the right password of a disabled account costs the same as a wrong one`() async {
        for name in ["disabled", "disabled-stale"] {
            #expect(await signIn(name, "secret") == .wrongPassword)
            #expect(work.take() == Self.all)
        }
    }

    @Test func `a sign-in rehashes at the configured cost, and the last rehash lowers the cost of refusals`() async {
        for name in ["stale", "disabled-stale"] { #expect(book[name]?.passwordCost == Self.all.first) }
        #expect(await signIn("stale", "secret") == nil)
        _ = work.take()
        // The store has written the new hash before it reads this account.
        #expect(await signIn("nobody", "guess") == .wrongPassword)
        #expect(book["stale"]?.passwordCost == Self.all.last)
        #expect(work.take() == Self.all)
        book.noteRehash(of: "disabled-stale", at: Self.all[1])
        #expect(await signIn("nobody", "guess") == .wrongPassword)
        #expect(work.take() == [Self.all[1]])
    }

    @Test func `an impossible password is refused without hashing, for every name`() async {
        for name in ["current", "stale", "nobody"] {
            #expect(await signIn(name, "bell\u{7}") == .wrongPassword)
            #expect(work.take().isEmpty)
        }
    }
}
