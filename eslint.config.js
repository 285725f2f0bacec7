import vue from 'eslint-plugin-vue';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const TYPED = [
  'src-main/**/*.ts',
  'src-preload/contract/**/*.ts',
  'tests/**/*.ts',
  'bench/**/*.ts',
  'scripts/**/*.ts',
  '*.config.ts',
];
const PRELOAD = ['src-preload/*.ts'];
const RENDERER_TS = ['src-renderer/**/*.ts', 'tests/helpers/desk/*.ts'];
const RENDERER_VUE = ['src-renderer/**/*.vue'];
const TESTS = ['**/*.test.ts', 'tests/**/*.ts', 'bench/**/*.ts'];

/** Rooms in which time is an argument, because decisions about media must not depend on the clock of the machine. */
const CLOCKLESS = [
  'media',
  'stream',
  'ingest',
  'segment',
  'packaging',
  'dvr',
  'vod',
  'ads',
  'monitor',
  'engine',
  'delivery',
  'config',
  'control',
  'streams',
  'configuration',
  'host',
  'operators',
].map((room) => `src-main/${room}/**/*.ts`);

const ELECTRON = {
  name: 'electron',
  message: 'Only src-main/desktop (and the preload) may see Electron: everything else must run in plain Node.',
};
const SQLITE = {
  name: 'better-sqlite3',
  message: 'SQLite lives in src-main/db: one repository per table, nothing else speaks SQL.',
};

/** Rule that restricts the imports of a set of files. Each message contains the reason. */
function restrict(paths, patterns = []) {
  return { 'no-restricted-imports': ['error', { paths, patterns }] };
}

const typeChecked = {
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-misused-promises': 'error',
  '@typescript-eslint/await-thenable': 'error',
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  '@typescript-eslint/only-throw-error': 'error',
  '@typescript-eslint/prefer-promise-reject-errors': 'error',
  '@typescript-eslint/no-unnecessary-type-assertion': 'error',
  '@typescript-eslint/no-unsafe-argument': 'error',
  '@typescript-eslint/no-unsafe-assignment': 'error',
  '@typescript-eslint/no-unsafe-call': 'error',
  '@typescript-eslint/no-unsafe-member-access': 'error',
  '@typescript-eslint/no-unsafe-return': 'error',
  '@typescript-eslint/no-base-to-string': 'error',
  '@typescript-eslint/no-for-in-array': 'error',
  '@typescript-eslint/no-implied-eval': 'error',
  '@typescript-eslint/no-deprecated': 'warn',
};

/** Literals that are spread into other literals. Their elements should be written in the outer literal. */
const LITERAL_SPREADS = [
  'ObjectExpression > SpreadElement > ObjectExpression',
  'ArrayExpression > SpreadElement > ArrayExpression',
].map((selector) => ({ selector, message: 'Write the elements into the outer literal.' }));

const plain = {
  'no-restricted-syntax': ['error', ...LITERAL_SPREADS],
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports', prefer: 'type-imports' }],
  '@typescript-eslint/no-unused-vars': [
    'error',
    { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' },
  ],
  '@typescript-eslint/no-non-null-assertion': 'error',
  '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
  '@typescript-eslint/no-empty-object-type': 'error',
  '@typescript-eslint/no-require-imports': 'error',
  eqeqeq: ['error', 'always'],
  'no-constant-binary-expression': 'error',
  'no-self-compare': 'error',
  'no-unreachable': 'error',
  'no-fallthrough': 'error',
  'no-var': 'error',
  'prefer-const': 'error',
  'no-console': 'error',
  'no-eval': 'error',
  'no-debugger': 'error',
};

const timeIsAnArgument = {
  'no-restricted-properties': [
    'error',
    { object: 'Date', property: 'now', message: 'Time is an argument here: take `now` or a Clock.' },
    { object: 'performance', property: 'timeOrigin', message: 'Time is an argument here: take `now` or a Clock.' },
  ],
  'no-restricted-syntax': [
    'error',
    ...LITERAL_SPREADS,
    {
      selector: "NewExpression[callee.name='Date'][arguments.length=0]",
      message: 'Time is an argument here: take `now` or a Clock.',
    },
    { selector: "CallExpression[callee.name='Date']", message: 'Time is an argument here: take `now` or a Clock.' },
  ],
};

export default defineConfig(
  {
    ignores: [
      'out/',
      'dist/',
      'coverage/',
      'node_modules/',
      'data/',
      'tests/fixtures/',
      'src-preload/contract/config-language/parser*.js',
    ],
  },
  { files: ['**/*.js'], rules: { eqeqeq: 'error', 'no-var': 'error', 'prefer-const': 'error' } },
  {
    files: [...TYPED, ...PRELOAD, ...RENDERER_TS],
    languageOptions: { parser: tseslint.parser },
    plugins: { '@typescript-eslint': tseslint.plugin },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: plain,
  },
  {
    files: TYPED,
    ignores: ['tests/helpers/desk/*.ts'],
    languageOptions: { parserOptions: { project: 'tsconfig.main.json', tsconfigRootDir: import.meta.dirname } },
    rules: { ...typeChecked, ...restrict([ELECTRON, SQLITE]) },
  },
  {
    files: PRELOAD,
    languageOptions: { parserOptions: { project: 'tsconfig.preload.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...typeChecked,
      ...restrict([
        SQLITE,
        { name: 'zod', message: 'A sandboxed preload can load no package: schemas are checked behind the bridge.' },
      ]),
    },
  },
  { files: ['src-main/desktop/**/*.ts'], rules: restrict([SQLITE]) },
  { files: ['src-main/db/**/*.ts'], rules: restrict([ELECTRON]) },
  {
    files: ['src-main/media/**/*.ts'],
    ignores: TESTS,
    rules: restrict(
      [ELECTRON, SQLITE],
      [
        {
          // `node:crypto` is allowed for digests, which are pure. Random values are arguments.
          group: ['node:*', '!node:buffer', '!node:crypto'],
          message: 'media is pure: no I/O, no timers, no clock, no log.',
        },
      ],
    ),
  },
  {
    files: ['src-preload/contract/**/*.ts'],
    ignores: TESTS,
    rules: restrict([ELECTRON, SQLITE], [{ group: ['node:*'], message: 'The contract runs in the browser too.' }]),
  },
  { files: CLOCKLESS, ignores: TESTS, rules: timeIsAnArgument },
  {
    files: ['src-main/**/*.ts'],
    ignores: TESTS,
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'node:http',
              allowTypeImports: true,
              message: 'An import loads the WebSocket client of Node, too: take it from lib/node-http.ts.',
            },
          ],
        },
      ],
    },
  },
  {
    // Loops limit the indexes of bytes. A check of each byte would be slow in the hot path.
    files: ['media', 'stream', 'ingest', 'segment', 'packaging', 'lib'].map((room) => `src-main/${room}/**/*.ts`),
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: [...RENDERER_TS, ...RENDERER_VUE],
    rules: {
      ...restrict(
        [ELECTRON, SQLITE],
        [
          { group: ['node:*'], message: 'The desk runs in a sandbox and in browsers: it has no Node.' },
          { group: ['**/src-main/**'], message: 'The desk imports only the contract of the server.' },
        ],
      ),
      'no-restricted-properties': [
        'error',
        { object: 'window', property: 'bridge', message: 'Only src-renderer/server/bridge.ts uses window.bridge.' },
      ],
    },
  },
  {
    files: RENDERER_TS,
    languageOptions: { parserOptions: { project: 'tsconfig.renderer.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  ...vue.configs['flat/recommended'].map((config) => ({ ...config, files: config.files ?? RENDERER_VUE })),
  {
    files: RENDERER_VUE,
    languageOptions: { parserOptions: { parser: tseslint.parser, sourceType: 'module' } },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      'no-restricted-syntax': ['error', ...LITERAL_SPREADS],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
      'vue/component-api-style': ['error', ['script-setup']],
      'vue/block-lang': ['error', { script: { lang: 'ts' } }],
      'vue/define-props-declaration': ['error', 'type-based'],
      'vue/define-emits-declaration': ['error', 'type-based'],
      'vue/no-v-html': 'error',
      'vue/no-unused-refs': 'error',
      // Authors choose the layout of templates.
      'vue/max-attributes-per-line': 'off',
      'vue/singleline-html-element-content-newline': 'off',
      'vue/multiline-html-element-content-newline': 'off',
      'vue/html-self-closing': 'off',
      'vue/html-indent': 'off',
      'vue/html-closing-bracket-newline': 'off',
      'vue/first-attribute-linebreak': 'off',
      'vue/attributes-order': 'off',
    },
  },
  { files: ['src-renderer/server/bridge.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: TESTS,
    rules: { '@typescript-eslint/no-non-null-assertion': 'off', 'no-restricted-imports': 'off' },
  },
  // Programs of the command line print to the terminal.
  { files: ['bench/**/*.ts', 'scripts/**/*.ts', 'src-main/headless.ts'], rules: { 'no-console': 'off' } },
);
