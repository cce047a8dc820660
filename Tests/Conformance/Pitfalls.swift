/// The hub's behaviour in each known pitfall of CallKit implementations, one sentence each.
let pitfallsTable = """
    P1 After the other party's end nothing is resumed automatically; a later resume always activates the audio.
    P2 A swap is atomic, and a slow hold fails without ending the call.
    P3 A held call can be resumed with audio after the interrupting call was ended by the other side.
    P4 Each activation contains its call's UUID, also after a resume.
    P5 A swap deactivates the old call's audio session and activates the new one's, as a pair.
    P6 After a swap back both sides receive each other's audio at once.
    P7 After a swap to an external call and back both sides receive each other's audio.
    P8 Hold & Accept causes one activation, of the answered call.
    P9 End & Accept never deactivates audio after the new call's activation.
    P10 The end of one of two calls does not affect the audio session of the other.
    P11 A ringing call, and its decline, do not affect the audio session.
    P12 When the first call is ended by its far side, the ringing one continues to ring.
    P13 A plain answer holds the active call if that supports holding.
    P14 A merge resumes the held call and groups it in one step.
    P15 A resume never leaves two active calls.
    P16 State left behind by clients is removed, so that it fills no group.
    P17 A handle without a value is refused, so every entry of Recents can be called back.
    P18 Mute belongs to its call, persists over hold and swap, and is notified with its origin.
    P19 A repeated hold is no event, and a hold is not a mute.
    P20 A failed action is reported as failed.
    P21 An action's UUID differs from its call's, and they are two fields.
    P22 An action on an ended call gets 104 and the list of current calls.
    P23 After a reset one message creates a new provider, without any of the old UUIDs.
    P24 The deadline of an action is in its message.
    P25 A start is fulfilled when the invitation is sent, not when it is answered.
    P26 Recents contain the reported properties of a call.
    P27 Between answer and fulfilment a call is connecting, for both.
    P28 A packet before the activation is dropped and counted.
    P29 Of two simultaneously ringing calls the unanswered one continues to ring.
    P30 Each choice beside three calls is one atomic transaction.
    P31 A call answered or declined on one device stops ringing on the others.
    P32 A call cancelled before a device signed in does not ring there.
    P33 An end before the answer is notified as declined, one after it is not.
    P34 A second report of a call is an error for the reporting client and no event for others.
    P35 A call that cannot be held offers no choice to hold it.
    P36 The ring timer belongs to one call and stops at its answer.
    """
