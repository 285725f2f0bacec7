/** Bytes of a slice in which its header can be read up to the order of its picture. */
export const SLICE_HEADER_BYTES = 48;

/** Role of a NAL unit at the boundary of access units (H.264 7.4.1.2.3, H.265 7.4.2.4.4). */
export const UnitRole = {
  /** Belongs to the access unit that is open. */
  rest: 0,
  /** Access unit delimiter: always the first unit of an access unit. */
  delimiter: 1,
  /** Parameter set, SEI and the like: starts an access unit when the next slice is of another picture. */
  head: 2,
  slice: 3,
  /** End of sequence or bitstream: the last unit of an access unit. */
  end: 4,
} as const;

/** One of the values of `UnitRole`. */
export type Role = (typeof UnitRole)[keyof typeof UnitRole];

/** Codec-specific rules for the first slice of a picture. */
export interface PictureSyntax {
  /** Role of the unit whose header starts at `start`; at least `headerBytes` of it are there. */
  roleOf(bytes: Uint8Array, start: number): Role;
  readonly headerBytes: number;
  /** Learns a parameter set. Called for all units of the role `head`. */
  learn(bytes: Uint8Array, start: number, end: number): void;
  /** Whether a slice may be the first one of a picture, as far as its first bits say. */
  mayBegin(bytes: Uint8Array, start: number): boolean;
  /** Takes a slice as the first one of the open picture. */
  begin(bytes: Uint8Array, start: number, end: number): void;
  /**
   * Whether a slice belongs to another picture than the slices before it. Both fields of a frame are one picture.
   *
   * @param isDoubtful whether bytes were lost since the last slice, so that the first slice of a picture may be missing
   */
  startsPicture(bytes: Uint8Array, start: number, end: number, isDoubtful: boolean): boolean;
  /** Whether the open picture is a first field, which a second one may complete. */
  readonly isFirstField: boolean;
}

/** Place of a picture in output order. */
export interface PictureOrder {
  /** Lowest bits of the picture order count. */
  readonly count: number;
  /** The count wraps to 0 here. */
  readonly modulus: number;
  /** Whether counting starts anew: all pictures before are shown before (IDR). */
  readonly isReset: boolean;
}

/** Rules of a codec for the boundaries and the order of pictures. One for each elementary stream. */
export interface VideoSyntax extends PictureSyntax {
  /** Takes the parameter sets of a decoder configuration record. */
  configure(record: Uint8Array): void;
  /** Order of the picture whose first slice lies from `start` to `end`; undefined if pictures are shown as they come, or it cannot be read. */
  orderOf(bytes: Uint8Array, start: number, end: number): PictureOrder | undefined;
  /** Maximum number of pictures before one in decoding order and after it in output order; undefined if the stream does not say. */
  readonly reorderDepth: number | undefined;
  /** Usual step of the picture order count from picture to picture. */
  readonly orderStep: number;
}
