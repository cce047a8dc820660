import CommandLineTools
import Foundation
import HubMedia
import HubStore
import HubWire

/// `callhub music`: manages the music for parties on hold, of the hub and of its accounts.
package enum MusicCommand {
    static let account = Option(
        "--account",
        value: "NAME",
        help: "the music for those whom NAME holds; without it, that of all who have\nnone of their own"
    )
    static let json = Option(Command.json.name, help: "list: an array of objects, for programs")
    static let options = [account, json] + StoreLocation.options

    /// Runs a subcommand; returns the process's exit code.
    package static func run(_ arguments: [String]) async -> Int32 {
        let verbs = ["add", "list", "remove"]
        switch Command.choose("music", arguments, among: verbs, options: options, usage: usage) {
        case .handled(let code): return code
        case .verb(let verb, let rest):
            return await Command.run("music \(verb)", rest, options: options, usage: usage) { given in
                switch verb {
                case "add": try add(given)
                case "list": try list(given)
                default: try remove(given)
                }
            }
        }
    }

    private static func add(_ given: Arguments) throws {
        guard !given.words.isEmpty else { throw UsageError("music add needs a FILE or several; see --help.") }
        let location = try StoreLocation(given)
        let account = given[account]
        // Before minutes of encoding: the account must exist.
        _ = try location.use(creatingIfMissing: account == nil) { try $0.holdMusic(of: account) }
        for path in given.words {
            let name = String(visible(path.split(separator: "/").last.map(String.init) ?? path).prefix(longestName))
            let track = try encode(path)
            let target = account ?? "hub"
            _ = try location.use { file in
                try file.audited("music.add", on: target, name) { () throws(StoreError) in
                    try file.addHoldMusic(track.bytes, packets: track.packetCount, name: name, to: account)
                }
            }
            let size = size(track.bytes.count)
            try Command.print("Added \(name): \(duration(track.packetCount)), \(size).\n")
        }
        Console.err("It is played on hold where music is chosen: by the user who holds, or by calls.onHold.\n")
    }

    private static func encode(_ path: String) throws -> EncodedTrack {
        let limit = StoreFile.maximumHoldMusicBytes
        let track: EncodedTrack?
        do {
            track = try EncodedTrack.encoding(path, maximumBytes: limit)
        } catch {
            throw CommandFailure(3, "\(visible(error.message)).")
        }
        guard let track else {
            throw CommandFailure(3, "\(visible(path)) is too long: it would take more than \(size(limit)).")
        }
        return track
    }

    private static func list(_ given: Arguments) throws {
        _ = try given.words(after: "music list")
        let tracks = try StoreLocation(given).use { try $0.holdMusic(of: given[account]) }
        guard !given.has(Command.json) else { return try Command.print(jsonText(tracks.map(Listed.init))) }
        var table = TextTable("ID", "NAME", "LENGTH", "SIZE")
        for track in tracks {
            table.add(String(track.id), track.name, duration(track.packets), size(track.bytes))
        }
        try Command.print(tracks.isEmpty ? "" : table.text(isColoured: Terminal.hasColours))
        if tracks.isEmpty { Console.err("There is no music; callhub music add FILE adds some.\n") }
    }

    private static func remove(_ given: Arguments) throws {
        let word = try given.words("ID", after: "music remove")[0]
        guard let id = Int64(word), id > 0 else {
            throw UsageError("\(quoted(word)) is not the ID of a track; `callhub music list` shows the IDs.")
        }
        let account = given[account]
        let isRemoved = try StoreLocation(given).use { file in
            try file.audited("music.remove", on: account ?? "hub", word) { () throws(StoreError) in
                try file.removeHoldMusic(id, of: account)
            }
        }
        guard isRemoved else {
            throw CommandFailure(3, "there is no track \(word); `callhub music list` shows the IDs.")
        }
        try Command.print("The track \(word) is removed.\n")
    }

    // MARK: Texts

    /// A track as `--json` prints it.
    private struct Listed: Encodable {
        let id: Int64
        let name: String
        let seconds: Double
        let bytes: Int

        init(_ track: StoredTrack) {
            (id, name, bytes) = (track.id, track.name, track.bytes)
            seconds = Double(track.packets) / packetsPerSecond
        }
    }

    private static func duration(_ packets: Int) -> String {
        let seconds = Int((Double(packets) / packetsPerSecond).rounded(.up))
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }

    private static func size(_ bytes: Int) -> String { String(format: "%.1f MB", Double(bytes) / 1_000_000) }

    private static let packetsPerSecond = 50.0
    /// More: longer names of files are shown whole; wider tables.
    private static let longestName = 100

    private static let usage = """
        Usage: callhub music add FILE… [--account NAME]
               callhub music list [--account NAME] [--json]
               callhub music remove ID [--account NAME]

        The music that a hub plays to parties on hold: of an account to those whom it holds, or else the hub's own. The
        tracks are played in turn, from where they have stopped. FILE is a WAV or Ogg Opus file (.wav, .ogg, .opus); it is
        converted, and stored in the database with at most 20 MB for each account, some 80 minutes. A running hub applies
        a change at the next hold. Without any music it plays its built-in piece.

        Music is played only by choice: of the operator by calls.onHold in the configuration, of users by their setting.

        \(Arguments.table(options + [Command.help]))
        Exit codes: 0 success; 1 invalid command line; 2 the database cannot be used; 3 the file is no sound or too long,
        there is no such account or track, or there would be more than 20 MB.

        Examples:
          callhub music add waltz.ogg march.wav
          callhub music add own.opus --account bob
          callhub music list --account bob
          callhub music remove 3 --account bob

        """
}
