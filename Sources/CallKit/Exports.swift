// As on Apple's systems: many apps use AVAudioSession without importing its module.
@_exported public import AVFAudio
