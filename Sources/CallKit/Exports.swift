// As on Apple's systems: many apps use AVAudioSession, and Foundation, without importing their modules.
@_exported public import AVFAudio
@_exported public import Foundation
