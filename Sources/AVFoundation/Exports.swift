// The part of AVFoundation that apps with calls use.
@_exported public import AVFAudio
