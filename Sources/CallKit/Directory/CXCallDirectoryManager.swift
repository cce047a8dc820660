import CallSystem
import Dispatch
public import Foundation
import HubAccountData
import HubWire

/// Loads the app's call directories, and says whether they are in use.
open class CXCallDirectoryManager: NSObject, @unchecked Sendable {
    /// The states of a call directory.
    public enum EnabledStatus: Int, Sendable {
        /// The state is not known.
        case unknown = 0
        /// The user has disabled the directory.
        case disabled = 1
        /// The directory is in use.
        case enabled = 2
    }

    private struct Extension {
        let title: String?
        let make: @Sendable () -> CXCallDirectoryProvider
    }

    private struct State {
        var extensions: [String: Extension] = [:]
        var loading: Set<String> = []
        /// The extensions that another device has asked for during a load.
        var askedAgain: Set<String> = []
    }

    private let state = Locked(State())
    // Held by the system that it belongs to.
    private weak var system: CallSystem?
    private let queue = DispatchQueue(label: "CXCallDirectoryManager")

    private init(_ system: CallSystem) {
        self.system = system
    }

    /// The app's manager.
    open class var sharedInstance: CXCallDirectoryManager { manager(of: .current) }

    /// Returns the manager of the app on a system.
    static func manager(of system: CallSystem) -> CXCallDirectoryManager {
        system.attachment {
            let manager = CXCallDirectoryManager(system)
            system.onDirectoryReload { [weak manager] in await manager?.reloadAsAsked($0) }
            return manager
        }
    }

    /// Loads an extension that another device asks for; one of another app is ignored.
    ///
    /// A load in progress may have read old data: another one follows it.
    private func reloadAsAsked(_ identifier: String) async {
        let isLoading = state.withLock { state in
            if state.loading.contains(identifier) { state.askedAgain.insert(identifier) }
            return state.loading.contains(identifier)
        }
        if !isLoading { try? await reloadExtension(withIdentifier: identifier) }
    }

    /// Notes the end of a load, and begins the one that was asked for meanwhile.
    private func loaded(_ identifier: String) {
        let isAskedAgain = state.withLock { state in
            state.loading.remove(identifier)
            return state.askedAgain.remove(identifier) != nil
        }
        if isAskedAgain { Task { await reloadAsAsked(identifier) } }
    }

    /// The time after which a load that its extension does not end is interrupted.
    ///
    /// Longer: an extension may read more; shorter: one that forgets its load can sooner be loaded again.
    private static let longestLoad = Duration.seconds(60)

    func install(_ identifier: String, title: String?, _ make: @escaping @Sendable () -> CXCallDirectoryProvider) {
        state.withLock { $0.extensions[identifier] = Extension(title: title, make: make) }
    }

    // MARK: Loads

    /// Loads a call directory.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the extension.
    ///   - completion: The receiver of nil, or of the reason why the load has failed.
    open func reloadExtension(
        withIdentifier identifier: String,
        completionHandler completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        Task { [self] in
            do {
                try await reloadExtension(withIdentifier: identifier)
                queue.async { completion?(nil) }
            } catch {
                queue.async { completion?(error) }
            }
        }
    }

    /// Loads a call directory.
    ///
    /// - Parameter identifier: The identifier of the extension.
    /// - Throws: `CXErrorCodeCallDirectoryManagerError` if the load has failed.
    open func reloadExtension(withIdentifier identifier: String) async throws {
        guard let system, let own = state.withLock({ $0.extensions[identifier] }) else {
            throw CXErrorCodeCallDirectoryManagerError(.noExtensionFound)
        }
        guard state.withLock({ $0.loading.insert(identifier).inserted }) else {
            throw CXErrorCodeCallDirectoryManagerError(.currentlyLoading)
        }
        defer { loaded(identifier) }
        let status = try await status(of: identifier, on: system)
        guard status?.isEnabled != false else { throw CXErrorCodeCallDirectoryManagerError(.extensionDisabled) }
        let error = await withCheckedContinuation { (done: CheckedContinuation<(any Error)?, Never>) in
            let context = CXCallDirectoryExtensionContext(
                mayBeIncremental: status?.isIncremental ?? false,
                load: { await CXCallDirectoryManager.load($0, identifier, own.title, on: system) },
                cancel: { await CXCallDirectoryManager.cancel(identifier, for: $0, on: system) },
                ended: { done.resume(returning: $0) }
            )
            system.after(Self.longestLoad) { [weak context] in context?.interrupt() }
            queue.async { context.begin(by: own.make()) }
        }
        if let error { throw error }
    }

    /// Sends the entries in batches; returns true if the load has expired.
    private static func load(
        _ entries: DirectoryEntries,
        _ identifier: String,
        _ title: String?,
        on system: CallSystem
    ) async -> Result<Bool, CallSystemError> {
        do throws(CallSystemError) {
            var isExpired = false
            for var batch in entries.batches(identifier, maximumBytes: 48_000) where !isExpired {
                batch.title = title
                let reply = try await system.send(.accountData(.loadDirectory(batch)))
                if case .directoryLoaded(let result) = reply { isExpired = result.isExpired }
            }
            return .success(isExpired)
        } catch {
            return .failure(error)
        }
    }

    /// Sends the hub the reason why an extension has not loaded; it refuses that for one that was never loaded.
    private static func cancel(_ identifier: String, for reason: String, on system: CallSystem) async {
        let request = AccountDataRequest.cancelDirectoryLoad(identifier: identifier, message: reason.messageLine)
        _ = try? await system.send(.accountData(request))
    }

    /// Returns the hub's status of an extension; nil: none of its loads was stored.
    private func status(of identifier: String, on system: CallSystem) async throws -> DirectoryStatus? {
        do throws(CallSystemError) {
            let reply = try await system.send(.accountData(.directoryStatus(identifier: identifier)))
            guard case .directories(let directories) = reply else { return nil }
            return directories.first { $0.identifier == identifier }
        } catch  where error.isUnknownDirectory {
            return nil
        } catch {
            throw error.callKitError
        }
    }

    // MARK: Status

    /// Asks whether a call directory is in use.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the extension.
    ///   - completion: The receiver of the status, or of the reason why it is not known.
    open func getEnabledStatusForExtension(
        withIdentifier identifier: String,
        completionHandler completion: @escaping @Sendable (EnabledStatus, (any Error)?) -> Void
    ) {
        Task { [self] in
            do {
                let status = try await enabledStatusForExtension(withIdentifier: identifier)
                queue.async { completion(status, nil) }
            } catch {
                queue.async { completion(.unknown, error) }
            }
        }
    }

    /// Returns whether a call directory is in use; one that was never loaded is from its first load on.
    ///
    /// - Parameter identifier: The identifier of the extension.
    /// - Returns: The status.
    /// - Throws: `CXErrorCodeCallDirectoryManagerError` if there is no such extension, or no hub.
    open func enabledStatusForExtension(withIdentifier identifier: String) async throws -> EnabledStatus {
        guard let system, state.withLock({ $0.extensions[identifier] != nil }) else {
            throw CXErrorCodeCallDirectoryManagerError(.noExtensionFound)
        }
        return try await status(of: identifier, on: system)?.isEnabled == false ? .disabled : .enabled
    }

    /// Opens the system's settings of call directories, which only Apple's systems have.
    ///
    /// - Parameter completion: The receiver of an error.
    open func openSettings(completionHandler completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        queue.async { completion?(CXErrorCodeCallDirectoryManagerError(.unknown)) }
    }

    /// Opens the system's settings of call directories, which only Apple's systems have.
    ///
    /// - Throws: `CXErrorCodeCallDirectoryManagerError.unknown`, always.
    open func openSettings() async throws {
        throw CXErrorCodeCallDirectoryManagerError(.unknown)
    }
}

extension CallSystemError {
    /// Indicates that no load has named the directory.
    fileprivate var isUnknownDirectory: Bool {
        domain == .callDirectory && code == CXErrorCodeCallDirectoryManagerError.Code.noExtensionFound.rawValue
    }
}
