import { expect, it } from 'vitest';
import { ConfigDocument } from '../config/document.ts';
import { silentLog, type LogFields } from '../lib/log.ts';
import { logWarnings } from './configuration-error.ts';

function logged(text: string, before?: string): (LogFields | undefined)[] {
  const lines: (LogFields | undefined)[] = [];
  const log = { ...silentLog, warn: (_message: string, fields?: LogFields) => void lines.push(fields) };
  logWarnings(log, ConfigDocument.parse(text), before === undefined ? undefined : ConfigDocument.parse(before));
  return lines;
}

const TEXT = 'http 80;\nstream a {\n  input udp://239.0.0.1:1 colour=red;\n}\n';

it('logWarnings logs warnings of a configuration with their lines', () => {
  expect(logged(TEXT)).toMatchObject([{ line: 3, column: 27, code: 'config_not_effective' }]);
  expect(logged(TEXT)[0]?.['detail']).toContain('colour');
});

it('logWarnings logs a warning that persists once, and only the first 20 of many', () => {
  expect(logged(`# moved\n${TEXT}`, TEXT)).toEqual([]);
  const many = Array.from({ length: 50 }, (_, index) => `stream s${index} { mpegts_pids pmt=256; }\n`).join('');
  const lines = logged(many);
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toEqual({ count: 30 });
});
