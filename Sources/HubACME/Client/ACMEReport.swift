import Foundation
package import HubEngine

/// The state of a hub's certificate of an ACME server, as its folder has it.
package struct ACMEReport {
    /// The URL of the server's directory.
    package let directory: String
    /// The chain in use in PEM, without the key; nil: none was issued yet.
    package let chain: String?
    /// The last failure as a sentence; nil: the last attempt succeeded.
    package let failure: String?
    /// The date of the next attempt by a running hub; nil: at once.
    package let nextAttempt: Instant?
}

/// The fault of a folder, a sentence.
package struct ACMEStorageError: Error, CustomStringConvertible {
    package let description: String
}

/// Reading for others than the client, which changes nothing.
extension ACMEStorage {
    /// Reads the certificate in use.
    ///
    /// - Returns: Chain and key in PEM; nil if there is none, or if it cannot be read, which the client logs.
    package var pair: (chain: String, key: String)? { (try? stored())?.map { ($0.chain, $0.key) } }

    /// Reads the state of the certificate.
    ///
    /// - Returns: The state; nil if no client has used the folder.
    /// - Throws: ``ACMEStorageError`` if a file cannot be read, or the state is damaged.
    package func report() throws(ACMEStorageError) -> ACMEReport? {
        do throws(ACMEFailure) {
            guard let text = try WholeFile.read(statePath) else { return nil }
            let certificate = try stored()
            guard let state = try? JSONDecoder().decode(ACMEState.self, from: Data(text)) else {
                throw ACMEFailure.storage("\(statePath) is damaged; a hub that starts begins it again.")
            }
            let received = state.received.map(ACMEWorker.instant)
            let renewal = certificate.map { RenewalSchedule.date(for: $0, received: received) }
            let retry = state.retryAt.map(ACMEWorker.instant)
            return ACMEReport(
                directory: state.directory,
                chain: certificate?.chain,
                failure: state.failure,
                nextAttempt: [renewal, retry].compactMap(\.self).max()
            )
        } catch {
            throw ACMEStorageError(description: error.sentence(server: ""))
        }
    }

    private func stored() throws(ACMEFailure) -> IssuedCertificate? {
        try WholeFile.read(certificatePath).flatMap(Self.certificate)
    }
}
