/// The cost of one password verification: memory and passes of argon2id (RFC 9106) with one lane.
///
/// The default is RFC 9106's choice for machines without 2 GB to spare (section 4): 64 MiB and three passes. OWASP
/// requires 19 MiB and two passes at least; so this is five times that, and some 0.1 s of a core for each sign-in.
public struct PasswordCost: Hashable, Sendable {
    /// 64 MiB, three passes.
    public static let standard = PasswordCost(checkedMegabytes: 64, passes: 3)

    /// The permitted memory, in MiB.
    ///
    /// More: the hub could not afford a few sign-ins at once; less: a graphics card guesses as fast as ever.
    public static let megabyteLimits = 8...4096
    /// The permitted number of passes.
    ///
    /// More: a sign-in takes seconds; fewer than one is impossible.
    public static let passLimits = 1...100

    /// The memory of one verification, in MiB.
    ///
    /// More: each guess costs an attacker's hardware more, and the hub as much; less: more sign-ins at once.
    public let megabytes: Int
    /// The number of passes over the memory.
    ///
    /// More: each guess takes longer, and each sign-in; less: the other way round.
    public let passes: Int

    /// Creates a cost from memory in MiB and a number of passes.
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

    /// The cost in the encoding of a hash: `m=65536,t=3,p=1` (KiB, passes, lanes).
    public var text: String { "m=\(megabytes << 10),t=\(passes),p=1" }

    var bytes: Int { megabytes << 20 }
}
