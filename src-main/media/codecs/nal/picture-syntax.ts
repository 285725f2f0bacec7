/** Number of bytes of a slice that are enough to read its header up to the picture order. */
export const SLICE_HEADER_BYTES = 48;

/** Role of a NAL unit at the boundary of access units (H.264 7.4.1.2.3, H.265 7.4.2.4.4). */
export const UnitRole = {
  /** Belongs to the open access unit. */
  body: 0,
  /** Access unit delimiter: always the first unit of an access unit. */
  delimiter: 1,
  /** Parameter set, SEI and similar: starts an access unit if the next slice is of another picture. */
  head: 2,
  slice: 3,
  /** End of sequence or bitstream: the last unit of an access unit. */
  end: 4,
} as const;

/** One of the values of `UnitRole`. */
export type Role = (typeof UnitRole)[keyof typeof UnitRole];

/** Codec-specific rules for the first slice of a picture. */
export interface PictureSyntax {
  /** Role of the unit whose header starts at `start`; at least `headerBytes` of it must be available. */
  roleOf(bytes: Uint8Array, start: number): Role;
  readonly headerBytes: number;
  /** Learns a parameter set. Called for all units of the role `head`. */
  learn(bytes: Uint8Array, start: number, end: number): void;
  /** Whether a slice may be the first one of a picture, judging by its first bits. */
  mayStartPicture(bytes: Uint8Array, start: number): boolean;
  /** Records a slice as the first one of the open picture. */
  openPicture(bytes: Uint8Array, start: number, end: number): void;
  /**
   * Whether a slice belongs to another picture than the slices before it. Both fields of a frame are one picture.
   *
   * @param isDoubtful whether bytes were lost since the last slice, so that the first slice of a picture may be missing
   */
  startsPicture(bytes: Uint8Array, start: number, end: number, isDoubtful: boolean): boolean;
  /** Whether the open picture is a first field that a second one may complete. */
  readonly isFirstField: boolean;
}

/** Position of a picture in output order. */
export interface PictureOrder {
  /** Low bits of the picture order count. */
  readonly count: number;
  /** The count wraps to 0 at this value. */
  readonly modulus: number;
  /** Whether counting restarts: all earlier pictures are shown before this one (IDR). */
  readonly isReset: boolean;
}

/** Codec rules for the boundaries and the order of pictures. One per elementary stream. */
export interface VideoSyntax extends PictureSyntax {
  /** Reads the parameter sets of a decoder configuration record. */
  configure(record: Uint8Array): void;
  /**
   * Order of the picture whose first slice is from `start` to `end`; undefined if pictures are shown in decoding order, or it
   * cannot be read.
   */
  orderOf(bytes: Uint8Array, start: number, end: number): PictureOrder | undefined;
  /** Maximum number of pictures that are decoded before a picture and shown after it; undefined if not stated. */
  readonly reorderDepth: number | undefined;
  /** Usual step of the picture order count from picture to picture. */
  readonly orderStep: number;
}
