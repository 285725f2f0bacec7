/** Specification of a test picture. */
export interface TestPictureSpec {
  /** Width and height in pixels, both even. */
  readonly width: number;
  readonly height: number;
  /** Frames per second as a fraction: 25/1, 30000/1001. */
  readonly fpsNumerator: number;
  readonly fpsDenominator: number;
  /** Distance of key frames in frames. */
  readonly gopFrames: number;
  /** Target bitrate of the video in kbit/s. */
  readonly bitrateKbps: number;
  /** B-pictures between two references; 0 keeps decoding and presentation order the same. */
  readonly bFrames: number;
}

/** Fields of an access unit in the index of a loop. */
export const UNIT_FIELDS = { offset: 0, length: 1, dtsTicks: 2, ptsTicks: 3, flags: 4, count: 5 } as const;

/** Bits of the flags of an access unit. */
export const UNIT_FLAGS = { isRandomAccess: 1, isAudio: 2 } as const;

/** Test picture ready to play: one loop of access units in shared memory, in decoding order. A plain value. */
export interface TestPictureLoop {
  readonly video: {
    /** AVC decoder configuration record (ISO/IEC 14496-15, 5.3.3.1). */
    readonly decoderConfig: Uint8Array;
  };
  readonly audio: {
    /** AudioSpecificConfig of AAC-LC (ISO/IEC 14496-3, 1.6.2.1). */
    readonly decoderConfig: Uint8Array;
  };
  /** Duration of the loop in 90 kHz ticks. */
  readonly loopTicks: number;
  /** Number of access units. */
  readonly units: number;
  /** `UNIT_FIELDS.count` 32-bit integers per access unit. */
  readonly index: SharedArrayBuffer;
  readonly bytes: SharedArrayBuffer;
}

/** Port that makes test pictures. Rejects with an error whose `code` is in the error catalogue. */
export interface TestPictureSource {
  load(options: TestPictureSpec): Promise<TestPictureLoop>;
}
