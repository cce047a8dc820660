import AVFoundation
import CallKit
import Foundation
import Testing

/// CallKit's values, actions and errors as an app uses them; this file is compiled in two language modes.
struct SurfaceTests {
    private let call = UUID()

    @Test func `a configuration has CallKit's defaults and is copied (CK-02)`() throws {
        let configuration = CXProviderConfiguration()
        #expect(configuration.localizedName == nil && configuration.ringtoneSound == nil)
        #expect(configuration.iconTemplateImageData == nil)
        #expect(configuration.maximumCallGroups == 2 && configuration.maximumCallsPerCallGroup == 5)
        #expect(configuration.includesCallsInRecents && !configuration.supportsVideo)
        #expect(configuration.supportedHandleTypes.isEmpty && !configuration.supportsAudioTranslation)
        let copy = try #require(configuration.copy() as? CXProviderConfiguration)
        copy.maximumCallGroups = 7
        #expect(configuration.maximumCallGroups == 2)
        #expect(CXProviderConfiguration(localizedName: "App").localizedName == "App")
    }

    @Test func `handles are equal by type and value, and can be archived`() throws {
        let handle = CXHandle(type: .phoneNumber, value: "123")
        #expect(handle.isEqual(to: CXHandle(type: .phoneNumber, value: "123")))
        #expect(handle == CXHandle(type: .phoneNumber, value: "123"))
        #expect(handle != CXHandle(type: .generic, value: "123"))
        #expect(Set([handle, CXHandle(type: .phoneNumber, value: "123")]).count == 1)
        let data = try NSKeyedArchiver.archivedData(withRootObject: handle, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: CXHandle.self, from: data) == handle)
        #expect(handle.copy() as? CXHandle == handle)
        #expect([CXHandle.HandleType.generic, .phoneNumber, .emailAddress].map(\.rawValue) == [1, 2, 3])
    }

    @Test func `an update supports all but video unless the app assigns it (CK-17)`() throws {
        let update = CXCallUpdate()
        #expect(update.remoteHandle == nil && update.localizedCallerName == nil)
        #expect(update.supportsHolding && update.supportsGrouping && update.supportsUngrouping && update.supportsDTMF)
        #expect(!update.hasVideo)
        update.supportsHolding = false
        let copy = try #require(update.copy() as? CXCallUpdate)
        #expect(!copy.supportsHolding && copy.supportsGrouping)
    }

    @Test func `an action has a UUID of its own, and times out later than it was made (P21)`() {
        let start = CXStartCallAction(call: call, handle: CXHandle(type: .generic, value: "alice"))
        #expect(start.uuid != call && start.callUUID == call)
        #expect(!start.isVideo && start.contactIdentifier == nil && !start.isComplete)
        #expect(start.timeoutDate.timeIntervalSinceNow > 590)
        let answer = CXAnswerCallAction(call: call)
        #expect(answer.timeoutDate.timeIntervalSinceNow < 61 && answer.timeoutDate.timeIntervalSinceNow > 50)
        let end = CXEndCallAction(call: call)
        #expect(end.timeoutDate.timeIntervalSinceNow < 6 && end.timeoutDate.timeIntervalSinceNow > 0)
    }

    @Test func `an action is complete after its first completion, and a second one has no effect`() {
        let action = CXSetMutedCallAction(call: call, muted: true)
        action.fulfill()
        #expect(action.isComplete)
        action.fail()
        #expect(action.isComplete)
    }

    @Test func `each action can be copied and archived with its values`() throws {
        let start = CXStartCallAction(call: call, handle: CXHandle(type: .emailAddress, value: "a@example.org"))
        (start.isVideo, start.contactIdentifier) = (true, "7")
        let actions: [CXCallAction] = [
            start, CXAnswerCallAction(call: call), CXEndCallAction(call: call),
            CXSetHeldCallAction(call: call, onHold: true), CXSetMutedCallAction(call: call, muted: true),
            CXSetGroupCallAction(call: call, callUUIDToGroupWith: UUID()),
            CXPlayDTMFCallAction(call: call, digits: "12#", type: .hardPause),
            CXSetTranslatingCallAction(call: call, isTranslating: true, localLanguage: "en", remoteLanguage: "ko"),
        ]
        let transaction = CXTransaction(actions: actions)
        let data = try NSKeyedArchiver.archivedData(withRootObject: transaction, requiringSecureCoding: true)
        let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CXTransaction.self, from: data))
        let copy = try #require(transaction.copy() as? CXTransaction)
        for other in [read, copy] {
            #expect(other.uuid == transaction.uuid)
            #expect(other.actions.map(\.uuid) == actions.map(\.uuid))
            #expect(other.actions.map { "\(type(of: $0))" } == actions.map { "\(type(of: $0))" })
            #expect(zip(other.actions, actions).allSatisfy { $0 !== $1 && !$0.isComplete })
            #expect(other.actions.allSatisfy { ($0 as? CXCallAction)?.callUUID == call })
            let started = try #require(other.actions[0] as? CXStartCallAction)
            #expect(started.handle == start.handle && started.isVideo && started.contactIdentifier == "7")
            #expect((other.actions[3] as? CXSetHeldCallAction)?.isOnHold == true)
            #expect((other.actions[4] as? CXSetMutedCallAction)?.isMuted == true)
            let group = (actions[5] as? CXSetGroupCallAction)?.callUUIDToGroupWith
            #expect(group != nil && (other.actions[5] as? CXSetGroupCallAction)?.callUUIDToGroupWith == group)
            let tones = try #require(other.actions[6] as? CXPlayDTMFCallAction)
            #expect(tones.digits == "12#" && tones.type == .hardPause)
            let translation = try #require(other.actions[7] as? CXSetTranslatingCallAction)
            #expect(translation.isTranslating && translation.localLanguage == "en")
            #expect(translation.remoteLanguage == "ko")
        }
    }

    @Test func `a transaction is complete when all its actions are`() {
        let transaction = CXTransaction()
        #expect(transaction.isComplete && transaction.actions.isEmpty)
        transaction.addAction(CXEndCallAction(call: call))
        transaction.addAction(CXAnswerCallAction(call: call))
        #expect(!transaction.isComplete)
        transaction.actions[0].fulfill()
        #expect(!transaction.isComplete)
        transaction.actions[1].fail()
        #expect(transaction.isComplete)
    }

    @Test func `an error is caught by its code, by its type, and as an NSError`() throws {
        func fail(_ error: some Error) throws { throw error }
        do {
            try fail(CXErrorCodeRequestTransactionError(.unknownCallUUID))
        } catch CXErrorCodeRequestTransactionError.maximumCallGroupsReached {
            Issue.record("caught by another code")
        } catch CXErrorCodeRequestTransactionError.unknownCallUUID {
        }
        do {
            try fail(CXErrorCodeIncomingCallError(.filteredByBlockList))
        } catch let error as CXErrorCodeIncomingCallError {
            #expect(error.code == .filteredByBlockList && error.errorCode == 4)
        }
        do {
            try fail(CXErrorCodeCallDirectoryManagerError(.entriesOutOfOrder))
        } catch {
            let error = error as NSError
            #expect(error.domain == CXErrorDomainCallDirectoryManager && error.code == 3)
            #expect(CXErrorCodeCallDirectoryManagerError.Code(rawValue: error.code) == .entriesOutOfOrder)
        }
        do {
            try fail(CXError(.invalidArgument))
        } catch CXError.missingVoIPBackgroundMode {
            Issue.record("caught by another code")
        } catch CXError.invalidArgument {
        }
        do {
            try fail(CXErrorCodeNotificationServiceExtensionError(.invalidClientProcess))
        } catch let error as CXErrorCodeNotificationServiceExtensionError {
            #expect(error.code == .invalidClientProcess)
            #expect((error as NSError).domain == CXErrorDomainNotificationServiceExtension)
        }
    }

    @Test func `domains and codes are Apple's (CK-14)`() {
        #expect(CXErrorDomain == "com.apple.CallKit.error")
        #expect(CXErrorDomainIncomingCall == "com.apple.CallKit.error.incomingcall")
        #expect(CXErrorDomainRequestTransaction == "com.apple.CallKit.error.requesttransaction")
        #expect(CXErrorDomainCallDirectoryManager == "com.apple.CallKit.error.calldirectorymanager")
        #expect(CXErrorDomainNotificationServiceExtension == "com.apple.CallKit.error.notificationserviceextension")
        let general: [CXError.Code] = [.unknownError, .unentitled, .invalidArgument, .missingVoIPBackgroundMode]
        #expect(general.map(\.rawValue) == Array(0...3))
        let incoming: [CXErrorCodeIncomingCallError.Code] = [
            .unknown, .unentitled, .callUUIDAlreadyExists, .filteredByDoNotDisturb, .filteredByBlockList,
            .filteredDuringRestrictedSharingMode, .callIsProtected, .filteredBySensitiveParticipants,
        ]
        #expect(incoming.map(\.rawValue) == Array(0...7))
        let transaction: [CXErrorCodeRequestTransactionError.Code] = [
            .unknown, .unentitled, .unknownCallProvider, .emptyTransaction, .unknownCallUUID, .callUUIDAlreadyExists,
            .invalidAction, .maximumCallGroupsReached, .callIsProtected,
        ]
        #expect(transaction.map(\.rawValue) == Array(0...8))
        let directory: [CXErrorCodeCallDirectoryManagerError.Code] = [
            .unknown, .noExtensionFound, .loadingInterrupted, .entriesOutOfOrder, .duplicateEntries,
            .maximumEntriesExceeded, .extensionDisabled, .currentlyLoading, .unexpectedIncrementalRemoval,
        ]
        #expect(directory.map(\.rawValue) == Array(0...8))
        let notification: [CXErrorCodeNotificationServiceExtensionError.Code] = [
            .unknown, .invalidClientProcess, .missingNotificationFilteringEntitlement,
        ]
        #expect(notification.map(\.rawValue) == Array(0...2))
        let reasons: [CXCallEndedReason] = [
            .failed, .remoteEnded, .unanswered, .answeredElsewhere, .declinedElsewhere,
        ]
        #expect(reasons.map(\.rawValue) == Array(1...5))
        let tones: [CXPlayDTMFCallAction.ActionType] = [.singleTone, .softPause, .hardPause]
        #expect(tones.map(\.rawValue) == Array(1...3))
        #expect([CXTranslationEngine.default, .custom].map(\.rawValue) == [0, 1])
    }

    @Test func `the audio session keeps what is set, and posts a change of its route`() async throws {
        #expect(AVAudioSession.sharedInstance() === AVAudioSession.sharedInstance())
        let session = AVAudioSession()
        try session.setCategory(.playAndRecord, mode: .voiceChat, options: [.allowBluetoothHFP])
        try session.setPreferredSampleRate(48_000)
        try session.setPreferredIOBufferDuration(0.005)
        try session.setActive(true, options: .notifyOthersOnDeactivation)
        #expect(session.category == .playAndRecord && session.mode == .voiceChat)
        #expect(session.categoryOptions == .allowBluetoothHFP && session.preferredIOBufferDuration == 0.005)
        #expect(session.currentRoute.outputs.map(\.portType) == [.builtInReceiver])
        #expect(session.currentRoute.inputs.map(\.portType) == [.builtInMic])
        try await confirmation { changed in
            let name = AVAudioSession.routeChangeNotification
            let observer = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { note in
                let reason = note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
                if reason == AVAudioSession.RouteChangeReason.override.rawValue { changed() }
            }
            try session.overrideOutputAudioPort(.speaker)
            NotificationCenter.default.removeObserver(observer)
        }
        #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
        #expect(session.recordPermission == .undetermined)
        let isGranted = await withCheckedContinuation { done in
            session.requestRecordPermission { done.resume(returning: $0) }
        }
        #expect(isGranted && session.recordPermission == .granted)
    }

    @Test func `a player has the members that an app uses, and refuses what is no sound`() throws {
        final class Listener: NSObject, AVAudioPlayerDelegate {
            func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
            func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: Error?) {}
        }
        let listener = Listener()
        // A header without samples.
        let format: [UInt8] = [16, 0, 0, 0, 1, 0, 2, 0, 0x44, 0xAC, 0, 0, 0x10, 0xB1, 2, 0, 4, 0, 16, 0]
        var data = Data("RIFF$   WAVEfmt ".utf8)
        data.append(contentsOf: format)
        data.append(contentsOf: Data("data".utf8))
        data.append(contentsOf: [UInt8](repeating: 0, count: 4))
        let player = try AVAudioPlayer(data: data, fileTypeHint: "com.microsoft.waveform-audio")
        player.delegate = listener
        player.numberOfLoops = -1
        player.volume = 0.5
        player.setVolume(1, fadeDuration: 0)
        player.currentTime = 0
        player.prepareToPlay()
        #expect(player.delegate === listener && player.numberOfLoops == -1 && player.volume == 1)
        #expect(player.duration == 0 && player.numberOfChannels == 2 && !player.isPlaying)
        player.pause()
        player.stop()
        let missing = URL(fileURLWithPath: "/nonexistent/ringback.caf")
        #expect(throws: NSError.self) { try AVAudioPlayer(contentsOf: missing) }
        #expect(throws: NSError.self) { try AVAudioPlayer(contentsOf: missing, fileTypeHint: nil) }
    }
}
