import AVFoundation
import CallKit
import Foundation
import PushKit

/// A provider's delegate with every method, written as for an iPhone.
final class WholeDelegate: NSObject, CXProviderDelegate {
    func providerDidReset(_ provider: CXProvider) {}
    func providerDidBegin(_ provider: CXProvider) {}

    func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool { transaction.isComplete }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        provider.reportOutgoingCall(with: action.callUUID, startedConnectingAt: nil)
        provider.reportOutgoingCall(with: action.callUUID, connectedAt: Date())
        action.fulfill(withDateStarted: Date())
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        action.fulfill(withDateConnected: Date())
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        action.fulfill(withDateEnded: Date())
    }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        action.isOnHold ? action.fulfill() : action.fail()
    }

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        action.isMuted ? action.fulfill() : action.fail()
    }

    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) {
        action.callUUIDToGroupWith == nil ? action.fail() : action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
        if action.digits == "1", action.type == .singleTone { action.fulfill() }
    }

    func provider(_ provider: CXProvider, perform action: CXSetTranslatingCallAction) {
        action.fulfill(using: action.isTranslating ? .custom : .default)
    }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {}

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {}

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {}
}

/// A call directory extension, written as for an iPhone.
final class WholeDirectory: CXCallDirectoryProvider, CXCallDirectoryExtensionContextDelegate, @unchecked Sendable {
    override func beginRequest(with context: CXCallDirectoryExtensionContext) {
        context.delegate = self
        if context.isIncremental {
            context.removeAllBlockingEntries()
            context.removeAllIdentificationEntries()
            context.removeBlockingEntry(withPhoneNumber: 1)
            context.removeIdentificationEntry(withPhoneNumber: 1)
        }
        let numbers: [CXCallDirectoryPhoneNumber] = [1_408_555_5555, CXCallDirectoryPhoneNumberMax]
        for number in numbers { context.addBlockingEntry(withNextSequentialPhoneNumber: number) }
        context.addIdentificationEntry(withNextSequentialPhoneNumber: 1_877_555_5555, label: "Telemarketer")
        if numbers.isEmpty { context.cancelRequest(withError: CXErrorCodeCallDirectoryManagerError(.unknown)) }
        context.completeRequest()
        context.completeRequest { isExpired in print(isExpired) }
    }

    func requestFailed(for extensionContext: CXCallDirectoryExtensionContext, withError error: any Error) {}

    static func manage(_ manager: CXCallDirectoryManager = .sharedInstance) async throws {
        manager.reloadExtension(withIdentifier: "a") { _ in }
        manager.getEnabledStatusForExtension(withIdentifier: "a") { status, _ in
            print(status == .enabled || status == .unknown)
        }
        manager.openSettings { _ in }
        try await manager.reloadExtension(withIdentifier: "a")
        _ = try await manager.enabledStatusForExtension(withIdentifier: "a") == .disabled
        try await manager.openSettings()
    }

    static func observe(with delegate: any CXCallObserverDelegate) -> [CXCall] {
        let observer = CXCallObserver()
        observer.setDelegate(delegate, queue: nil)
        return observer.calls
    }
}

/// The receiver of pushes of an app.
final class PushReceiver: NSObject, PKPushRegistryDelegate {
    private let registry = PKPushRegistry(queue: .main)

    func register() {
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
        _ = registry.pushToken(for: .voIP)
    }

    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {
        print(pushCredentials.token.count, pushCredentials.type == type)
    }

    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        print(payload.dictionaryPayload["UUID"] as? String ?? "", payload.type == type)
        completion()
    }

    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType
    ) {}

    func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {}
}

/// A delegate in an extension of a class of the main actor, with the one method that is required.
@MainActor
final class SmallDelegate: NSObject {
    private(set) var resets = 0
}

extension SmallDelegate: CXProviderDelegate, CXCallObserverDelegate {
    nonisolated func providerDidReset(_ provider: CXProvider) {
        provider.invalidate()
    }

    nonisolated func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        if call.hasEnded || call.hasConnected || call.isOnHold || call.isOutgoing { print(call.uuid) }
    }
}

/// Code of an app that uses the rest of the provider's, the controller's and the observer's interface; never run.
@MainActor
final class AppCode {
    let controller = CXCallController(queue: .main)
    let provider: CXProvider
    let delegate = SmallDelegate()

    init() {
        let configuration = CXProviderConfiguration(localizedName: "App")
        configuration.ringtoneSound = "Ringtone.caf"
        configuration.iconTemplateImageData = Data()
        configuration.maximumCallGroups = 1
        configuration.maximumCallsPerCallGroup = 1
        configuration.includesCallsInRecents = false
        configuration.supportsVideo = true
        configuration.supportedHandleTypes = [.generic, .phoneNumber, .emailAddress]
        configuration.supportsAudioTranslation = true
        provider = CXProvider(configuration: configuration)
        provider.setDelegate(delegate, queue: nil)
        provider.configuration = configuration
        provider.configuration.maximumCallGroups = 2
        controller.callObserver.setDelegate(delegate, queue: .main)
    }

    func report(_ call: UUID) async throws {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .phoneNumber, value: "+4930123456")
        update.localizedCallerName = "Alice"
        update.supportsHolding = true
        update.supportsGrouping = true
        update.supportsUngrouping = true
        update.supportsDTMF = true
        update.hasVideo = false
        provider.reportNewIncomingCall(with: call, update: update) { error in
            if let error { print(error.localizedDescription) }
        }
        try await provider.reportNewIncomingCall(with: call, update: update)
        CXProvider.reportNewIncomingVoIPPushPayload(["UUID": call.uuidString]) { _ in }
        try await CXProvider.reportNewIncomingVoIPPushPayload(["UUID": call.uuidString])
        provider.reportCall(with: call, updated: update)
        provider.reportCall(with: call, endedAt: nil, reason: .remoteEnded)
        _ = provider.pendingTransactions.flatMap(\.actions)
        _ = provider.pendingCallActions(of: CXAnswerCallAction.self, withCall: call).map(\.callUUID)
    }

    func request(_ call: UUID) async throws {
        let start = CXStartCallAction(call: call, handle: CXHandle(type: .generic, value: "alice"))
        start.isVideo = true
        start.contactIdentifier = "contact"
        let transaction = CXTransaction(action: start)
        transaction.addAction(CXSetMutedCallAction(call: call, muted: true))
        controller.request(transaction) { _ in }
        controller.requestTransaction(with: CXEndCallAction(call: call)) { _ in }
        controller.requestTransaction(with: [CXEndCallAction(call: call)]) { _ in }
        try await controller.request(CXTransaction(actions: [start]))
        try await controller.requestTransaction(with: CXSetHeldCallAction(call: call, onHold: true))
        try await controller.requestTransaction(with: [CXAnswerCallAction(call: call)])
        _ = controller.callObserver.calls.contains { $0.isEqual(to: $0) }
        _ = CXCallController()
    }
}
