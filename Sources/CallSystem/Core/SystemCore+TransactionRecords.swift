import Foundation
import HubEngine

// The records of transactions and their actions, under the UUIDs of the app and of the hub.
extension SystemCore {
    /// Notes that an action is being performed, and when it fails.
    func markBegun(_ action: ActionUUID, until deadline: Instant, in index: Int) {
        guard let position = transactions[index].actions.firstIndex(where: { $0.action.uuid == action }) else { return }
        transactions[index].actions[position].hasBegun = true
        transactions[index].actions[position].deadline = deadline
    }

    /// Returns the index of a transaction's record, which is made if the hub has begun it.
    func index(of id: TransactionUUID, _ owner: ProviderID, _ client: any ProviderClient) -> Int? {
        if let index = transactions.firstIndex(where: { $0.id == id }) { return index }
        transactions.append(
            TransactionRecord(
                id: id,
                provider: owner,
                actions: [],
                object: client.makeTransaction(id.uuid, []),
                appUUID: id.uuid
            )
        )
        return transactions.indices.last
    }

    /// Returns the object of an action; one that the hub has added goes before the incomplete ones.
    func insert(_ action: Action, at index: Int, _ client: any ProviderClient) -> (any PerformableAction)? {
        guard let object = object(of: action, in: index, client) else { return nil }
        guard !transactions[index].actions.contains(where: { $0.action.uuid == action.uuid }) else { return object }
        let position = transactions[index].actions.firstIndex { !$0.isComplete }
        transactions[index].actions.insert(
            ActionRecord(action: action, object: object),
            at: position ?? transactions[index].actions.endIndex
        )
        return object
    }

    /// Returns the app's object of an action, or makes one.
    func object(
        of action: Action,
        in index: Int,
        _ client: any ProviderClient
    ) -> (any PerformableAction)? {
        let own = transactions[index].actions.first { $0.action.uuid == action.uuid }?.object
        return own ?? client.makeAction(withAppUUIDs(action))
    }

    /// Makes the object of a transaction anew if the hub has added actions to it.
    func renew(_ index: Int, _ client: any ProviderClient) {
        let transaction = transactions[index]
        let objects = transaction.actions.map(\.object)
        let known = transaction.object.performableActions.map { ObjectIdentifier($0) }
        guard known != objects.map({ ObjectIdentifier($0) }) else { return }
        transactions[index].object = client.makeTransaction(transaction.appUUID, objects)
    }

    // MARK: UUIDs

    /// Returns an action with the hub's UUIDs of calls in place of the app's.
    func withHubUUIDs(_ action: Action) -> Action {
        var action = action
        action.callUUID = hubUUID(action.callUUID)
        if case .setGroup(let other?) = action.kind { action.kind = .setGroup(with: hubUUID(other)) }
        if case .transfer(.call(let other)) = action.kind { action.kind = .transfer(to: .call(hubUUID(other))) }
        return action
    }

    /// Returns an action with the app's UUIDs of calls in place of the hub's.
    func withAppUUIDs(_ action: Action) -> Action {
        var action = action
        action.callUUID = appUUID(action.callUUID)
        if case .setGroup(let other?) = action.kind { action.kind = .setGroup(with: appUUID(other)) }
        if case .transfer(.call(let other)) = action.kind { action.kind = .transfer(to: .call(appUUID(other))) }
        return action
    }

    func hubUUID(_ call: CallUUID) -> CallUUID { calls.first { $0.appUUID == call }?.uuid ?? call }

    func appUUID(_ call: CallUUID) -> CallUUID { calls.first { $0.uuid == call }?.appUUID ?? call }
}

extension TransactionRecord {
    /// Returns the app's object for a transaction of which one action alone is offered.
    func object(of action: any PerformableAction, by client: any ProviderClient) -> any PerformableTransaction {
        actions.count == 1 ? object : client.makeTransaction(appUUID, [action])
    }
}
