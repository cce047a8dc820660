/// What it costs to try one password: memory and passes over it, by argon2id (RFC 9106) with one lane.
///
/// The default is RFC 9106's choice for machines that do not have 2 GB for it (section 4): 64 MiB and three passes.
/// OWASP asks for 19 MiB and two passes at least; so this is five times that, and some 0.1 s of a core a sign-in.
public struct PasswordCost: Hashable, Sendable {
    /// 64 MiB, three passes.
    public static let standard = PasswordCost(checkedMegabytes: 64, passes: 3)

    /// What may be chosen as memory, in MiB.
    ///
    /// More: the hub could not pay for a few sign-ins at once; less: a graphics card tries as fast as ever.
    public static let megabyteLimits = 8...4096
    /// What may be chosen as passes.
    ///
    /// More: a sign-in takes seconds; there is no less.
    public static let passLimits = 1...100

    /// How much memory one try takes, in MiB.
    ///
    /// More: each guess costs an attacker's hardware more, and the hub as much; less: more sign-ins at once.
    public let megabytes: Int
    /// How often all of it is gone through.
    ///
    /// More: each guess takes longer, and each sign-in; less: the other way round.
    public let passes: Int

    /// A cost.
    ///
    /// - Returns: Nil outside of ``megabyteLimits`` and ``passLimits``.
    public init?(megabytes: Int, passes: Int) {
        guard Self.megabyteLimits.contains(megabytes), Self.passLimits.contains(passes) else { return nil }
        self.init(checkedMegabytes: megabytes, passes: passes)
    }

    private init(checkedMegabytes megabytes: Int, passes: Int) {
        self.megabytes = megabytes
        self.passes = passes
    }

    /// The cost as a hash's text has it: `m=65536,t=3,p=1`.
    public var text: String { "m=\(megabytes << 10),t=\(passes),p=1" }

    var bytes: Int { megabytes << 20 }
}
