import { describe, expect, it } from 'vitest';
import { LAYERS, judgeImport, readLayerTable } from './layers.ts';
import { filesUnder, importsOf, isTest } from './source-files.ts';

describe('the layer table', () => {
  it('is parsed from Markdown', () => {
    const table =
      '| rank | folder | may import | content |\n|--:|---|---|---|\n| 0 | `lib` | – | tools |\n| 1 | `media` | `lib` | formats |\n';
    expect(readLayerTable(table)).toEqual([
      { name: 'lib', rank: 0, mayImport: [] },
      { name: 'media', rank: 1, mayImport: ['lib'] },
    ]);
  });

  it('lists each folder and file once', () => {
    expect(LAYERS.length).toBeGreaterThan(5);
    expect(new Set(LAYERS.map((layer) => layer.name)).size).toBe(LAYERS.length);
  });

  it('allows only imports of a lower rank', () => {
    const rank = new Map(LAYERS.map((layer) => [layer.name, layer.rank]));
    const upward = LAYERS.flatMap((layer) =>
      layer.mayImport
        .filter((name) => !(rank.has(name) && rank.get(name)! < layer.rank))
        .map((name) => `${layer.name} → ${name}`),
    );
    expect(upward).toEqual([]);
  });
});

describe('imports', () => {
  const layers = [
    { name: 'lib', rank: 0, mayImport: [] },
    { name: 'media', rank: 1, mayImport: ['lib'] },
    { name: 'renderer', rank: 1, mayImport: ['contract'] },
    { name: 'desk/ui', rank: 1, mayImport: ['contract'] },
    { name: 'desk/modules', rank: 2, mayImport: ['desk/ui'] },
  ];

  it.each([
    ['src-main/media/track.ts', '../lib/ring.ts', true],
    ['src-main/media/a/b.ts', '../track.ts', true],
    ['src-main/media/track.ts', 'zod', true],
    ['src-main/lib/ring.ts', '../media/track.ts', false],
    ['src-renderer/app.ts', '../src-main/lib/ring.ts', false],
    ['src-renderer/app.ts', '../src-preload/contract/index.ts', true],
    ['src-renderer/modules/log/page.ts', '../../ui/button.ts', true],
    ['src-renderer/modules/log/page.ts', './part/row.ts', true],
    ['src-renderer/modules/log/page.ts', '../alarms/store.ts', false],
    ['src-renderer/ui/button.ts', '../modules/log/page.ts', false],
    ['src-main/unknown/x.ts', '../lib/ring.ts', false],
    ['src-main/media/track.ts', '../../scripts/step.ts', false],
  ])('of the sample table are checked: %s importing %s', (from, specifier, isAllowed) => {
    expect(judgeImport(from, specifier, layers) === undefined).toBe(isAllowed);
  });

  it('follow the layer table in every source file', () => {
    const files = [
      ...filesUnder('src-main', /\.ts$/),
      ...filesUnder('src-preload', /\.ts$/),
      ...filesUnder('src-renderer', /\.(ts|vue)$/),
    ];
    expect(files.length).toBeGreaterThan(10);
    const faults = files
      .filter((file) => !isTest(file))
      .flatMap((file) => importsOf(file).map((specifier) => judgeImport(file, specifier, LAYERS)));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  });
});
