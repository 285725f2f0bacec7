/** What a test picture looks like. */
export interface TestPictureSpec {
  /** Width and height in pixels, both even. */
  readonly width: number;
  readonly height: number;
  /** Frames per second as a fraction: 25/1, 30000/1001. */
  readonly fpsNumerator: number;
  readonly fpsDenominator: number;
  /** Distance of key frames in frames. */
  readonly gopFrames: number;
  /** Target of the video in kbit/s. */
  readonly bitrateKbps: number;
  /** B-pictures between two references; 0 keeps decoding and presentation order the same. */
  readonly bFrames: number;
}

/** Numbers of one access unit in the index of a loop, and what they are. */
export const UNIT_FIELDS = { offset: 0, length: 1, dtsTicks: 2, ptsTicks: 3, flags: 4, count: 5 } as const;

/** Bits of the flags of an access unit. */
export const UNIT_FLAGS = { isRandomAccess: 1, isAudio: 2 } as const;

/** A test picture ready to play: one loop of access units in shared memory, in the order of decoding. A plain value. */
export interface TestPictureLoop {
  readonly video: {
    /** AVC decoder configuration record (ISO/IEC 14496-15, 5.3.3.1). */
    readonly decoderConfig: Uint8Array;
  };
  readonly audio: {
    /** AudioSpecificConfig of AAC-LC (ISO/IEC 14496-3, 1.6.2.1). */
    readonly decoderConfig: Uint8Array;
  };
  /** After so many 90 kHz ticks the loop starts again. */
  readonly loopTicks: number;
  /** Access units in the loop. */
  readonly units: number;
  /** `UNIT_FIELDS.count` 32-bit integers an access unit. */
  readonly index: SharedArrayBuffer;
  readonly bytes: SharedArrayBuffer;
}

/** Makes test pictures. Rejects with an error whose `code` stands in the error catalogue. */
export interface TestPictureSource {
  load(options: TestPictureSpec): Promise<TestPictureLoop>;
}
