import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { expect, it } from 'vitest';
import type { DirectiveHelp } from '../../../../src-preload/contract/config-language/directive-help.ts';
import { configSupport } from './config-language.ts';
import { completions } from './help.ts';

const BLOCKS = 'dvr main { }\ntemplate t { }\nauth_backend people { }\nvod clips { }\nstream one { }\n';

function directive(name: string, block: string | null = null): DirectiveHelp {
  return {
    name,
    aliases: [],
    usage: name,
    doc: '',
    doc_code: '',
    example: '',
    default: null,
    unit: null,
    form: block === null ? 'value' : 'block',
    is_repeated: false,
    restarts: false,
    is_secret: false,
    is_reserved: false,
    choices: [],
    takes_options: false,
    options: [],
    block,
  };
}
const HELP = {
  file: [directive('stream', 'stream'), directive('file_processor', 'processor')],
  stream: ['dvr', 'dvr_offline', 'template', 'on_play', 'input'].map((name) => directive(name)),
  processor: [directive('path')],
};

it.each([
  ['stream x { dvr @', ['@main']],
  ['stream x { dvr_offline @m', ['@main']],
  ['stream x { template t', ['t']],
  ['stream x { on_play auth://', ['auth://people']],
  ['stream x { input copy://o', ['copy://one', 'copy://x']],
  ['file_processor { path c', ['clips']],
])('completes the reference in %s', (typed, names) => {
  const state = EditorState.create({ doc: `${BLOCKS}${typed}`, extensions: configSupport });
  const found = completions(() => HELP)(new CompletionContext(state, state.doc.length, false));
  expect(found?.options.map(({ label }) => label)).toEqual(names);
});
