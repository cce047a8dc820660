import BenchmarkClient
import BenchmarkSupport
import FoundationEssentials

extension ProgramUnderTest {
    /// The names of all programs, in the order in which they take turns.
    static let names = [
        hubName, unbatchedHubName, limitName, batchedLimitName, relayName, secureHubName, secureRelayName,
        "websockets", "websockets-uvloop", "ws",
    ]
    /// The hub with its default settings.
    static let hubName = "callhub"
    /// The hub without batching, which writes each packet at once.
    static let unbatchedHubName = "callhub-unbatched"
    /// The theoretical limit: epoll, recv and send.
    static let limitName = "bare-epoll"
    /// The same, with batching for up to half a millisecond.
    static let batchedLimitName = "bare-epoll-batched"
    /// The baseline: libwebsockets alone.
    static let relayName = "bare-relay"

    /// The hub with its default settings, under TLS.
    static let secureHubName = "callhub-tls"
    /// The baseline under TLS: libwebsockets with OpenSSL.
    static let secureRelayName = "bare-relay-tls"

    /// Returns the name of the bare libwebsockets relay with the transport of the named program: in clear or under TLS.
    static func relayName(beside name: String) -> String {
        isSecure(name) ? secureRelayName : relayName
    }

    /// Returns the programs named by `options`; one that is not installed is reported and left out.
    static func all(_ options: Options) throws(BenchmarkError) -> [ProgramUnderTest] {
        let counter = FileManager.default.isReadableFile(atPath: options.counter) ? options.counter : nil
        let encryption = try options.programs.contains(where: isSecure) ? Encryption() : nil
        var subjects: [ProgramUnderTest] = []
        for name in options.programs {
            guard var subject = try named(name, options, isSecure(name) ? encryption : nil) else { continue }
            guard FileManager.default.isExecutableFile(atPath: subject.path) else {
                say("callhub-bench: \(name) is left out: there is no program \(subject.path); `make bench` gets it")
                continue
            }
            subject.counter = counter
            subjects.append(subject)
        }
        return subjects
    }

    private static func isSecure(_ name: String) -> Bool { name == secureHubName || name == secureRelayName }

    private static func named(
        _ name: String,
        _ options: Options,
        _ encryption: Encryption?
    ) throws(BenchmarkError) -> ProgramUnderTest? {
        switch name {
        case hubName, secureHubName:
            return hub(name, options, file: try HubSettings.file(encryption?.hubSettings ?? ""), encryption)
        case unbatchedHubName:
            return hub(name, options, file: try HubSettings.file("server: { batchMicroseconds: 0 }"))
        case limitName:
            return ProgramUnderTest(name: name, clients: .pairs, path: options.folder + "/bare-epoll", arguments: [])
        case batchedLimitName:
            let path = options.folder + "/bare-epoll"
            return ProgramUnderTest(name: name, clients: .pairs, path: path, arguments: ["--batch", "500"])
        case relayName, secureRelayName:
            var subject = ProgramUnderTest(
                name: name,
                clients: .pairs,
                path: options.folder + "/bare-relay",
                arguments: []
            )
            subject.arguments = encryption?.relayArguments ?? []
            subject.encryption = encryption
            return subject
        case "websockets", "websockets-uvloop":
            return websockets(name, options)
        case "ws":
            var subject = ProgramUnderTest(
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

    private static func hub(
        _ name: String,
        _ options: Options,
        file: AnonymousFile,
        _ encryption: Encryption? = nil
    ) -> ProgramUnderTest {
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--config", file.path]
        return ProgramUnderTest(
            name: name,
            clients: .accounts,
            path: options.hub,
            arguments: arguments + options.hubArguments,
            file: file,
            encryption: encryption
        )
    }

    private static func websockets(_ name: String, _ options: Options) -> ProgramUnderTest {
        let script = options.competitors + "/websockets-relay.py"
        let loop = name == "websockets" ? [] : ["--uvloop"]
        return ProgramUnderTest(name: name, clients: .pairs, path: options.python, arguments: [script] + loop)
    }
}
