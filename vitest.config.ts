import { join } from 'node:path';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';

// Worker threads, servers and later runs reuse compiled code. This saves a quarter of the processor time of starting a
// server, and a tenth of the processor time of all unit tests.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/airdesk-compiled');

const POLL = { expect: { poll: { timeout: 30_000 } } };
/** True for a search with more runs of property tests, which has no time limit. */
const IS_SEARCH = ['AIRDESK_RUNS', 'AIRDESK_BREAKS'].some((name) => process.env[name] !== undefined);
const limit = (ms: number): object => ({ testTimeout: IS_SEARCH ? 0 : ms, hookTimeout: IS_SEARCH ? 0 : ms });
/** Three or four processes share two cores, so a test that takes 8 s alone may take 30 s. */
const UNIT_LIMITS = { ...limit(60_000), ...POLL };
/** The longest tests wait for deadlines of 75 s, or watch a player for a minute. */
const E2E_LIMITS = { ...limit(120_000), ...POLL };
/**
 * The files of a project share a process and its loaded modules. This saves a third of the processor time of unit tests and
 * a sixth of that of other tests. Modules must not store anything between tests.
 */
const SHARED = { isolate: false, experimental: { viteModuleRunner: false } };
/** Tests with a build and external peers. */
const E2E = { ...E2E_LIMITS, ...SHARED };
/** Tests that measure delays and freezes of players. */
const PLAYBACK = ['tests/e2e/playback.test.ts'];
/** Tests of interruptions, delays and alarms of streams. They run one file at a time, so that the machine is not busy. */
const TIMED = ['tests/e2e/{ads,alarms,failover,hls-input,push-datagrams}.test.ts', 'tests/e2e/faults/**/*.test.ts'];
/** Tests of the desk in a browser and as an application. They run one file at a time, because a busy machine loses UDP. */
const DESK = ['tests/e2e/desk/**/*.test.ts', 'tests/e2e/desktop.test.ts'];
/** Tests of forms of the desk, without players. */
const FORMS = ['tests/e2e/desk/{configuration,subscribers}.test.ts'];
/** Tests of players that measure stalls or need several players. Tests that play files run in `e2e`. */
const PLAYERS = ['ad-players', 'ad-wire', 'archive', 'config-reload', 'isolation', 'track-changes'].map(
  (name) => `tests/e2e/${name}.test.ts`,
);
/** Tests of HTTP replies, without pictures. They wait half of their time, so several files run in parallel. */
const HTTP = ['tests/e2e/http/**/*.test.ts'];
/** Tests of recordings and outputs, without players. */
const RECORDING = ['tests/e2e/recording*.test.ts', 'tests/e2e/{outputs,srt-listener}.test.ts'];

// Unit tests are beside the code. tests/architecture checks the rules of the code base. tests/e2e is divided into projects by
// the resources that a file needs. scripts/test.ts runs the projects.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'src-{main,preload}/**/*.test.ts',
            'scripts/**/*.test.ts',
            'tests/architecture/**/*.test.ts',
            'tests/helpers/**/*.test.ts',
          ],
          setupFiles: ['tests/helpers/compare-bytes.ts', 'tests/helpers/fixed-seed.ts'],
          // Each process loads the same modules, so four processes take a tenth more processor time than two; but two leave a
          // quarter of two cores idle.
          maxWorkers: 3,
          ...SHARED,
          ...UNIT_LIMITS,
        },
      },
      {
        // Unit tests of the desk. All of them have a document, because only files with the same environment share a process.
        // They do not wait, and one process takes two thirds of the processor time of four.
        plugins: [vue()],
        // The bundled file of naive-ui. Loading its thousand modules takes a third of the processor time of these tests.
        resolve: { alias: { 'naive-ui': join(import.meta.dirname, 'node_modules/naive-ui/dist/index.mjs') } },
        test: {
          name: 'components',
          include: ['src-renderer/**/*.test.ts'],
          environment: 'happy-dom',
          setupFiles: ['tests/helpers/desk/own-modules.ts', 'tests/helpers/fixed-seed.ts'],
          isolate: false,
          // Threads, because a process receives its thousands of modules through a pipe, which takes a tenth of the processor
          // time.
          pool: 'threads',
          // The schemas have no state, so they are loaded once; all other modules are loaded once per file.
          server: { deps: { external: [/\/src-preload\/contract\//] } },
          // Disabled, because a cached component ignores changes of its style sheet.
          fsModuleCache: false,
          maxWorkers: 1,
          ...UNIT_LIMITS,
        },
      },
      { test: { name: 'playback', include: PLAYBACK, fileParallelism: false, ...E2E } },
      { test: { name: 'timed', include: TIMED, fileParallelism: false, ...E2E } },
      { test: { name: 'desk', include: DESK, exclude: FORMS, fileParallelism: false, ...E2E } },
      { test: { name: 'forms', include: FORMS, fileParallelism: false, ...E2E } },
      { test: { name: 'players', include: PLAYERS, fileParallelism: false, ...E2E } },
      { test: { name: 'http', include: HTTP, maxWorkers: 2, ...E2E } },
      { test: { name: 'recording', include: RECORDING, maxWorkers: 2, ...E2E } },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          exclude: [...PLAYBACK, ...TIMED, ...DESK, ...PLAYERS, ...HTTP, ...RECORDING],
          maxWorkers: 2,
          ...E2E,
        },
      },
    ],
  },
});
