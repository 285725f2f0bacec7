import { crc32 } from 'node:zlib';

/** What V8 reports of a run about the functions of each script (`NODE_V8_COVERAGE`). */
export interface CoverageReport {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

/** Where the functions begin that were called in any of these runs, in order, by the address of their script; of scripts below a folder only. */
export function calledFunctions(reports: readonly CoverageReport[], folderUrl: string): Map<string, number[]> {
  const called = new Map<string, Set<number>>();
  for (const { url, functions } of reports.flatMap(({ result }) => result)) {
    if (!url.startsWith(folderUrl)) continue;
    const offsets = called.get(url) ?? new Set();
    called.set(url, offsets);
    for (const { ranges } of functions) {
      // The first range is the function, those behind it are blocks in it.
      if (ranges[0] && ranges[0].count > 0) offsets.add(ranges[0].startOffset);
    }
  }
  return new Map([...called].map(([url, offsets]) => [url, [...offsets].sort((a, b) => a - b)]));
}

/** Lines and columns of a text as the debugger counts them, from zero. */
export function placesIn(source: string): (offset: number) => { lineNumber: number; columnNumber: number } {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { lineNumber: low, columnNumber: offset - (starts[low] ?? 0) };
  };
}

/** Before the code of an entry of Node's compile cache: a mark, lengths of source and code, check sums of source and code; 32 bits each. */
const HEADER_BYTES = 20;
const SOURCE_LENGTH = 4;
const CODE_LENGTH = 8;
const SOURCE_SUM = 12;
const CODE_SUM = 16;

/** Whether an entry of Node's compile cache is that of this source. */
export function isEntryOf(entry: Buffer, source: Buffer): boolean {
  return (
    entry.length > HEADER_BYTES &&
    entry.readUInt32LE(SOURCE_LENGTH) === source.length &&
    entry.readUInt32LE(SOURCE_SUM) === crc32(source)
  );
}

/** An entry of Node's compile cache with other code for the same source. */
export function withCode(entry: Buffer, code: Buffer): Buffer {
  const header = Buffer.from(entry.subarray(0, HEADER_BYTES));
  header.writeUInt32LE(code.length, CODE_LENGTH);
  header.writeUInt32LE(crc32(code), CODE_SUM);
  return Buffer.concat([header, code]);
}
