import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { OperationRow } from '../../subscriber-rows.ts';

/** Compression of rows: `quick` for rows that are read occasionally, `small` for rows that are stored for years. */
export type Packing = 'quick' | 'small';

const QUALITY: Readonly<Record<Packing, number>> = { quick: 4, small: 9 };

type Packed = readonly [
  id: string,
  type: number,
  subscriberId: string | null,
  packageId: string | null,
  sequence: string,
  payload: string,
  hash: string,
];

/** Packs records of one portal. */
export function packRows(rows: readonly OperationRow[], packing: Packing): Buffer {
  const packed = rows.map((row): Packed => [
    String(row.id),
    Number(row.type),
    row.subscriber_id === null ? null : String(row.subscriber_id),
    row.package_id === null ? null : String(row.package_id),
    String(row.sequence),
    row.payload,
    Buffer.from(row.hash).toString('base64'),
  ]);
  return brotliCompressSync(JSON.stringify(packed), {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY[packing], [constants.BROTLI_PARAM_MODE]: 1 },
  });
}

/** Unpacks records. */
export function unpackRows(portal: bigint, data: Uint8Array): readonly OperationRow[] {
  // `packRows` wrote this text.
  const packed = JSON.parse(brotliDecompressSync(data).toString()) as readonly Packed[];
  return packed.map(([id, type, subscriberId, packageId, sequence, payload, hash]) => ({
    portal_id: portal,
    id: BigInt(id),
    type: BigInt(type),
    subscriber_id: subscriberId === null ? null : BigInt(subscriberId),
    package_id: packageId === null ? null : BigInt(packageId),
    sequence: BigInt(sequence),
    payload,
    hash: Buffer.from(hash, 'base64'),
  }));
}
