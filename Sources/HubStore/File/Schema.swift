/// The tables, as migrations from version to version.
///
/// A migration that was released is never changed; a change of the tables is another one.
enum Schema {
    /// The migrator; its application ID is "Call" in ASCII.
    static let migrator = Migrator(migrations: steps, applicationID: 0x4361_6C6C)

    private static let steps = [
        first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh, twelfth, thirteenth,
        fourteenth, fifteenth, sixteenth, seventeenth,
    ]

    // Compared texts have a column of their own (`key`), since SQLite compares bytes and Swift compares what text
    // means. Data that is only ever read as a whole is JSON. Directory entries are in chunks, of which a small load
    // changes few.
    private static let first = Migration(
        sql: """
            CREATE TABLE accounts (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                key TEXT NOT NULL UNIQUE,
                name TEXT NOT NULL,
                created_at INTEGER,
                password_hash TEXT,
                is_admin INTEGER NOT NULL DEFAULT 0,
                is_disabled INTEGER NOT NULL DEFAULT 0,
                first_seen_at INTEGER NOT NULL,
                last_seen_at INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX accounts_by_last_seen ON accounts (last_seen_at) WHERE created_at IS NULL;

            CREATE TABLE account_handles (
                key TEXT PRIMARY KEY,
                account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
                position INTEGER NOT NULL,
                type INTEGER NOT NULL,
                value TEXT NOT NULL
            ) STRICT;
            CREATE INDEX account_handles_by_account ON account_handles (account, position);

            CREATE TABLE settings (
                account INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
                do_not_disturb INTEGER NOT NULL,
                quiet_hours TEXT NOT NULL,
                time_zone TEXT NOT NULL,
                quiet_devices TEXT NOT NULL,
                display_name TEXT NOT NULL
            ) STRICT;

            CREATE TABLE block_rules (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
                key TEXT NOT NULL,
                type INTEGER,
                value TEXT NOT NULL,
                UNIQUE (account, key)
            ) STRICT;

            CREATE TABLE contacts (
                id INTEGER PRIMARY KEY,
                account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
                key TEXT NOT NULL,
                identifier TEXT NOT NULL,
                name TEXT NOT NULL,
                is_favorite INTEGER NOT NULL,
                breaks_through INTEGER NOT NULL,
                UNIQUE (account, key)
            ) STRICT;
            CREATE TABLE contact_handles (
                contact INTEGER NOT NULL REFERENCES contacts ON DELETE CASCADE,
                position INTEGER NOT NULL,
                type INTEGER NOT NULL,
                value TEXT NOT NULL,
                PRIMARY KEY (contact, position)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE recents (
                arrival INTEGER PRIMARY KEY AUTOINCREMENT,
                id BLOB NOT NULL UNIQUE,
                account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
                handle_type INTEGER NOT NULL,
                handle TEXT NOT NULL,
                name TEXT NOT NULL,
                is_outgoing INTEGER NOT NULL,
                outcome TEXT NOT NULL,
                is_silenced INTEGER NOT NULL,
                devices TEXT NOT NULL,
                started_at INTEGER NOT NULL,
                connected_at INTEGER,
                ended_at INTEGER NOT NULL,
                is_seen INTEGER NOT NULL DEFAULT 0,
                text_bytes INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX recents_by_account ON recents (account, arrival);
            CREATE INDEX recents_by_end ON recents (ended_at);

            CREATE TABLE directories (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
                key TEXT NOT NULL,
                identifier TEXT NOT NULL,
                is_enabled INTEGER NOT NULL DEFAULT 1,
                loaded_at INTEGER,
                blocking INTEGER NOT NULL DEFAULT 0,
                identification INTEGER NOT NULL DEFAULT 0,
                UNIQUE (account, key)
            ) STRICT;
            CREATE TABLE directory_chunks (
                directory INTEGER NOT NULL REFERENCES directories ON DELETE CASCADE,
                kind INTEGER NOT NULL,
                first_number INTEGER NOT NULL,
                entries BLOB NOT NULL,
                UNIQUE (directory, kind, first_number)
            ) STRICT;

            CREATE TABLE push_subscriptions (
                endpoint TEXT PRIMARY KEY,
                account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
                device TEXT NOT NULL,
                p256dh BLOB NOT NULL,
                auth BLOB NOT NULL,
                created_at INTEGER NOT NULL,
                last_used_at INTEGER
            ) STRICT;
            CREATE INDEX push_subscriptions_by_account ON push_subscriptions (account);

            CREATE TABLE secrets (
                name TEXT PRIMARY KEY,
                value BLOB NOT NULL
            ) STRICT;

            -- The journal of Recents whose entries before the position are in this file.
            CREATE TABLE journal (
                only INTEGER PRIMARY KEY CHECK (only = 1),
                id INTEGER NOT NULL,
                position INTEGER NOT NULL
            ) STRICT;
            """
    )

    private static let second = Migration(
        sql: """
            -- Accounts that were erased, until the running hub has released them too (StoreFile+Erasing).
            CREATE TABLE erasures (
                key TEXT PRIMARY KEY
            ) STRICT;
            """
    )

    private static let third = Migration(
        sql: """
            -- Which of an account's passwords it is: whoever signed in by another one must go.
            ALTER TABLE accounts ADD COLUMN password_version INTEGER NOT NULL DEFAULT 0;
            """
    )

    private static let fourth = Migration(
        sql: """
            -- The link by which a caller has come, and the number of calls of its guests that are one entry.
            ALTER TABLE recents ADD COLUMN link TEXT;
            ALTER TABLE recents ADD COLUMN count INTEGER NOT NULL DEFAULT 1;
            CREATE INDEX recents_by_link ON recents (account, link, outcome) WHERE link IS NOT NULL;
            """
    )

    private static let fifth = Migration(
        sql: """
            -- The call links that were made, without their tokens, and those that were revoked one by one. A link of before
            -- they were listed has its identifier alone.
            CREATE TABLE links (
                id TEXT PRIMARY KEY,
                callee_type INTEGER,
                callee TEXT,
                name TEXT,
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                revoked_at INTEGER
            ) STRICT;
            CREATE INDEX links_by_end ON links (expires_at);
            """
    )

    private static let sixth = Migration(
        sql: """
            -- Sentences for the operator, until the next hub has logged them.
            CREATE TABLE notices (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                text TEXT NOT NULL
            ) STRICT;
            -- Names, in normal form C, by which a journal from before the sixth version calls accounts that have another
            -- name since; without an account, one that was erased.
            CREATE TABLE former_names (
                name TEXT PRIMARY KEY,
                account INTEGER REFERENCES accounts ON DELETE SET NULL
            ) STRICT;
            """,
        // Accounts and handles are compared without case from here on.
        convert: { database throws(DatabaseError) in try NameFolding.convert(database) }
    )

    private static let seventh = Migration(
        sql: """
            -- Whether the other members of groups are told who the account is.
            ALTER TABLE settings ADD COLUMN is_named_in_groups INTEGER NOT NULL DEFAULT 1;
            """
    )

    private static let eighth = Migration(
        sql: """
            -- The directory of the house: the name and department that the operator or a token gives, and the user's choice
            -- to be found there; NULL: as by default.
            ALTER TABLE accounts ADD COLUMN person_name TEXT;
            ALTER TABLE accounts ADD COLUMN department TEXT;
            ALTER TABLE settings ADD COLUMN is_listed INTEGER;
            """
    )

    private static let ninth = Migration(
        sql: """
            ALTER TABLE contacts ADD COLUMN ringtone TEXT;
            -- Photos of an account's contacts, by the contact's key. No contact has an empty key: that is free for a photo of
            -- the account's own user.
            CREATE TABLE photos (
                id INTEGER PRIMARY KEY,
                account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
                key TEXT NOT NULL,
                hash TEXT NOT NULL,
                data BLOB NOT NULL,
                UNIQUE (account, key)
            ) STRICT;
            """
    )

    private static let tenth = Migration(
        sql: """
            -- The name of the link by which a guest with a name of its own has come, and whether the guests of a link give one.
            ALTER TABLE recents ADD COLUMN link_name TEXT;
            ALTER TABLE links ADD COLUMN guests_give_names INTEGER NOT NULL DEFAULT 0;
            """
    )

    private static let eleventh = Migration(
        sql: """
            -- Invitations by a secret, beside the links by a token: the purpose (0: calls of guests, else the role of a new
            -- account), the secret's SHA-256, the account that made it, and how far it was used.
            ALTER TABLE links ADD COLUMN purpose INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE links ADD COLUMN secret_hash BLOB;
            ALTER TABLE links ADD COLUMN creator INTEGER REFERENCES accounts ON DELETE SET NULL;
            ALTER TABLE links ADD COLUMN account TEXT;
            ALTER TABLE links ADD COLUMN maximum_calls INTEGER;
            ALTER TABLE links ADD COLUMN calls INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE links ADD COLUMN used_at INTEGER;
            CREATE UNIQUE INDEX links_by_secret ON links (secret_hash) WHERE secret_hash IS NOT NULL;
            CREATE INDEX links_by_creator ON links (creator) WHERE creator IS NOT NULL;
            """
    )

    private static let twelfth = Migration(
        sql: """
            -- The audit log, each entry with the hash of the one before (StoreFile+Audit), and the last entry that was
            -- removed for its age. AUTOINCREMENT keeps the highest number even if entries at the end are removed.
            CREATE TABLE audit (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                at INTEGER NOT NULL,
                origin TEXT NOT NULL,
                account TEXT,
                device TEXT,
                address TEXT,
                user TEXT,
                act TEXT NOT NULL,
                target TEXT,
                detail TEXT,
                result TEXT NOT NULL,
                reason TEXT,
                previous BLOB NOT NULL,
                hash BLOB NOT NULL
            ) STRICT;
            CREATE TABLE audit_start (
                only INTEGER PRIMARY KEY CHECK (only = 1),
                number INTEGER NOT NULL,
                hash BLOB NOT NULL
            ) STRICT;
            """
    )

    private static let thirteenth = Migration(
        sql: """
            -- The users of OpenID providers by whose sign-in an account is used.
            CREATE TABLE identities (
                issuer TEXT NOT NULL,
                subject TEXT NOT NULL,
                account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
                linked_at INTEGER NOT NULL,
                PRIMARY KEY (issuer, subject)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX identities_by_account ON identities (account);
            """
    )

    private static let fourteenth = Migration(
        sql: """
            -- Passkeys (WebAuthn) by the IDs of their credentials, each for one host name of the hub, and the user handle by
            -- which authenticators know an account.
            ALTER TABLE accounts ADD COLUMN passkey_user BLOB;
            CREATE TABLE passkeys (
                id BLOB PRIMARY KEY,
                account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
                site TEXT NOT NULL,
                name TEXT NOT NULL,
                algorithm INTEGER NOT NULL,
                public_key BLOB NOT NULL,
                counter INTEGER NOT NULL,
                created_at INTEGER NOT NULL,
                last_used_at INTEGER
            ) STRICT;
            CREATE INDEX passkeys_by_account ON passkeys (account, created_at);
            """
    )

    private static let fifteenth = Migration(
        sql: """
            -- Whether a call was a video call, the name of the provider that it was of, and whether its caller is unknown; the
            -- title of a call directory, shown in front of its labels.
            ALTER TABLE recents ADD COLUMN has_video INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE recents ADD COLUMN provider TEXT;
            ALTER TABLE recents ADD COLUMN is_unknown INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE directories ADD COLUMN title TEXT;
            """
    )

    private static let sixteenth = Migration(
        sql: """
            -- Whether a transfer may connect the user with a stranger.
            ALTER TABLE settings ADD COLUMN accepts_transferred_strangers INTEGER NOT NULL DEFAULT 1;
            """
    )

    private static let seventeenth = Migration(
        sql: """
            -- The sound for parties on hold: "silence", "tone" or "music"; NULL: as by default of the hub.
            ALTER TABLE settings ADD COLUMN hold_audio TEXT;
            -- The music for them, as Opus packets of 20 ms behind their lengths: of an account, or the hub's own (NULL).
            -- AUTOINCREMENT: no track gets the number of an earlier one, by which a hub knows what it has in memory.
            CREATE TABLE hold_music (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                account INTEGER REFERENCES accounts ON DELETE CASCADE,
                name TEXT NOT NULL,
                packets INTEGER NOT NULL,
                data BLOB NOT NULL
            ) STRICT;
            CREATE INDEX hold_music_by_account ON hold_music (account);
            """
    )
}
