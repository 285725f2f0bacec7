/** Sample flags (ISO/IEC 14496-12, 8.8.3.1) of a random access point: it depends on no other sample. */
export const SYNC_SAMPLE_FLAGS = 0x0200_0000;

/** Sample flags of a sample that is no random access point: it depends on other samples. */
export const NON_SYNC_SAMPLE_FLAGS = 0x0101_0000;

/** `sample_is_non_sync_sample`: decoding cannot start here. */
export const NON_SYNC_BIT = 0x0001_0000;
