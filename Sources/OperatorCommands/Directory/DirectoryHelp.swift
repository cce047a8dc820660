import CommandLineTools

extension DirectoryCommand {
    static let usage = """
        Usage: callhub directory load FILE.csv|FILE.vcf --account NAME [OPTIONS]
               callhub directory list --account NAME [OPTIONS]
               callhub directory empty|enable|disable NAME --account NAME [OPTIONS]

        An account's call directories say what numbers are called and which ones may not call; they are asked when a call
        comes, after the account's own contacts and block list. load replaces a directory whole, or leaves it as it was;
        with --incremental it changes it. empty takes everything out of one, and leaves its name in the list.

        \(Arguments.table(options + [Command.help]))
        FILE.csv has a line for each number, `+49 30 12345,Name` or `+49 30 12345,block`; the first one may be a heading.
        Names with commas stand in double quotes, a name that is the word block, too. FILE.vcf has vCards of versions 2.1,
        3.0 or 4.0: each number (TEL) gets the card's name (FN). Numbers have their country code, and what people put
        between digits does not matter. The order does not matter, nor does what is there twice. The text is UTF-8 or
        UTF-16; a semicolon or a tab may stand in the place of the comma, if it does so from the first line on.

        Of the lines that are wrong ten are named by their numbers on standard error, and nothing is loaded, unless
        --skip-bad is said.
        On a terminal the password is asked for.

        Exit codes: 0 done; 1 the command line is wrong; 2 the hub cannot be reached, does not let the account in, or was
        lost; 3 the hub refuses it (no such directory, too many entries, disabled, another load is under way, which is
        forgotten after a minute where nobody goes on with it); 4 the file cannot be read, or has lines that are wrong:
        nothing was loaded.

        Examples:
          callhub directory load spam.csv --account alice
          callhub directory load addresses.vcf --account alice --extension work --country-code 49
          callhub directory load --remove gone.csv --incremental --extension spam --account alice
          callhub directory list --account alice --json | jq '.[] | select(.enabled) | .extension'
          callhub directory disable spam --account alice --password-stdin < alice.password

        """
}
