/// The hub's behaviour for each row of the conformance table, one sentence each; the only source of these sentences.
let rowsTable = """
    CK-01 A session is one provider; the hub copies its configuration and begins it.
    CK-02 What a configuration leaves out is CallKit's: 2 groups, 5 calls in each, Recents on, video off, any handle.
    CK-03 A new configuration replaces the old one whole; calls that live go on.
    CK-04 Invalidating a provider fails its calls and its pending actions; what is asked of it later gets 102.
    CK-05 A client whose session is gone with the hub's state is reset once; its old UUIDs are unknown (104).
    CK-06 A provider made anew begins with nothing: no calls, no UUID of the time before.
    CK-07 A start to a handle of a type that the provider does not support gets 106.
    CK-08 A call rings on all devices of the callee, with one UUID, the caller's handle and a name.
    CK-09 A report of a call under a UUID that lives gets 202, and the call under it is left alone.
    CK-10 A start under a UUID that lives gets 105.
    CK-11 A caller on the block list rings nowhere and is not told: to him it rings out; a report of him gets 204.
    CK-12 A caller among an enabled directory's blocking entries fares like one on the block list.
    CK-13 While the callee is not to be disturbed, also by the hour or on a device, only the exempt ring; else 203.
    CK-14 The codes that only Apple produces are there under Apple's numbers, and are never sent.
    CK-15 The name shown is what the caller or client gave, else a contact's, else a directory's, else the handle.
    CK-16 An update of a call changes what it names; what it leaves out keeps its value, which is not the same as false.
    CK-17 A call can be held, grouped, taken out and keyed to unless its client says otherwise; video is off.
    CK-18 An answer is an action that the answering device performs, with a deadline of 60 seconds.
    CK-19 A call that is answered is connecting until the answer is fulfilled.
    CK-20 A failed answer ends the call as failed, for the caller too.
    CK-21 To end a ringing call is to decline it: the caller is told so, and so are Recents.
    CK-22 A call that nobody answers ends unanswered on both sides after the ring time-out, by the system's end action.
    CK-23 The first device to answer has the call; the others are told answeredElsewhere and have missed nothing.
    CK-24 A call declined on one device is declinedElsewhere on the others.
    CK-25 A call its caller gives up ends on all ringing devices and is missed; no device that comes late rings for it.
    CK-26 A start comes back to the device that asked for it as an action with a deadline of 600 seconds.
    CK-27 Started, connecting and connected are three events, in that order, each with its date.
    CK-28 A failed start ends the call as failed.
    CK-29 An external call of which "connected" is never reported stays connecting, and Recents have it as cancelled.
    CK-30 A local end ends the other side as remoteEnded.
    CK-31 A reported end ends the call for the reported reason; for an unknown call it is an error and nothing else.
    CK-32 A second end of a call gets 104, with the list of the calls that there are.
    CK-33 A hold is in force when it is fulfilled: the other party is told, and no packet passes either way.
    CK-34 A call that is resumed has the other active call held first.
    CK-35 To hold a held call is performed and fulfilled, and changes nothing.
    CK-36 A call that does not support holding cannot be held (106) and offers no hold among its choices.
    CK-37 A swap is one transaction; when half of it fails, the other half is undone.
    CK-38 A ringing call carries the list of what can be done about it beside the other calls.
    CK-39 Hold & Accept holds the active call and answers the ringing one, in one transaction.
    CK-40 End & Accept ends the active call, its audio too, before the ringing one is answered.
    CK-41 End Held & Accept ends the held call, holds the active one and answers the ringing one.
    CK-42 Of two ringing calls the one that is not answered goes on ringing.
    CK-43 After a local end the system resumes the held call, if there is exactly one.
    CK-44 After an end by the other party held calls stay held.
    CK-45 A start has the active call held first, by the system.
    CK-46 A start ends an active call that cannot be held, first.
    CK-47 A merge resumes and groups in one step; then all members and their far ends hear one another.
    CK-48 A merge beyond the group's size, or of calls that do not support it, gets 106.
    CK-49 A split makes the call the active one and holds the rest; one group too many is 107.
    CK-50 Holding a member holds the group, ending one leaves the others, and a group of one is none.
    CK-51 A start beyond the number of groups gets 107; ringing and held calls count.
    CK-52 Mute belongs to a call, keeps back its owner's sound alone, and outlives hold and swap.
    CK-53 A mute is told once, with who wanted it.
    CK-54 Keyed digits are actions of one digit, each performed when the one before is complete.
    CK-55 The digits after a soft pause wait two seconds, those after a hard pause for the user.
    CK-56 Digits on a call without DTMF get 106.
    CK-57 A transaction is checked action by action in a fixed order and refused whole, with one code.
    CK-58 A transaction without actions gets 103.
    CK-59 A transaction without a provider gets 102.
    CK-60 An action on a call that is unknown or another's gets 104.
    CK-61 A client that may not call gets 101 or 201, and does not ring.
    CK-62 A client that executes transactions may take one whole; then nothing of it is performed one by one.
    CK-63 What is pending can be asked for, by type and call.
    CK-64 An action that is not answered by its deadline has failed and is told of; a later answer is ignored.
    CK-65 A transaction is answered when it is accepted, before anything of it is done.
    CK-66 The audio session of a device is told on and off by the table, each activation with an id and SSRC of its own.
    CK-67 A packet that the gate does not let through is dropped and counted under its reason.
    CK-68 An external call holds the hub's call like any other, and the hub's call holds it.
    CK-69 An observer gets the calls as they are and each change, with CXCall's five fields; an end is told once.
    CK-70 Who observes a call sees no handle and no name of it and cannot act on it (104).
    CK-71 Each call leaves an entry in Recents when it ends, unless the provider is configured not to.
    CK-72 A call back from Recents, a contact or a link is a start by handle like any other.
    CK-73 A link of our scheme names the handle to call; another scheme is refused.
    CK-74 A favourite is stored with its handles and rings through Do Not Disturb if flagged so.
    CK-75 A directory is loaded whole or by difference, ascending, and stored whole or not at all.
    CK-76 Each error of a directory is reached, and its size is limited by a setting.
    CK-77 Only after a full load can a directory be changed by difference; a removal before that gets 308.
    CK-78 A disabled directory names and blocks nobody and cannot be loaded (306); its status can be asked for.
    CK-79 A load that is not completed stores nothing; the entries of before still answer.
    CK-80 Who is away is woken, and rings on coming back while the call is fresh, to report it; a stale one is missed.
    CK-81 Video is carried with the call, and refused where the provider has none.
    CK-82 Translation is an action that the client performs; the hub keeps what was said of it.
    CK-83 After a restart of the hub its clients are reset, and no call is left.
    CK-84 A call of a client that is lost and does not return has failed for the other party, and its place is free.
    """
