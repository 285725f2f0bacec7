import { createPublicKey } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { LogVerifier } from '../src-main/subscribers/log-verifier.ts';

// Verifies an exported operations log with the public key alone: `npm run verify-log -- export.jsonl --key public.pem`. Exits
// with 1 on any fault.

const { values, positionals } = parseArgs({ allowPositionals: true, options: { key: { type: 'string' } } });
const [file] = positionals;
if (file === undefined || values.key === undefined) {
  console.error('usage: npm run verify-log -- EXPORT.jsonl --key PUBLIC-KEY.pem');
  process.exit(2);
}
const verifier = new LogVerifier(createPublicKey(readFileSync(values.key)));
for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
  if (line !== '') verifier.addLine(line);
}
const { isIntact, records, digests, signedUntil, faults, faultCount, uncheckedRecords } = verifier.report();
for (const { kind, sequence, operationId } of faults) console.log(`${kind} ${sequence} ${operationId ?? '-'}`);
console.log(
  `${isIntact ? 'intact' : `${faultCount} faults`}: ${records} records, ${digests} digests, signed until record ${signedUntil}${uncheckedRecords > 0 ? `, ${uncheckedRecords} after gaps could not be checked` : ''}`,
);
process.exitCode = isIntact ? 0 : 1;
