/** Names of segmentation_type_id (SCTE 35, table 23). */
const TYPES: Readonly<Record<number, string>> = {
  0x00: 'Not Indicated',
  0x01: 'Content Identification',
  0x02: 'Private',
  0x10: 'Program Start',
  0x11: 'Program End',
  0x12: 'Program Early Termination',
  0x13: 'Program Breakaway',
  0x14: 'Program Resumption',
  0x15: 'Program Runover Planned',
  0x16: 'Program Runover Unplanned',
  0x17: 'Program Overlap Start',
  0x18: 'Program Blackout Override',
  0x19: 'Program Join',
  0x1a: 'Program Immediate Resumption',
  0x20: 'Chapter Start',
  0x21: 'Chapter End',
  0x22: 'Break Start',
  0x23: 'Break End',
  0x24: 'Opening Credit Start',
  0x25: 'Opening Credit End',
  0x26: 'Closing Credit Start',
  0x27: 'Closing Credit End',
  0x30: 'Provider Advertisement Start',
  0x31: 'Provider Advertisement End',
  0x32: 'Distributor Advertisement Start',
  0x33: 'Distributor Advertisement End',
  0x34: 'Provider Placement Opportunity Start',
  0x35: 'Provider Placement Opportunity End',
  0x36: 'Distributor Placement Opportunity Start',
  0x37: 'Distributor Placement Opportunity End',
  0x38: 'Provider Overlay Placement Opportunity Start',
  0x39: 'Provider Overlay Placement Opportunity End',
  0x3a: 'Distributor Overlay Placement Opportunity Start',
  0x3b: 'Distributor Overlay Placement Opportunity End',
  0x3c: 'Provider Promo Start',
  0x3d: 'Provider Promo End',
  0x3e: 'Distributor Promo Start',
  0x3f: 'Distributor Promo End',
  0x40: 'Unscheduled Event Start',
  0x41: 'Unscheduled Event End',
  0x42: 'Alternate Content Opportunity Start',
  0x43: 'Alternate Content Opportunity End',
  0x44: 'Provider Ad Block Start',
  0x45: 'Provider Ad Block End',
  0x46: 'Distributor Ad Block Start',
  0x47: 'Distributor Ad Block End',
  0x50: 'Network Start',
  0x51: 'Network End',
};

/** Names of segmentation_upid_type (SCTE 35, table 22). */
const UPID_TYPES: Readonly<Record<number, string>> = {
  0x00: 'Not Used',
  0x01: 'User Defined',
  0x02: 'ISCI',
  0x03: 'Ad-ID',
  0x04: 'UMID',
  0x05: 'ISAN (deprecated)',
  0x06: 'ISAN',
  0x07: 'TID',
  0x08: 'TI',
  0x09: 'ADI',
  0x0a: 'EIDR',
  0x0b: 'ATSC Content Identifier',
  0x0c: 'MPU()',
  0x0d: 'MID()',
  0x0e: 'ADS Information',
  0x0f: 'URI',
  0x10: 'UUID',
  0x11: 'SCR',
};

/** Types whose value is text. */
const TEXTS: ReadonlySet<number> = new Set([0x01, 0x02, 0x03, 0x07, 0x09, 0x0e, 0x0f]);

/** Name of a segmentation_type_id; its number if reserved by the standard. */
export function segmentationTypeName(typeId: number): string {
  return TYPES[typeId] ?? hexNumber(typeId);
}

/** Name of a segmentation_upid_type; its number if reserved by the standard. */
export function upidTypeName(upidType: number): string {
  return UPID_TYPES[upidType] ?? hexNumber(upidType);
}

/**
 * Readable segmentation_upid: text if its type is text and all characters are printable ASCII, otherwise `0x…`; empty for none.
 */
export function upidText(upidType: number, upid: Uint8Array): string {
  if (upid.length === 0) return '';
  const isText = TEXTS.has(upidType) && upid.every((byte) => byte >= 0x20 && byte < 0x7f);
  return isText ? Buffer.from(upid).toString('latin1') : `0x${Buffer.from(upid).toString('hex').toUpperCase()}`;
}

function hexNumber(value: number): string {
  return `0x${value.toString(16).toUpperCase().padStart(2, '0')}`;
}
