// swift-tools-version: 6.0

import PackageDescription

/// On Apple's systems these modules are Apple's.
func module(_ name: String) -> Target.Dependency {
    .product(name: name, package: "CallHub", condition: .when(platforms: [.linux]))
}

let package = Package(
    name: "Calls",
    platforms: [.iOS(.v17)],
    dependencies: [.package(name: "CallHub", path: "../..")],
    targets: [
        .target(
            name: "Calls",
            dependencies: [
                .target(name: "UIKit", condition: .when(platforms: [.linux])), module("AVFoundation"),
                module("CallKit"), module("Intents"), module("PushKit"),
            ]
        ),
        .target(name: "UIKit", dependencies: [module("Intents")]),
        .testTarget(
            name: "CallsTests",
            dependencies: ["Calls", .product(name: "CallSystem", package: "CallHub"), module("Intents")]
        ),
    ],
    swiftLanguageModes: [.v5]
)
