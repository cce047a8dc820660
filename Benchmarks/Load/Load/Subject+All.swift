import BenchmarkClient
import BenchmarkSupport
import FoundationEssentials

extension Subject {
    /// The names of all programs, in the order in which they take turns.
    static let names = [
        hubName, unbatchedHubName, limitName, batchedLimitName, relayName, "websockets", "websockets-uvloop", "ws",
    ]
    /// The hub with its default settings.
    static let hubName = "callhub"
    /// The hub without batching, which writes each packet at once.
    static let unbatchedHubName = "callhub-unbatched"
    /// The theoretical limit: epoll, recv and send.
    static let limitName = "bare-epoll"
    /// The same, with batching for up to half a millisecond.
    static let batchedLimitName = "bare-epoll-batched"
    /// The yardstick: libwebsockets alone.
    static let relayName = "bare-relay"

    /// Returns the programs named by `options`; one that is not installed is reported and left out.
    static func all(_ options: Options) throws(BenchmarkError) -> [Subject] {
        let counter = FileManager.default.isReadableFile(atPath: options.counter) ? options.counter : nil
        var subjects: [Subject] = []
        for name in options.programs {
            guard var subject = try named(name, options) else { continue }
            guard FileManager.default.isExecutableFile(atPath: subject.path) else {
                say("callhub-bench: \(name) is left out: there is no program \(subject.path); `make bench` gets it")
                continue
            }
            subject.counter = counter
            subjects.append(subject)
        }
        return subjects
    }

    private static func named(_ name: String, _ options: Options) throws(BenchmarkError) -> Subject? {
        switch name {
        case hubName:
            return hub(name, options, file: try HubSettings.file())
        case unbatchedHubName:
            return hub(name, options, file: try HubSettings.file("server: { batchMicroseconds: 0 }"))
        case limitName:
            return Subject(name: name, clients: .pairs, path: options.folder + "/bare-epoll", arguments: [])
        case batchedLimitName:
            let path = options.folder + "/bare-epoll"
            return Subject(name: name, clients: .pairs, path: path, arguments: ["--batch", "500"])
        case relayName:
            return Subject(name: name, clients: .pairs, path: options.folder + "/bare-relay", arguments: [])
        case "websockets", "websockets-uvloop":
            return websockets(name, options)
        case "ws":
            var subject = Subject(
                name: name,
                clients: .pairs,
                path: options.node,
                arguments: [options.competitors + "/ws-relay.js"]
            )
            // The folder of Debian's Node modules.
            subject.environment = ["NODE_PATH": "/usr/share/nodejs"]
            return subject
        default:
            return nil
        }
    }

    private static func hub(_ name: String, _ options: Options, file: AnonymousFile) -> Subject {
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--config", file.path]
        return Subject(
            name: name,
            clients: .accounts,
            path: options.hub,
            arguments: arguments + options.hubArguments,
            file: file
        )
    }

    private static func websockets(_ name: String, _ options: Options) -> Subject {
        let script = options.competitors + "/websockets-relay.py"
        let loop = name == "websockets" ? [] : ["--uvloop"]
        return Subject(name: name, clients: .pairs, path: options.python, arguments: [script] + loop)
    }
}
