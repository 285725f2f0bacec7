import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { benchMedia } from './bench-media.ts';
import { exceeded, type Budget } from './budget.ts';
import type { BenchContext, Section } from './context.ts';
import { nginxPeer } from './nginx-peer.ts';
import { ensureBuild, ourServer } from './our-server.ts';
import type { Row } from './row.ts';
import { ads } from './sections/ads.ts';
import { alarms } from './sections/alarms.ts';
import { archive } from './sections/archive.ts';
import { collections } from './sections/collections.ts';
import { config } from './sections/config.ts';
import { configuration } from './sections/configuration.ts';
import { delivery } from './sections/delivery.ts';
import { exports } from './sections/export.ts';
import { format } from './sections/format.ts';
import { inStep } from './sections/in-step.ts';
import { ingest } from './sections/ingest.ts';
import { latency } from './sections/latency.ts';
import { month } from './sections/month.ts';
import { playback } from './sections/playback.ts';
import { vod } from './sections/vod.ts';
import { programmes } from './sections/programmes.ts';
import { protocols } from './sections/protocols.ts';
import { recording } from './sections/recording.ts';
import { rtmpOut } from './sections/rtmp-out.ts';
import { sessions } from './sections/sessions.ts';
import { start } from './sections/start.ts';
import { subscribers } from './sections/subscribers.ts';
import { timeline } from './sections/timeline.ts';
import { wall } from './sections/wall.ts';
import { wallLoad } from './sections/wall-load.ts';
import { wallSoak } from './sections/wall-soak.ts';
import { printTable } from './table.ts';

// Measures our server and the peer: `npm run bench -- [section …] [--quick] [--check] …`; see README.md.

const SECTIONS: Readonly<Record<string, Section>> = {
  format,
  month,
  archive,
  config,
  configuration,
  collections,
  ingest,
  recording,
  playback,
  export: exports,
  vod,
  protocols,
  start,
  delivery,
  'rtmp-out': rtmpOut,
  sessions,
  subscribers,
  latency,
  ads,
  wall,
  'wall-load': wallLoad,
  timeline,
  'in-step': inStep,
  alarms,
};

/** Sections that are too long for a run of all of them. */
const LONG_SECTIONS: Readonly<Record<string, Section>> = { 'wall-soak': wallSoak, programmes };
const ALL_SECTIONS = { ...SECTIONS, ...LONG_SECTIONS };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    counts: { type: 'string' },
    protocols: { type: 'string' },
    minutes: { type: 'string' },
    tiles: { type: 'string' },
    source: { type: 'boolean', default: false },
    root: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
    'no-peer': { type: 'boolean', default: false },
    'node-arg': { type: 'string', multiple: true, default: [] },
    check: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(SECTIONS);
const unknown = names.find((name) => !Object.hasOwn(ALL_SECTIONS, name));
if (unknown !== undefined) throw new Error(`unknown section ${unknown}; use ${Object.keys(ALL_SECTIONS).join(', ')}`);

const { root } = values;
if (!values.source) ensureBuild(root);
const workFolder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'airdesk-bench-'));
const peer = values['no-peer'] ? undefined : nginxPeer(workFolder);
const context: BenchContext = {
  media: benchMedia(),
  ours: ourServer({ workFolder, isSource: values.source, root, nodeArgs: values['node-arg'] }),
  peer,
  workFolder,
  counts: values.counts?.split(',').map(Number) ?? (values.quick ? [1, 10] : [1, 10, 25, 50]),
  ...(values.protocols === undefined ? {} : { protocols: values.protocols.split(',') }),
  ...(values.minutes === undefined ? {} : { minutes: Number(values.minutes) }),
  ...(values.tiles === undefined ? {} : { tiles: Number(values.tiles) }),
  isQuick: values.quick,
  isSource: values.source,
  root,
  say: (text) => process.stderr.write(`${text}\n`),
};

const rows: Row[] = [];
try {
  for (const name of names) rows.push(...((await ALL_SECTIONS[name]?.(context)) ?? []));
} finally {
  rmSync(workFolder, { recursive: true, force: true });
}

console.log(printTable(rows));
console.log(
  `\npeer: ${peer?.name ?? (values['no-peer'] ? 'left out' : 'none: the Debian packages nginx-light and libnginx-mod-rtmp are not here')}; ratio above 1: ours is better`,
);
const machine = { node: process.version, cpu: cpus()[0]?.model ?? '', cores: cpus().length };
const path =
  values.out ??
  fileURLToPath(
    new URL(`results/${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.tmp.json`, import.meta.url),
  );
mkdirSync(fileURLToPath(new URL('results', import.meta.url)), { recursive: true });
writeFileSync(
  path,
  `${JSON.stringify({ measuredAt: new Date().toISOString(), machine, peer: peer?.name ?? null, isQuick: values.quick, rows }, null, 2)}\n`,
);
console.log(`written to ${path}`);

if (values.check) {
  const budget = JSON.parse(readFileSync(new URL('budget.json', import.meta.url), 'utf8')) as Budget;
  const faults = exceeded(rows, budget);
  for (const fault of faults) console.error(`over budget: ${fault}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
