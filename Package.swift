// swift-tools-version: 6.3

import PackageDescription

/// The settings that every Swift target is built with.
///
/// The proposal of each feature (SE-…) says what it changes.
let common: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
]

/// The settings of pure targets, which must not contain any unsafe expression (SE-0458).
let pure = common + [.strictMemorySafety()]

extension Target {
    /// A module of Apple's for systems that have none; on Apple's systems it is empty.
    static func appleModule(_ name: String, dependencies: [Dependency]) -> Target {
        #if os(Linux)
        return .target(name: name, dependencies: dependencies, swiftSettings: common)
        #else
        return .target(name: name, sources: [], swiftSettings: common)
        #endif
    }

    /// A sample app with typed commands, in `Samples`.
    static func sample(_ name: String, modules: [Dependency], resources: [String] = []) -> Target {
        .executableTarget(
            name: name,
            dependencies: ["CallKit", "CallSystem", "SampleTerminal"] + modules,
            path: "Samples/\(name)",
            exclude: resources.isEmpty ? [] : ["Resources/make.py"],
            resources: resources.map { .copy("Resources/\($0)") },
            swiftSettings: common
        )
    }
}

let package = Package(
    name: "CallHub",
    products: [
        .executable(name: "callhub", targets: ["callhub"]),
        .library(name: "HubClient", targets: ["HubClient"]),
        .library(name: "HubEngine", targets: ["HubEngine"]),
        .library(
            name: "HubServer",
            targets: ["HubACME", "HubAccounts", "HubConfiguration", "HubCrypto", "HubEngine", "HubServer", "HubStore"]
        ),
        .library(name: "ScenarioKit", targets: ["ScenarioKit"]),
        .library(name: "ScenarioSimulation", targets: ["ScenarioSimulation"]),
        .library(name: "ScenarioApps", targets: ["ScenarioApps"]),
        .library(name: "CallSystem", targets: ["CallSystem"]),
        .library(name: "CallKit", targets: ["CallKit"]),
        .library(name: "PushKit", targets: ["PushKit"]),
        .library(name: "Intents", targets: ["Intents"]),
        .library(name: "LiveCommunicationKit", targets: ["LiveCommunicationKit"]),
        .library(name: "AVFAudio", targets: ["AVFAudio"]),
        .library(name: "AVFoundation", targets: ["AVFoundation"]),
        .executable(name: "callhub-bench", targets: ["callhub-bench"]),
        .executable(name: "callhub-trials", targets: ["callhub-trials"]),
        .executable(name: "callhub-bench-connections", targets: ["callhub-bench-connections"]),
        .executable(name: "callhub-bench-loops", targets: ["callhub-bench-loops"]),
        .executable(name: "callhub-bench-mumble", targets: ["callhub-bench-mumble"]),
        .executable(name: "callhub-engine-bench", targets: ["callhub-engine-bench"]),
        .executable(name: "callhub-bench-presence", targets: ["callhub-bench-presence"]),
        .executable(name: "callhub-bench-store", targets: ["callhub-bench-store"]),
        .executable(name: "callhub-bench-callkit", targets: ["callhub-bench-callkit"]),
        .executable(name: "callhub-bench-screen", targets: ["callhub-bench-screen"]),
        .executable(name: "bare-relay", targets: ["bare-relay"]),
        .executable(name: "bare-epoll", targets: ["bare-epoll"]),
    ],
    targets: [
        // C libraries from Debian: a module map and a header of shims each.
        .systemLibrary(
            name: "CLibWebSockets",
            pkgConfig: "libwebsockets",
            providers: [.apt(["libwebsockets-dev", "libwebsockets-evlib-uv"])]
        ),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
        .systemLibrary(name: "COpus", pkgConfig: "opus", providers: [.apt(["libopus-dev"])]),
        .systemLibrary(name: "COgg", pkgConfig: "ogg", providers: [.apt(["libogg-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),

        // Pure: no I/O, no clock, and no randomness; time and seeds are passed in.
        .target(name: "HubEngine", swiftSettings: pure),
        .target(name: "HubAccountData", dependencies: ["HubEngine"], swiftSettings: pure),
        .target(name: "HubWire", dependencies: ["HubAccountData", "HubEngine"], swiftSettings: pure),

        // One adapter for each foreign library; LoopMailbox is the part of libuv's that server and client share.
        .target(name: "LoopMailbox", dependencies: ["CUV"], swiftSettings: common),
        .target(
            name: "HubCrypto",
            dependencies: ["HubAccountData", "HubWire", "COpenSSL", "CSodium"],
            swiftSettings: common
        ),
        .target(name: "HubCertificates", dependencies: ["COpenSSL", "CUV"], swiftSettings: common),
        .target(name: "QRCode", dependencies: ["CQREncode"], swiftSettings: common),
        .target(name: "HubMedia", dependencies: ["COpus", "COgg"], swiftSettings: common),
        // Without I/O and clock, like the pure ones; codecs are C.
        .target(name: "HubMixing", dependencies: ["HubMedia", "HubWire"], swiftSettings: common),
        .target(
            name: "HubStore",
            dependencies: ["HubAccountData", "HubCrypto", "HubEngine", "HubWire", "CSQLite"],
            swiftSettings: common
        ),
        .target(
            name: "HubServer",
            dependencies: [
                "HubAccountData", "HubCrypto", "HubEngine", "HubMixing", "HubWire", "HubMedia", "LoopMailbox", "CCurl",
                "CLibWebSockets", "COpenSSL", "CUV",
            ],
            swiftSettings: common
        ),
        .target(name: "HTTPClient", dependencies: ["CCurl"], swiftSettings: common),
        .target(
            name: "HubACME",
            dependencies: ["HTTPClient", "HubCrypto", "HubEngine", "HubWire", "CCurl", "COpenSSL"],
            swiftSettings: common
        ),
        .target(
            name: "HubSimulator",
            dependencies: ["HubAccountData", "HubEngine", "HubServer"],
            swiftSettings: common
        ),
        .target(
            name: "HubClient",
            dependencies: ["HubAccountData", "HubEngine", "HubWire", "LoopMailbox", "CLibWebSockets", "CUV"],
            swiftSettings: common
        ),
        .target(
            name: "ScenarioKit",
            dependencies: ["HubAccountData", "HubEngine", "HubWire", "HubMedia", "HubClient"],
            swiftSettings: common
        ),
        .target(
            name: "ScenarioSimulation",
            dependencies: ["HubEngine", "HubServer", "HubSimulator", "ScenarioKit"],
            swiftSettings: common
        ),

        // The telephone system of a device, and the modules of Apple's that apps know it by.
        .target(
            name: "CallSystem",
            dependencies: [
                "CallAudio", "HubAccountData", "HubClient", "HubEngine", "HubMedia", "HubServer", "HubSimulator",
                "HubWire",
            ],
            swiftSettings: common
        ),
        .appleModule("AVFAudio", dependencies: ["CallAudio", "CallSystem", "HubMedia"]),
        .appleModule("PushKit", dependencies: ["CallSystem"]),
        .appleModule("Intents", dependencies: ["CallSystem"]),
        .appleModule("AVFoundation", dependencies: ["AVFAudio"]),
        .appleModule("CallKit", dependencies: ["AVFAudio", "CallSystem", "HubAccountData", "HubEngine", "HubWire"]),

        .appleModule("LiveCommunicationKit", dependencies: ["AVFAudio", "CallSystem", "HubEngine", "HubWire"]),

        // Scenarios with apps on CallKit as the phones of parties.
        .appleModule(
            "ScenarioApps",
            dependencies: [
                "CallKit", "CallSystem", "HubEngine", "HubServer", "HubSimulator", "HubWire", "ScenarioKit",
                "ScenarioSimulation",
            ]
        ),

        // Apps as documents describe them, with typed commands.
        .target(
            name: "SampleTerminal",
            dependencies: ["CallSystem"],
            path: "Samples/Terminal",
            swiftSettings: common
        ),
        .sample(
            "MonkeyCall",
            modules: ["AVFAudio", "Intents", "PushKit"],
            resources: ["monkey.png", "monkeys.wav"]
        ),
        .sample("Hotline", modules: ["AVFAudio", "PushKit"]),
        .sample("Directory", modules: []),

        // A hub with accounts, for programs that embed one.
        .target(
            name: "HubConfiguration",
            dependencies: [
                "HubACME", "HubAccountData", "HubCertificates", "HubCrypto", "HubEngine", "HubServer", "HubStore",
                "HubWire",
            ],
            swiftSettings: common
        ),
        .target(
            name: "HubAccounts",
            dependencies: [
                "HTTPClient", "HubACME", "HubAccountData", "HubCertificates", "HubConfiguration", "HubCrypto",
                "HubEngine",
                "HubServer", "HubStore", "HubWire", "QRCode",
            ],
            swiftSettings: common
        ),

        // The program, and the libraries of its commands.
        .target(name: "CommandLineTools", dependencies: ["HubEngine", "HubWire", "QRCode"], swiftSettings: common),
        .target(
            name: "CommandLineClient",
            dependencies: ["CommandLineTools", "HubClient", "HubEngine", "HubWire"],
            swiftSettings: common
        ),
        .target(
            name: "CommandLinePhone",
            dependencies: [
                "CallAudio", "HubAccountData", "CommandLineClient", "CommandLineTools", "HubClient", "HubEngine",
                "HubMedia", "HubWire",
            ],
            swiftSettings: common
        ),
        .target(name: "CallAudio", dependencies: ["CALSA", "HubClient", "HubMedia"], swiftSettings: common),
        .target(
            name: "DirectoryReading",
            dependencies: ["CommandLineTools", "HubAccountData", "HubClient", "HubEngine", "HubWire"],
            swiftSettings: common
        ),
        .target(
            name: "OperatorCommands",
            dependencies: [
                "CommandLineClient", "CommandLineTools", "DirectoryReading", "HubACME", "HubAccountData", "HubAccounts",
                "HubCertificates", "HubClient", "HubConfiguration", "HubCrypto", "HubEngine", "HubMedia", "HubStore",
                "HubWire", "CCurl",
            ],
            swiftSettings: common
        ),
        .target(
            name: "HubReplay",
            dependencies: ["CommandLineTools", "HubEngine", "HubWire"],
            swiftSettings: common
        ),
        .target(
            name: "ScenarioCommands",
            dependencies: [
                "CommandLineClient", "CommandLineTools", "HubClient", "HubEngine", "HubWire", "ScenarioKit",
                "ScenarioSimulation",
            ],
            swiftSettings: common
        ),
        .executableTarget(
            name: "callhub",
            dependencies: [
                "CommandLinePhone", "CommandLineTools", "HubACME", "HubAccounts", "HubCertificates", "HubConfiguration",
                "HubCrypto", "HubReplay", "HubServer", "HubStore", "HubWire", "OperatorCommands", "ScenarioCommands",
                "CSystemd",
            ],
            swiftSettings: common
        ),

        // Benchmarks: the load generator and its yardstick (Benchmarks/bench.mk builds the rest).
        .systemLibrary(name: "CLinux", path: "Benchmarks/CLinux"),
        .target(
            name: "BenchmarkSupport",
            dependencies: ["CommandLineTools"],
            path: "Benchmarks/Support",
            swiftSettings: common
        ),
        .target(
            name: "BenchmarkClient",
            dependencies: ["BenchmarkSupport", "CLinux", "COpenSSL"],
            path: "Benchmarks/Client",
            swiftSettings: common
        ),
        .executableTarget(
            name: "callhub-bench",
            dependencies: ["BenchmarkClient", "BenchmarkSupport"],
            path: "Benchmarks/Load",
            swiftSettings: common
        ),
        .executableTarget(
            name: "callhub-trials",
            dependencies: [
                "BenchmarkClient", "BenchmarkSupport", "HubClient", "HubCrypto", "HubAccountData", "HubEngine",
                "HubMedia",
                "HubSimulation", "HubStore", "HubTestSupport", "HubWire",
            ],
            path: "Tests/Trials",
            exclude: ["trials.mk"],
            swiftSettings: common
        ),
        .executableTarget(
            name: "callhub-bench-connections",
            dependencies: ["BenchmarkClient", "BenchmarkSupport"],
            path: "Benchmarks/Connections",
            swiftSettings: common
        ),
        .executableTarget(
            name: "callhub-bench-loops",
            dependencies: ["BenchmarkClient", "BenchmarkSupport"],
            path: "Benchmarks/Loops",
            swiftSettings: common
        ),
        .executableTarget(
            name: "callhub-bench-mumble",
            dependencies: ["BenchmarkClient", "BenchmarkSupport"],
            path: "Benchmarks/Mumble",
            swiftSettings: common
        ),
        .executableTarget(
            name: "callhub-engine-bench",
            dependencies: ["BenchmarkSupport", "HubEngine"],
            path: "Benchmarks/Engine",
            swiftSettings: common
        ),
        .executableTarget(
            name: "callhub-bench-presence",
            dependencies: ["BenchmarkSupport", "HubEngine", "HubServer", "HubWire"],
            path: "Benchmarks/Presence",
            swiftSettings: common
        ),
        .executableTarget(
            name: "callhub-bench-store",
            dependencies: ["BenchmarkSupport", "HubAccountData", "HubEngine", "HubStore"],
            path: "Benchmarks/Store",
            swiftSettings: common
        ),
        .executableTarget(
            name: "callhub-bench-callkit",
            dependencies: [
                "AVFAudio", "BenchmarkClient", "BenchmarkSupport", "CallKit", "CallSystem", "HubClient", "HubEngine",
                "HubWire",
            ],
            path: "Benchmarks/CallKit",
            swiftSettings: common
        ),
        .executableTarget(
            name: "callhub-bench-screen",
            dependencies: ["BenchmarkSupport", "BrowserKit", "HubTestSupport"],
            path: "Benchmarks/FirstScreen",
            swiftSettings: common
        ),
        .executableTarget(
            name: "bare-relay",
            dependencies: ["CLibWebSockets"],
            path: "Benchmarks/BareRelay",
            cSettings: [.treatAllWarnings(as: .error)]
        ),
        .executableTarget(
            name: "bare-epoll",
            path: "Benchmarks/BareEpoll",
            publicHeadersPath: ".",
            cSettings: [.treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary("crypto")]
        ),

        // Tests. The support of the engine's tests (HubSimulation) is a target of its own, without C libraries.
        .target(
            name: "HubSimulation",
            dependencies: ["HubAccountData", "HubEngine"],
            path: "Tests/Simulation",
            swiftSettings: common
        ),
        .executableTarget(
            name: "callhub-simulate",
            dependencies: ["HubSimulation"],
            path: "Tests/Simulate",
            exclude: ["simulate.mk"],
            swiftSettings: common
        ),
        .target(
            name: "HubTestSupport",
            dependencies: ["HubEngine", "HubWire", "HubMedia", "HubClient", "COpenSSL"],
            path: "Tests/Support",
            swiftSettings: common
        ),
        .testTarget(
            name: "HubEngineTests",
            dependencies: ["HubAccountData", "HubEngine", "HubSimulation"],
            swiftSettings: common
        ),
        .testTarget(
            name: "HubAccountDataTests",
            dependencies: ["HubAccountData", "HubEngine", "HubSimulation"],
            swiftSettings: common
        ),
        .testTarget(
            name: "HubWireTests",
            dependencies: ["HubAccountData", "HubEngine", "HubWire"],
            swiftSettings: common
        ),
        .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
        .executableTarget(
            name: "HubFuzz",
            dependencies: ["CFuzzer", "HubEngine", "HubWire", "HubServer", "HubTestSupport"],
            path: "Tests/Fuzz",
            exclude: ["CFuzzer", "Corpus", "FailCases", "fuzz.mk"],
            swiftSettings: common
        ),
        .executableTarget(name: "HubConformance", path: "Tests/Conformance", swiftSettings: common),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["HubConformance"],
            swiftSettings: common
        ),
        .testTarget(
            name: "HubCryptoTests",
            dependencies: ["COpenSSL", "HubAccountData", "HubCrypto", "HubSimulation", "HubWire"],
            exclude: ["Peer"],
            swiftSettings: common
        ),
        .testTarget(
            name: "HubCertificatesTests",
            dependencies: ["HubCertificates", "HubTestSupport"],
            swiftSettings: common
        ),
        .testTarget(
            name: "HubACMETests",
            dependencies: [
                "callhub", "HubACME", "HubCertificates", "HubCrypto", "HubEngine", "HubTestSupport", "HubWire",
                "COpenSSL",
            ],
            swiftSettings: common
        ),
        .testTarget(
            name: "HubMediaTests",
            dependencies: ["HubMedia", "HubSimulation", "HubTestSupport"],
            swiftSettings: common
        ),
        .testTarget(
            name: "HubMixingTests",
            dependencies: ["HubMedia", "HubMixing", "HubTestSupport", "HubWire"],
            swiftSettings: common
        ),
        .executableTarget(
            name: "HubStoreVictim",
            dependencies: ["CSQLite", "HubAccountData", "HubEngine", "HubStore"],
            path: "Tests/StoreVictim",
            swiftSettings: common
        ),
        .testTarget(
            name: "HubStoreTests",
            dependencies: [
                "HubStore", "HubAccountData", "HubEngine", "HubSimulation", "HubStoreVictim", "HubTestSupport",
            ],
            swiftSettings: common
        ),
        .testTarget(name: "QRCodeTests", dependencies: ["QRCode"], swiftSettings: common),
        .testTarget(name: "LoopMailboxTests", dependencies: ["CUV", "LoopMailbox"], swiftSettings: common),
        .testTarget(
            name: "HubClientTests",
            dependencies: ["HubClient", "HubWire", "HubEngine"],
            swiftSettings: common
        ),
        .testTarget(
            name: "CallAudioTests",
            dependencies: ["CallAudio", "HubClient", "HubEngine", "HubMedia", "HubTestSupport"],
            swiftSettings: common
        ),
        .testTarget(
            name: "PhoneTests",
            dependencies: [
                "CommandLineClient", "CommandLinePhone", "CommandLineTools", "HubAccountData", "HubClient", "HubEngine",
                "HubMedia", "HubTestSupport", "HubWire",
            ],
            swiftSettings: common
        ),
        .testTarget(
            name: "HubServerTests",
            dependencies: [
                "HubServer", "HubSimulator", "HubClient", "HubWire", "HubAccountData", "HubEngine", "HubMedia",
                "HubSimulation", "HubTestSupport", "LoopMailbox",
            ],
            swiftSettings: common
        ),
        .testTarget(
            name: "CallHubTests",
            dependencies: [
                "callhub", "CommandLineClient", "CommandLineTools", "DirectoryReading", "HubACME", "HubAccountData",
                "HubAccounts", "HubCertificates", "HubClient", "HubConfiguration", "HubCrypto", "HubEngine",
                "HubMedia", "HubReplay", "HubServer", "HubSimulation", "HubStore", "HubTestSupport", "HubWire",
                "MonkeyCall", "OperatorCommands",
            ],
            swiftSettings: common
        ),
        .testTarget(
            name: "ScenarioKitTests",
            dependencies: [
                "ScenarioKit", "ScenarioSimulation", "callhub", "HubAccountData", "HubEngine", "HubWire", "HubMedia",
                "HubClient", "HubSimulation", "HubTestSupport",
            ],
            swiftSettings: common
        ),
        .testTarget(
            name: "CallKitTests",
            dependencies: [
                "AVFAudio", "CallKit", "CallSystem", "HubAccountData", "HubEngine", "HubMedia", "HubServer",
                "HubSimulation", "HubTestSupport", "HubWire", "Intents", "PushKit",
            ],
            swiftSettings: common
        ),
        .testTarget(
            name: "LiveCommunicationKitTests",
            dependencies: ["AVFAudio", "CallSystem", "LiveCommunicationKit"],
            swiftSettings: common
        ),
        .testTarget(
            name: "SampleTests",
            dependencies: [
                "CallKit", "CallSystem", "Directory", "Hotline", "HubAccountData", "HubClient", "HubEngine", "HubMedia",
                "HubServer", "HubTestSupport", "HubWire", "MonkeyCall", "SampleTerminal",
            ],
            swiftSettings: common
        ),
        .testTarget(
            name: "ScenarioAppsTests",
            dependencies: [
                "AVFAudio", "CallKit", "CallSystem", "Hotline", "MonkeyCall", "SampleTerminal", "ScenarioApps",
                "ScenarioKit",
            ],
            swiftSettings: common
        ),
        // The same file in both language modes: the symbols that an app may use, once each.
        .testTarget(
            name: "CallKitSurfaceTests",
            dependencies: ["AVFoundation", "CallKit", "LiveCommunicationKit", "PushKit"],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
        ),
        .testTarget(
            name: "CallKitSurface5Tests",
            dependencies: ["AVFoundation", "CallKit", "LiveCommunicationKit", "PushKit"],
            swiftSettings: [
                .swiftLanguageMode(.v5), .enableExperimentalFeature("StrictConcurrency"),
                .treatAllWarnings(as: .error),
            ]
        ),
        .testTarget(
            name: "HeardCallTests",
            dependencies: [
                "AVFAudio", "callhub", "CallKit", "CallSystem", "HubMedia", "HubTestSupport", "MonkeyCall",
            ],
            swiftSettings: common
        ),
        .target(
            name: "BrowserKit",
            dependencies: ["HubTestSupport"],
            path: "Tests/Browser",
            exclude: ["Page", "requirements.txt"],
            swiftSettings: common
        ),
        .executableTarget(
            name: "BrowserVictim",
            dependencies: ["BrowserKit"],
            path: "Tests/BrowserVictim",
            swiftSettings: common
        ),
        .testTarget(
            name: "BrowserTests",
            dependencies: [
                "BrowserKit", "BrowserVictim", "CallSystem", "Hotline", "HubTestSupport", "MonkeyCall", "callhub",
            ],
            exclude: ["Pages"],
            swiftSettings: common
        ),
        .testTarget(
            name: "LoadTests",
            dependencies: [
                "BenchmarkClient", "BenchmarkSupport", "HubClient", "HubAccountData", "HubEngine", "HubTestSupport",
                "callhub", "callhub-bench", "callhub-trials",
            ],
            swiftSettings: common
        ),
        .testTarget(
            name: "MumbleTests",
            dependencies: ["callhub-bench-mumble"],
            swiftSettings: common
        ),
    ],
    swiftLanguageModes: [.v6]
)
