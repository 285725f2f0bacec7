import { describe, expect, it } from 'vitest';
import { CONFIG_CALLS } from '../../src-preload/contract/operations/config-calls.ts';
import { directiveHelp } from './directive-help.ts';

const blocks = directiveHelp();
const help = (block: string, name: string): unknown => blocks[block]?.find((known) => known.name === name);

describe('directiveHelp', () => {
  it('matches the contract, for every block', () => {
    expect(CONFIG_CALLS['config.directives'].output.parse({ blocks })).toEqual({ blocks });
    expect(Object.keys(blocks)).toEqual(expect.arrayContaining(['file', 'stream', 'live', 'template', 'vod']));
  });

  it('lists choices, options, secrets and the contents of a block', () => {
    expect(help('file', 'https_redirect')).toMatchObject({ choices: ['off', 'on', 'all'], form: 'value' });
    expect(help('stream', 'disabled')).toMatchObject({ choices: ['true', 'false'], form: 'flag', restarts: true });
    expect(help('stream', 'password')).toMatchObject({ is_secret: true, choices: [], takes_options: false });
    expect(help('stream', 'ad_breaks')).toMatchObject({
      takes_options: true,
      options: [
        { name: 'overrun', choices: ['cut', 'complete'] },
        { name: 'fill', choices: [] },
        { name: 'hls', choices: ['stitched', 'interstitials'] },
        { name: 'dash', choices: ['single', 'periods'] },
        { name: 'archive', choices: ['programme', 'clips'] },
      ],
    });
    expect(help('vod', 'disabled')).toMatchObject({ form: 'flag', is_reserved: false });
    expect(JSON.stringify(help('vod', 'protocols'))).toContain('"choices":["hls","cmaf","dash"');
    expect(help('file', 'stream')).toMatchObject({ form: 'block', block: 'stream', is_repeated: true });
    expect(help('file', 'hsts')).toMatchObject({ unit: 'seconds', default: null });
  });
});
