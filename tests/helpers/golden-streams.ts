import { StreamRun } from './stream-run.ts';

/** Stream with ten seconds of video and audio, and GOPs of two seconds. */
export function ordinaryStream(): StreamRun {
  const stream = new StreamRun();
  stream.play({
    video: { fps: 25, gopFrames: 50, bFrames: 2, statesFps: true },
    audio: { sampleRate: 48_000, lateMs: 0 },
    seconds: 9.3,
  });
  return stream;
}

/** Stream with five seconds of media, an outage, and another format. */
export function brokenStream(): StreamRun {
  const stream = new StreamRun();
  stream.play({
    video: { fps: 25, gopFrames: 50, bFrames: 0, statesFps: true },
    audio: { sampleRate: 48_000, lateMs: 0 },
    seconds: 5,
  });
  stream.idle(4000);
  stream.play({
    video: { fps: 25, gopFrames: 50, bFrames: 0, statesFps: true, variant: 1 },
    audio: { sampleRate: 48_000, lateMs: 0 },
    seconds: 3.3,
  });
  return stream;
}

/** Stream with audio only. */
export function audioOnlyStream(): StreamRun {
  const stream = new StreamRun();
  stream.play({ audio: { sampleRate: 44_100, lateMs: 0 }, seconds: 7.2 });
  return stream;
}

/** Stream whose audio is missing for seven seconds. */
export function silentSoundStream(): StreamRun {
  const stream = new StreamRun();
  stream.play({
    video: { fps: 25, gopFrames: 50, bFrames: 0 },
    audio: { sampleRate: 48_000, lateMs: 0 },
    seconds: 12.2,
    silences: [{ track: 'a1', fromMs: 2500, toMs: 9500 }],
  });
  return stream;
}
