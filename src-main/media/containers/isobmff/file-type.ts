import type { BoxWriter } from './box-writer.ts';
import type { ByteReader } from './byte-reader.ts';

/** `ftyp` or `styp` (ISO/IEC 14496-12, 4.3 and 8.16.2): brands of a file or segment. */
export interface FileType {
  readonly majorBrand: string;
  readonly minorVersion: number;
  readonly compatibleBrands: readonly string[];
}

const MAX_BRANDS = 64;

/** Reads the body of `ftyp` or `styp`. */
export function readFileType(body: ByteReader): FileType | undefined {
  const majorBrand = body.ascii(4);
  const minorVersion = body.u32();
  const compatibleBrands: string[] = [];
  while (body.left >= 4 && compatibleBrands.length < MAX_BRANDS) compatibleBrands.push(body.ascii(4));
  return body.isShort ? undefined : { majorBrand, minorVersion, compatibleBrands };
}

/** Writes the box; `type` is `ftyp` for an init segment and `styp` for a segment. */
export function writeFileType(out: BoxWriter, value: FileType, type: 'ftyp' | 'styp' = 'ftyp'): void {
  out.open(type).ascii(value.majorBrand).u32(value.minorVersion);
  for (const brand of value.compatibleBrands) out.ascii(brand);
  out.close();
}
