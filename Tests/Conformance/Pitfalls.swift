/// The hub's behaviour in each known pitfall of CallKit implementations, one sentence each.
let pitfallsTable = """
    P1 After the other party's end nothing resumes by itself, and a later resumption always activates the audio.
    P2 A swap is done whole or not at all, and a slow hold fails without ending the call.
    P3 A held call whose interrupter was ended by the other side can be resumed, and is heard.
    P4 Each activation names the call that it is for, after a resumption too.
    P5 A swap turns the old call's audio off and the new one's on, as a pair.
    P6 After a swap back both sides hear each other at once.
    P7 After a swap to an external call and back both sides hear each other.
    P8 Hold & Accept gives one activation, of the answered call.
    P9 End & Accept never turns audio off after it has turned on that of the new call.
    P10 The end of one of two calls leaves the audio of the other alone.
    P11 A ringing call, and declining it, touch no audio.
    P12 When the first call is ended by its far side, the one that rings goes on ringing.
    P13 A plain answer holds the active call where it can be held.
    P14 A merge resumes what is held and groups it in one step.
    P15 A call is never resumed beside another that goes on.
    P16 What clients leave behind is swept, so that it fills no group.
    P17 A handle without a value is refused, so every entry of Recents can be called back.
    P18 Mute belongs to its call, over hold and swap, and is told with who wanted it.
    P19 The same hold again is no event, and a hold is no mute.
    P20 An action that fails is seen to fail.
    P21 The UUID of an action is not that of its call, and they are two fields.
    P22 An action on an ended call gets 104 and the list of the calls that there are.
    P23 After a reset one message makes a new provider, which knows none of the old UUIDs.
    P24 The deadline of an action is in its message.
    P25 A start is fulfilled when the invitation is sent, not when it is answered.
    P26 Recents say of a call what was reported of it.
    P27 Between answer and fulfilment a call is connecting, for both.
    P28 A packet before the activation is dropped and counted.
    P29 Of two calls that ring at once, the one not answered goes on ringing.
    P30 Each choice beside three calls is one transaction, whole or nothing.
    P31 A call answered or declined on one device stops ringing on the others.
    P32 A call that was cancelled before a device came rings there no more.
    P33 An end before the answer is told as declined, and one after it is not.
    P34 A second report of a call is an error to who reports it and no event to anybody.
    P35 A call that cannot be held is never offered to be.
    P36 The ring timer belongs to one call and stops at its answer.
    """
