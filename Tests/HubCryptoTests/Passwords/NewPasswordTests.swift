import HubCrypto
import HubWire
import Testing

/// The checks of a password that a user chooses, and the secrets of invitations.
struct NewPasswordTests {
    private func error(of text: String, for account: String = "rosa") -> NewPasswordError? {
        do throws(NewPasswordError) {
            _ = try NewPassword(text, for: account)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["", "7", "1234567", "Rosenko", "일이삼사오육칠"])
    func `a password of less than eight characters is too short`(text: String) {
        #expect(error(of: text) == .tooShort)
    }

    @Test(arguments: ["password", "PassWord", "12345678", "iloveyou", "football", "baseball1", "aaaaaaaaaaaaaaaa"])
    func `a password that many people have is too common, in whatever case`(text: String) {
        #expect(error(of: text) == .tooCommon)
    }

    @Test func `a password may not be the account's name`() {
        #expect(error(of: "Rosa Luxemburg", for: "rosa luxemburg") == .isAccountName)
    }

    @Test func `a password that no account may have says why`() {
        #expect(error(of: String(repeating: "ab", count: 513)) == .unusable(.tooLong))
        #expect(error(of: "Rosenkohl\u{7}") == .unusable(.disallowedCharacter))
    }

    @Test(arguments: ["Rosenkohl 7", "일이삼사오육칠팔", "Rosenkoh"])
    func `eight characters that nobody else has are enough`(text: String) throws {
        #expect(error(of: text) == nil)
        _ = try NewPassword(String(repeating: "ab", count: 512), for: "rosa")
    }

    @Test func `a secret has 16 bytes, is new each time, and hashes to the same each time`() throws {
        let (one, other) = (InvitationSecret(), InvitationSecret())
        #expect(one != other)
        #expect(Base64URL.bytes(of: one.text)?.count == 16)
        #expect(InvitationSecret(one.text)?.hash == one.hash)
        #expect(one.hash.count == 32)
        #expect(one.link(to: "https://hub.example") == "https://hub.example/#i=\(one.text)")
        #expect(one.link(to: "https://hub.example/p/").utf8.count == "https://hub.example/p/".utf8.count + 25)
    }

    @Test func `a text of another length or alphabet is no secret`() {
        let right = String(repeating: "A", count: 22)
        #expect(InvitationSecret(right) != nil)
        for wrong in ["", String(right.dropLast()), right + "A", "+" + right.dropFirst(), right.dropLast() + "B"] {
            #expect(InvitationSecret(wrong) == nil, "\(wrong)")
        }
    }
}
