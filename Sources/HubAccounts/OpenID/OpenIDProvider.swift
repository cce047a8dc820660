import Foundation
import HubConfiguration
import HubCrypto

/// The provider's metadata and keys, cached; safe on any thread.
final class OpenIDProvider: @unchecked Sendable {
    private struct Cached<Value> {
        let value: Value
        let readAt: ContinuousClock.Instant

        func isFresh(for duration: Duration) -> Bool { ContinuousClock.now - readAt < duration }
    }

    let settings: OpenIDSettings
    private let lock = NSLock()
    private var metadata: Cached<OpenIDMetadata>?
    private var keys: Cached<KeySet>?
    /// The time at which keys were last asked for because of an unknown one.
    private var refreshedAt: ContinuousClock.Instant?

    init(_ settings: OpenIDSettings) { self.settings = settings }

    /// The metadata, if it was read recently.
    var cachedMetadata: OpenIDMetadata? {
        lock.withLock { metadata.flatMap { $0.isFresh(for: Self.lifetime) ? $0.value : nil } }
    }

    /// Returns the metadata, which is read if need be.
    func metadata(by requests: OpenIDRequests) throws(OpenIDFault) -> OpenIDMetadata {
        if let cachedMetadata { return cachedMetadata }
        let url = OpenIDMetadata.url(of: settings.issuer ?? "")
        let body = try requests.document(url, atMost: Self.maximumMetadataBytes)
        let read = try OpenIDMetadata(body, settings)
        lock.withLock { metadata = Cached(value: read, readAt: .now) }
        return read
    }

    /// Returns the keys, which are read if need be.
    ///
    /// - Parameters:
    ///   - requests: The requests of the sign-in.
    ///   - unknown: The keys that do not have the one of an ID token; nil: any keys will do.
    /// - Returns: The keys; nil: they are not read again, as that was done just now for another unknown key.
    /// - Throws: ``OpenIDFault`` if they cannot be read.
    func keys(by requests: OpenIDRequests, notIn unknown: KeySet? = nil) throws(OpenIDFault) -> KeySet? {
        if unknown == nil {
            let cached = lock.withLock { keys }
            if let cached, cached.isFresh(for: Self.lifetime) { return cached.value }
        } else {
            // ID tokens with invented names of keys must not make the hub ask again and again.
            let mayRefresh = lock.withLock {
                if let refreshedAt, ContinuousClock.now - refreshedAt < Self.refreshInterval { return false }
                refreshedAt = .now
                return true
            }
            guard mayRefresh else { return nil }
        }
        let url = try metadata(by: requests).keysURL
        let body = try requests.document(url, atMost: KeySet.maximumBytes)
        do throws(KeySetError) {
            let read = try KeySet(body)
            lock.withLock { keys = Cached(value: read, readAt: .now) }
            return read
        } catch {
            throw .badAnswer("its keys cannot be used: \(error.description)")
        }
    }

    /// The time for which metadata and keys are used.
    ///
    /// Longer: the provider's changes are noticed later; keys that it withdraws are accepted for as long.
    private static let lifetime = Duration.seconds(3_600)

    /// The minimum interval of requests for keys because of an unknown one.
    private static let refreshInterval = Duration.seconds(30)

    private static let maximumMetadataBytes = 262_144
}
