/// The hub's behaviour for each row of the conformance table, one sentence each; the only source of these sentences.
let rowsTable = """
    CK-01 A session is one provider; the hub copies its configuration and starts it.
    CK-02 A configuration has CallKit's defaults: 2 groups, 5 calls each, Recents on, video off, any handle type.
    CK-03 A new configuration replaces the old one completely; existing calls continue.
    CK-04 Invalidating a provider fails its calls and its pending actions; later requests get 102.
    CK-05 A client whose session was lost with the hub's state is reset once; its old UUIDs are unknown (104).
    CK-06 A recreated provider starts without calls and without earlier UUIDs.
    CK-07 A start to a handle of a type that the provider does not support gets 106.
    CK-08 A call rings on all devices of the callee, with one UUID, the caller's handle and a name.
    CK-09 A report of a call with the UUID of an existing call gets 202, and the existing call is unchanged.
    CK-10 A start with the UUID of an existing call gets 105.
    CK-11 A blocked caller rings no device and receives the same notifications as any other; a report gets 204.
    CK-12 A caller among an enabled directory's blocking entries is treated like one on the block list.
    CK-13 Under Do Not Disturb, set for account, device or quiet hours, only exempt callers ring; a report gets 203.
    CK-14 The codes that only Apple produces are defined with Apple's numbers, and never sent.
    CK-15 The displayed name is given by the caller or client, else by a contact, a directory, or the handle.
    CK-16 An update changes the properties it contains; absent ones keep their value, which differs from false.
    CK-17 A call supports hold, grouping, ungrouping and DTMF unless its client disables them; video is off.
    CK-18 An answer is an action that the answering device performs, with a deadline of 60 seconds.
    CK-19 An answered call is connecting until the answer is fulfilled.
    CK-20 A failed answer ends the call as failed, for the caller too.
    CK-21 The end of a ringing call is a decline, in the caller's notification and in Recents.
    CK-22 An unanswered call ends on both sides after the ring timeout, by the system's end action.
    CK-23 The first device to answer gets the call; the others receive answeredElsewhere and have no missed call.
    CK-24 A call declined on one device is declinedElsewhere on the others.
    CK-25 A cancelled call ends on all ringing devices and is missed; a device that signs in later does not ring.
    CK-26 A start is sent to the requesting device as an action with a deadline of 600 seconds.
    CK-27 Started, connecting and connected are three events, in that order, each with its date.
    CK-28 A failed start ends the call as failed.
    CK-29 An external call that is never reported as connected stays connecting, and Recents have it as cancelled.
    CK-30 A local end ends the other side as remoteEnded.
    CK-31 A reported end ends the call for the reported reason; for an unknown call it is only an error.
    CK-32 A second end of a call gets 104, with the list of current calls.
    CK-33 A hold takes effect when it is fulfilled: the other party is notified, and no packet is forwarded either way.
    CK-34 Resuming a call first holds the other active call.
    CK-35 A hold of a held call is performed and fulfilled, and changes nothing.
    CK-36 A call that does not support holding cannot be held (106) and offers no hold among its choices.
    CK-37 A swap is one transaction; if one half fails, the other half is undone.
    CK-38 A ringing call contains the choices that are possible beside the other calls.
    CK-39 Hold & Accept holds the active call and answers the ringing one, in one transaction.
    CK-40 End & Accept ends the active call and its audio session before the ringing one is answered.
    CK-41 End Held & Accept ends the held call, holds the active one and answers the ringing one.
    CK-42 Of two ringing calls the unanswered one continues to ring.
    CK-43 After a local end the system resumes the held call, if there is exactly one.
    CK-44 After an end by the other party held calls stay held.
    CK-45 The system holds the active call before a start.
    CK-46 Before a start the system ends an active call that cannot be held.
    CK-47 A merge resumes and groups in one step; then all members and their far ends receive each other's audio.
    CK-48 A merge beyond the group's size, or of calls that do not support it, gets 106.
    CK-49 A split activates the call and holds the rest of its group; beyond the number of groups it gets 107.
    CK-50 Holding a member holds the group, ending one leaves the others, and a group of one is dissolved.
    CK-51 A start beyond the number of groups gets 107; ringing and held calls count.
    CK-52 Mute belongs to a call, stops only its owner's audio, and persists over hold and swap.
    CK-53 A mute is notified once, with its origin.
    CK-54 Digits are actions of one digit, each performed after the previous one is fulfilled.
    CK-55 The digits after a soft pause wait two seconds, those after a hard pause for the user.
    CK-56 Digits on a call without DTMF get 106.
    CK-57 A transaction is validated action by action in a fixed order and refused as a whole, with one code.
    CK-58 A transaction without actions gets 103.
    CK-59 A transaction without a provider gets 102.
    CK-60 An action on a call that is unknown or belongs to another device or account gets 104.
    CK-61 A client without the call permission gets 101 or 201, and does not ring.
    CK-62 A client with executesTransactions may accept one as a whole; then no action is performed separately.
    CK-63 Pending actions and transactions can be listed, by type and call.
    CK-64 An action not fulfilled by its deadline fails with a notification; a later fulfilment is ignored.
    CK-65 A transaction is answered when it is accepted, before any of its effects.
    CK-66 A device's audio session is activated and deactivated by the table, each activation with its own id and SSRC.
    CK-67 A packet refused by the gate is dropped and counted by its reason.
    CK-68 An external call holds the hub's call like any other, and the hub's call holds it.
    CK-69 An observer receives the current calls and each change, with CXCall's five fields; an end is notified once.
    CK-70 An observer receives neither handle nor name of a call, and cannot act on it (104).
    CK-71 Each call leaves an entry in Recents when it ends, unless the provider's configuration excludes it.
    CK-72 A call back from Recents, a contact or a link is a start by handle like any other.
    CK-73 A link with the callhub scheme contains the handle to call; another scheme is refused.
    CK-74 A favourite is stored with its handles and rings through Do Not Disturb if flagged so.
    CK-75 A directory is loaded completely or incrementally, in ascending order, and stored atomically.
    CK-76 Each error of a directory can be produced, and its size is limited by a setting.
    CK-77 An incremental load requires a stored full load; a removal before that gets 308.
    CK-78 A disabled directory labels and blocks no caller and cannot be loaded (306); its status can be queried.
    CK-79 An incomplete load stores nothing; the previous entries stay in use.
    CK-80 An absent callee receives a push; a device that signs in in time rings and reports, else the call is missed.
    CK-81 Video is a property of the call, and refused if the provider does not support it.
    CK-82 Translation is an action that the client performs; the hub stores its state.
    CK-83 After a restart of the hub its clients are reset, and no call is left.
    CK-84 A call of a disconnected client that does not return fails for the other party, and its group is free.
    """
