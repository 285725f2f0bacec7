import { describe, expect, it } from 'vitest';
import { CALLS } from '../../../src-preload/contract/index.ts';
import { checkForm, fieldOfError, suggestName, toCallInput } from './add-form.ts';
import type { AddForm } from './add-form.ts';
import { TEXTS } from './texts.ts';

const form = (change: Partial<AddForm>): AddForm => ({
  source: 'pull',
  name: 'cam',
  address: 'udp://239.0.0.1:1234',
  webKind: null,
  settings: [],
  ...change,
});

describe('the form data of a new stream', () => {
  it('are accepted if valid, and match the schema of the call', () => {
    expect(checkForm(form({}))).toEqual({});
    const settings = [{ directive: 'alarm', words: ['black'], options: { raise: '6s' } }];
    expect(CALLS['streams.add'].input.parse(toCallInput(form({ settings })))).toEqual({
      name: 'cam',
      input_url: 'udp://239.0.0.1:1234',
      settings,
    });
  });

  it('create a stream for an encoder', () => {
    expect(toCallInput(form({ source: 'publish', address: 'left over' }))).toEqual({
      name: 'cam',
      input_url: 'publish://',
    });
    expect(checkForm(form({ source: 'publish', address: '' }))).toEqual({});
  });

  it('are accepted with every address of the hint', () => {
    const examples = TEXTS.addressHint.match(/[a-z]+:\/\/[^\s,]*/g)?.map((example) => example.replace(/\.$/, '')) ?? [];
    expect(examples.length).toBeGreaterThan(3);
    for (const address of examples) {
      expect(checkForm(form({ address })), address).toEqual({});
      // No input uses the scheme http.
      expect(toCallInput(form({ address })).input_url, address).toMatch(/^(?!https?:)[a-z]+:\/\//);
    }
  });

  it('contain an input address that depends on the kind of the web address', () => {
    const urlOf = (change: Partial<AddForm>): string => toCallInput(form(change)).input_url;
    expect(urlOf({ address: 'http://192.0.2.9/a.m3u8' })).toBe('hls://192.0.2.9/a.m3u8');
    expect(urlOf({ address: 'http://192.0.2.9/a.m3u8', webKind: 'tshttp' })).toBe('tshttp://192.0.2.9/a.m3u8');
  });

  it.each([
    ['no name', { name: '  ' }, 'name'],
    ['a space in the name', { name: 'my cam' }, 'name'],
    ['a name that begins with a slash', { name: '/cam' }, 'name'],
    ['no address', { address: '' }, 'address'],
    ['an address without protocol', { address: '239.0.0.1:1234' }, 'address'],
  ] as const)('have an error for %s', (_, change, field) => {
    expect(Object.keys(checkForm(form(change)))).toEqual([field]);
  });

  it('assign server errors to their field', () => {
    expect(fieldOfError({ code: 'stream_exists', message: '' }, 'pull')).toBe('name');
    expect(fieldOfError({ code: 'bad_input_url', message: '' }, 'pull')).toBe('address');
    expect(fieldOfError({ code: 'bad_input_url', message: '' }, 'publish')).toBe('form');
    expect(fieldOfError({ code: 'internal', message: '' }, 'pull')).toBe('form');
  });

  it.each([
    ['http://host/live/cam1/index.m3u8', 'cam1'],
    ['udp://239.0.0.1:1234', '239.0.0.1-1234'],
    ['file:///media/My Clip.mp4?x=1', 'My-Clip'],
    ['', ''],
  ])('have a suggested name for %s', (address, name) => {
    expect(suggestName(address)).toBe(name);
  });
});
