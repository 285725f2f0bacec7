import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigDocument } from './document.ts';

const STREAMS = Array.from(
  { length: 200 },
  (_, n) =>
    `# Camera ${n}\nstream cam${n} {\n  title "Camera ${n}";\n  input udp://239.0.0.1:${2000 + n};\n  dvr @main 7d;\n}\n\n`,
);
const TEXT = `http 8080;\nrtmp 1935; template t { prefix p; }\ndvr main { root /mnt; }\n\n${STREAMS.join('')}`;

describe('parsing a text with a previous document', () => {
  it('parses only changed parts, and reuses the other values', () => {
    const before = ConfigDocument.parse(TEXT);
    const after = ConfigDocument.parse(TEXT.replace('"Camera 77"', 'Gate'), before);
    expect([before.readCount, after.readCount]).toEqual([204, 1]);
    expect(after.config?.streams.get('cam77')?.title).toBe('Gate');
    for (const [name, stream] of before.config?.streams ?? [])
      expect(after.config?.streams.get(name) === stream, name).toBe(name !== 'cam77');
    expect(after.config?.dvrs).toEqual(before.config?.dvrs);
  });

  it('parses only the changes at both ends and in between', () => {
    const before = ConfigDocument.parse(TEXT);
    const after = ConfigDocument.parse(
      `# first\n${TEXT.replace('"Camera 0"', 'zero').replace('"Camera 199"', 'last')}`,
      before,
    );
    expect(after.readCount).toBe(3);
    expect(after.config?.streams.size).toBe(200);
    expect(after.config?.streams.get('cam5')).toBe(before.config?.streams.get('cam5'));
  });

  it('rebuilds the streams of a changed template', () => {
    const text = 'template t { segment_duration 3; }\nstream a { template t; }\nstream b;\n';
    const before = ConfigDocument.parse(text);
    const after = ConfigDocument.parse(text.replace('3', '4'), before);
    expect(after.config?.streams.get('a')?.segmentDurationMs).toBe(4000);
    expect(after.config?.streams.get('b')).toBe(before.config?.streams.get('b'));
  });

  it('returns positions in the complete text', () => {
    const before = ConfigDocument.parse(TEXT);
    const after = ConfigDocument.parse(
      TEXT.replace('input udp://239.0.0.1:2150', 'input nowhere').replace('# Camera 3', '\n\n# Camera 3'),
      before,
    );
    const line = TEXT.slice(0, TEXT.indexOf('239.0.0.1:2150')).split('\n').length + 2;
    expect(after.errors.map((error) => [error.line, error.column, error.path.join('/')])).toEqual([
      [line, 9, 'streams/cam150/inputs/0/url'],
    ]);
    expect(after.warnings).toEqual(ConfigDocument.parse(after.text).warnings);
  });

  it('reports the same syntax errors as without the previous document', () => {
    const before = ConfigDocument.parse(TEXT);
    for (const text of [
      TEXT.replace('cam150 {', 'cam150'),
      TEXT.replace('cam150 {', 'cam150 {{'),
      `${TEXT}stream x {\n`,
      TEXT.replace('"Camera 9"', '"Camera 9'),
    ]) {
      expect(ConfigDocument.parse(text, before).errors).toEqual(ConfigDocument.parse(text).errors);
      expect(ConfigDocument.parse(text).errors).not.toEqual([]);
    }
  });

  it('returns the same result when parsed in turns', async () => {
    const before = await ConfigDocument.parseInTurns(TEXT);
    expect(before.config).toEqual(ConfigDocument.parse(TEXT).config);
    expect((await ConfigDocument.parseInTurns(`${TEXT}x {`, before)).errors).toEqual(
      ConfigDocument.parse(`${TEXT}x {`).errors,
    );
  });
});

describe('parsing a random text with a random previous document', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'stream a { title x; }',
      'stream b;',
      'stream c {\n  input udp://h:1 k="v }";\n}',
      'template t { segment_duration 3; }',
      'stream d { template t; }',
      'live l;',
      'http 80;',
      'rtmp 1935; # c }',
      '# {',
      '"',
      '{',
      '}',
      ';',
      'title "a;b{"',
      'dvr m { root /x; }',
    ),
    fc.constantFrom('\n', '\n', '\r\n', '\r', ' ', '\ufeff', '\u2028'),
  );
  const text = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''));

  it('returns the same result as without the previous document', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const after = ConfigDocument.parse(other, ConfigDocument.parse(one));
        const alone = ConfigDocument.parse(other);
        expect(after.errors).toEqual(alone.errors);
        expect(after.warnings).toEqual(alone.warnings);
        expect(after.config).toEqual(alone.config);
      }),
      { numRuns: 700 },
    );
  });

  it('returns the same result after any single change', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(20), piece, (one, at, length, insert) => {
        const from = at % (one.length + 1);
        const other = one.slice(0, from) + insert + one.slice(from + length);
        const after = ConfigDocument.parse(other, ConfigDocument.parse(one));
        const alone = ConfigDocument.parse(other);
        expect([after.errors, after.warnings, after.config]).toEqual([alone.errors, alone.warnings, alone.config]);
        expect(after.textBlocks?.map((textBlock) => textBlock.text).join('') ?? other).toBe(other);
      }),
      { numRuns: 700 },
    );
  });
});
