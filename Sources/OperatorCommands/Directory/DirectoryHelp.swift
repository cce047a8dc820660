import CommandLineTools

extension DirectoryCommand {
    static let usage = """
        Usage: callhub directory load FILE.csv|FILE.vcf --account NAME [OPTIONS]
               callhub directory list --account NAME [OPTIONS]
               callhub directory empty|enable|disable|reload NAME --account NAME [OPTIONS]

        An account's call directories contain labels of numbers, and blocked numbers. The hub looks callers up in them
        after the account's own contacts and block list. load replaces all entries of a directory, or none after an
        error; with --incremental it adds and removes entries. empty removes all entries and keeps the directory's name.
        reload asks the account's signed-in devices to load the directory again; list shows why the last load failed.

        \(Arguments.table(options + [Command.help]))
        FILE.csv has one line for each number, `+49 30 12345,Name` or `+49 30 12345,block`; the first line may be a
        heading. A name that contains commas, or is the word block, is enclosed in double quotes. FILE.vcf has vCards of
        version 2.1, 3.0 or 4.0: each number (TEL) gets the card's name (FN). Numbers require a country code; spaces and
        punctuation between digits are ignored, and so are the order of the lines and duplicates. The encoding is UTF-8
        or UTF-16; the separator is a comma, semicolon or tab, as in the first line.

        The first ten invalid lines are listed on standard error, and nothing is loaded, unless --skip-bad is given.
        On a terminal, the command prompts for the password.

        Exit codes: 0 success; 1 invalid command line; 2 the hub cannot be reached or refuses the sign-in, or the
        connection was lost; 3 the hub refuses the request (no such directory, too many entries, disabled, or another
        load is in progress, which times out after a minute without data); 4 the file cannot be read or has invalid
        lines: nothing was loaded.

        Examples:
          callhub directory load spam.csv --account alice
          callhub directory load addresses.vcf --account alice --extension work --country-code 49
          callhub directory load --remove gone.csv --incremental --extension spam --account alice
          callhub directory list --account alice --json | jq '.[] | select(.enabled) | .extension'
          callhub directory disable spam --account alice --password-stdin < alice.password

        """
}
