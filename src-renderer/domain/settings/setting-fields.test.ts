import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigDocument } from '../../../src-main/config/document.ts';
import { directiveHelp } from '../../../src-main/config/directive-help.ts';
import { editDraftInSteps, makeEdits, type ConfigEdit } from '../../../src-main/config/edit/edit-config.ts';
import { runAtOnce } from '../../../src-main/lib/turns.ts';
import { streamRules } from '../../../src-main/monitor/alarm-rules.ts';
import type { FormStatement } from '../../../src-preload/contract/config-language/block-form.ts';
import { STREAM_ALARMS } from '../../../src-preload/contract/api/alarm-object.ts';
import { alarmRule, DEFAULT_ALARMS, writeAlarm, type AlarmRule } from './alarm-statements.ts';
import { recordingPart, writeRecorded, writeRecordingPart } from './recording-words.ts';
import { SettingBlocks } from './setting-blocks.ts';
import {
  FIELDS,
  inheritedValue,
  inputsOf,
  moreDirectives,
  type SettingField,
  removeInput,
  valueOf,
  writeInput,
  writeSwitch,
} from './setting-fields.ts';
import { firstOf, mergeEdits, type Settings, type StatementEdit } from './statements.ts';

const HELP = directiveHelp();
const CAM = { kind: 'stream', name: 'cam' } as const;
const ALL = Object.values(FIELDS).flat();

const blocksOf = (text: string): SettingBlocks => new SettingBlocks(text, HELP);
function settingsOf(text: string, edits: readonly StatementEdit[] = []): Settings {
  const settings = blocksOf(text).settingsOf(CAM, edits);
  if (!settings) throw new Error('there is no stream cam');
  return settings;
}
/** Text after edits by the server. */
function edited(text: string, edits: readonly StatementEdit[]): string {
  const before = ConfigDocument.parse(text);
  const changes = edits.map(({ directive, index, words, options }): ConfigEdit =>
    words === null
      ? { edit: 'removeStreamDirective', block: 'stream', name: 'cam', directive, index }
      : {
          edit: 'setStreamDirective',
          block: 'stream',
          name: 'cam',
          index,
          directive: { name: directive, args: words, ...(options ? { options } : {}) },
        },
  );
  const { document, errors } = runAtOnce(editDraftInSteps(before, (draft) => makeEdits(draft, changes, before.config)));
  expect(errors).toEqual([]);
  return document.text;
}
const block = (statements: string, rest = ''): string => `${rest}stream cam {\n${statements}\n}\n`;
const fieldOf = (id: string) => ALL.find((one) => one.id === id) ?? ALL[0]!;
const set = (text: string, id: string, value: string): string =>
  edited(text, fieldOf(id).write(settingsOf(text), value));

/**
 * Statements that a stream may combine: with and without a field in the settings dialog, with comments and unusual
 * spacing.
 */
const STATEMENTS = [
  'input publish:// priority=2 frames_timeout=4;',
  'input   udp://239.0.0.1:1234 program=3;',
  'title "Camera 1"; # door',
  'dvr 7d @main 90%;',
  'password "open sesame";',
  'on_play auth://north max_sessions=2 site=a;',
  'ad_breaks overrun=complete fill=ads/slate.mp4;',
  'alarm black raise=6s;',
  'alarm no_input off;',
  'alarm bitrate major min=500 max=8000;',
  'segment_duration 4000ms;',
  'chunk_duration 200;',
  'hls_off;',
  'static false;',
  'labels site=north;',
  'template cams;',
  'retry_limit 10;',
  'backup slate.mp4 timeout=5;',
];
const REST =
  'dvr main { root a; }\nauth_backend north { }\ntemplate cams { alarm frozen raise=9s; segment_count 9; hls_off; dvr @main 3d; }\n';

const anyStream = fc
  .uniqueArray(fc.constantFrom(...STATEMENTS), {
    selector: (one) => (one.startsWith('input') ? one : one.split(' ')[0] === 'alarm' ? one : one.split(' ')[0]),
  })
  .map((list) => block(list.map((one) => `  ${one}`).join('\n'), REST));
/** Values that can be entered in the control of a field. */
const TEXTS: Readonly<Record<string, string>> = {
  publishKey: 'c2VjcmV0LWZvci1lbmNvZGVycw',
  playKey: 'c2VjcmV0LWZvci1wbGF5ZXJz',
  fill: 'ads/other.mp4',
};
function valuesFor({ id, control, choices, min = 1, existing }: SettingField): readonly string[] {
  if (control === 'switch') return ['true', 'false'];
  if (control === 'number') return ['', String(min), String(min + 1)];
  if (existing === 'backends') return ['', 'false', 'auth://north'];
  return ['', ...(choices ?? []), ...(control === 'choice' ? [] : [TEXTS[id] ?? '12'])];
}
const anyChange = fc
  .constantFrom(...ALL.filter(({ id }) => id !== 'template'))
  .chain((field) => fc.tuple(fc.constant(field), fc.constantFrom(...valuesFor(field))));

/** Statements without those of a directive, for comparison. */
const others = ({ own }: Settings, directive: string): unknown =>
  own.filter((one) => one.directive !== directive).map(({ words, options, directive: name }) => [name, words, options]);
const plain = (list: readonly FormStatement[]): unknown =>
  list.map(({ directive, index, words, options }) => JSON.stringify([directive, index, words, options])).sort();

describe('the settings of a stream', () => {
  it('change nothing if no field is changed', () => {
    fc.assert(
      fc.property(anyStream, (text) => {
        const settings = settingsOf(text);
        const edits = ALL.flatMap((field) => {
          const value = field.read(firstOf(settings.own, field.directive));
          return value === '' || field.control === 'number' ? [] : field.write(settings, value);
        });
        expect(
          edited(
            text,
            edits.filter(({ directive }) => directive !== 'static' && directive !== 'hls_off'),
          ),
        ).toBe(text);
      }),
    );
  });

  it('change only the directive of a field, and the same values are shown afterwards', () => {
    fc.assert(
      fc.property(anyStream, anyChange, (text, [field, value]) => {
        const settings = settingsOf(text);
        const edits =
          field.needsDirective === true && !firstOf(settings.own, field.directive) ? [] : field.write(settings, value);
        const after = edited(text, edits);
        expect(others(settingsOf(after), field.directive)).toEqual(others(settings, field.directive));
        expect(plain(settingsOf(after).own)).toEqual(plain(settingsOf(text, edits).own));
        if (edits.length > 0) expect(field.read(firstOf(settingsOf(after).own, field.directive))).toBe(value);
        else expect(after).toBe(text);
      }),
    );
  });

  it('keep the rest of a directive, comments and spacing', () => {
    const text = block('  on_play  auth://north   max_sessions=2 site=a; # who\n  labels a=b;', REST);
    expect(set(text, 'maxSessions', '5')).toBe(text.replace('max_sessions=2', 'max_sessions=5'));
    expect(set(text, 'onPlay', 'false')).toBe(text.replace('auth://north', 'false'));
    expect(moreDirectives(settingsOf(text).own)).toEqual(['labels']);
  });

  it('show inherited values, and write a switch only if it differs from the inherited one', () => {
    const settings = settingsOf(block('template cams;', REST));
    expect(inheritedValue(settings, fieldOf('segmentCount'))).toBe('9');
    expect(inheritedValue(settings, fieldOf('segmentDuration'))).toBe('2');
    expect(inheritedValue(settings, fieldOf('chunkDuration'))).toBe('500');
    expect([valueOf(settings, fieldOf('hls')), valueOf(settings, fieldOf('dash'))]).toEqual(['false', 'true']);
    expect(writeSwitch(settings, fieldOf('hls'), false)).toEqual([]);
    expect(writeSwitch(settings, fieldOf('hls'), true)).toEqual([{ directive: 'hls_off', index: 0, words: ['false'] }]);
    expect(writeSwitch(settings, fieldOf('isStatic'), false)).toEqual([
      { directive: 'static', index: 0, words: ['false'] },
    ]);
  });

  it('merge edits of the same statement', () => {
    const title = (text: string): StatementEdit => ({ directive: 'title', index: 0, words: [text] });
    const removed: StatementEdit = { directive: 'title', index: 0, words: null };
    expect(mergeEdits([title('a')], [title('ab')])).toEqual([title('ab')]);
    expect(mergeEdits([title('a')], [removed, title('b')])).toEqual([removed, title('b')]);
  });
});

describe('the inputs of a stream', () => {
  const text = block('  input publish:// priority=2; # studio\n  input udp://239.0.0.1:1 program=3;');
  it('are changed individually', () => {
    const settings = settingsOf(text);
    expect(inputsOf(settings)[1]).toMatchObject({ address: 'udp://239.0.0.1:1', more: ['program'], framesTimeout: '' });
    expect(edited(text, writeInput(settings, 1, 'framesTimeout', '2.5'))).toBe(
      text.replace('=3', '=3 frames_timeout=2.5s'),
    );
    expect(edited(text, writeInput(settings, 0, 'priority', ''))).toBe(text.replace(' priority=2', ''));
    expect(edited(text, writeInput(settings, 2, 'address', 'fake://'))).toContain('  input fake://;\n');
    expect(edited(text, removeInput(settings, 0))).not.toContain('publish://');
  });

  it('of a template are copied before the first change', () => {
    const inherited = block('template two;', 'template two { input fake://; input publish://; }\n');
    const after = edited(inherited, writeInput(settingsOf(inherited), 1, 'priority', '1'));
    expect(inputsOf(settingsOf(after)).map(({ address, priority }) => [address, priority])).toEqual([
      ['fake://', ''],
      ['publish://', '1'],
    ]);
  });
});

describe('the recording of a stream', () => {
  it('has its parts in any order', () => {
    const text = block('  dvr 500G 36h @main 90%; # a');
    const settings = settingsOf(text);
    const dvr = firstOf(settings.own, 'dvr');
    expect((['place', 'days', 'size', 'percent'] as const).map((part) => recordingPart(dvr, part))).toEqual([
      '@main',
      '1.5',
      '500',
      '90',
    ]);
    expect(edited(text, writeRecordingPart(settings, 'days', '3'))).toBe(text.replace('36h', '3d'));
    expect(edited(text, writeRecordingPart(settings, 'size', ''))).toBe(text.replace('500G ', ''));
    expect(edited(text, writeRecordingPart(settings, 'place', '@big'))).toBe(text.replace('@main', '@big'));
    expect(edited(text, writeRecorded(false, []))).toBe('stream cam {\n  # a\n}\n');
    expect(edited(block('  title a;'), writeRecorded(true, ['disk']))).toContain('  dvr @disk 7d;\n');
  });
});

describe('the alarms of a stream', () => {
  const change = (
    text: string,
    kind: (typeof STREAM_ALARMS)[number],
    part: keyof AlarmRule,
    value: string | boolean,
  ): string => edited(text, writeAlarm(settingsOf(text), kind, part, value));

  it('have the default rules of the server', () => {
    const rules = streamRules();
    const shown = (ms: number): string => String(ms / 1000);
    const limit = (value: number | null): string => (value === null ? '' : String(value));
    for (const kind of STREAM_ALARMS) {
      const { isOn, severity, raiseMs, clearMs, min, max } = rules[kind];
      const expected = {
        isOn,
        severity,
        raise: shown(raiseMs),
        clear: shown(clearMs),
        min: limit(min),
        max: limit(max),
      };
      expect(DEFAULT_ALARMS[kind], kind).toEqual(expected);
    }
  });

  it('are switched on and off, with thresholds', () => {
    const on = change(block('  title a;'), 'black', 'isOn', true);
    expect(on).toContain('  alarm black;\n');
    const slow = change(on, 'black', 'raise', '6');
    expect(slow).toContain('alarm black raise=6s;');
    expect(alarmRule(settingsOf(slow), 'black')).toMatchObject({ isOn: true, raise: '6', clear: '2' });
    expect(change(slow, 'black', 'severity', 'info')).toContain('alarm black raise=6s info;');
    expect(change(slow, 'black', 'isOn', false)).not.toContain('alarm');
    const off = change(on, 'no_input', 'isOn', false);
    expect(off).toContain('alarm no_input off;');
    expect(change(off, 'no_input', 'isOn', true)).not.toContain('no_input');
  });

  it('keep the rules of the template and of the top level', () => {
    const text = block('template cams;', `alarm silence raise=4s;\n${REST}`);
    expect(alarmRule(settingsOf(text), 'silence')).toMatchObject({ isOn: true, raise: '4' });
    const black = change(text, 'black', 'isOn', true);
    expect(alarmRule(settingsOf(black), 'frozen')).toMatchObject({ isOn: true, raise: '9' });
    const notFrozen = change(text, 'frozen', 'isOn', false);
    expect(notFrozen).toContain('alarm frozen raise=9s off;');
    expect(alarmRule(settingsOf(change(notFrozen, 'silence', 'isOn', false)), 'silence').isOn).toBe(false);
    const single = block('template cams; alarm black;', REST);
    expect(alarmRule(settingsOf(change(single, 'black', 'isOn', false)), 'frozen').isOn).toBe(false);
  });

  it('have the same rules as in the server, after any change', () => {
    const anyPart = fc.constantFrom<readonly [keyof AlarmRule, string | boolean]>(
      ['isOn', true],
      ['isOn', false],
      ['raise', '6'],
      ['severity', 'info'],
    );
    fc.assert(
      fc.property(anyStream, fc.constantFrom(...STREAM_ALARMS), anyPart, (text, kind, [part, value]) => {
        const before = settingsOf(text);
        const after = change(text, kind, part, value);
        const config = ConfigDocument.parse(after).config;
        const rules = streamRules(config?.alarms ?? [], config?.streams.get('cam')?.alarms ?? []);
        for (const other of STREAM_ALARMS) {
          const shown = alarmRule(settingsOf(after), other);
          expect([other, shown.isOn, shown.raise]).toEqual([
            other,
            rules[other].isOn,
            String(rules[other].raiseMs / 1000),
          ]);
          if (other !== kind) expect(shown).toEqual(alarmRule(before, other));
        }
        expect(alarmRule(settingsOf(after), kind)[part]).toBe(value);
      }),
    );
  });
});

describe('SettingBlocks', () => {
  const blocks = blocksOf(
    `${block('')}live studio { }\ntemplate cams { prefix studio/cams; }\nvod ads { }\ndvr main { }\nauth_backend north { }\n`,
  );
  it('finds the blocks of streams, including live prefixes and templates', () => {
    expect([
      blocks.blockOf('cam'),
      blocks.blockOf('studio/a'),
      blocks.blockOf('studio/cams/a'),
      blocks.blockOf('x'),
    ]).toEqual([CAM, { kind: 'live', name: 'studio' }, { kind: 'template', name: 'cams' }, undefined]);
    expect(blocks.textOf(CAM)).toBe('stream cam {\n\n}');
    expect(blocks.existing).toEqual({
      storages: ['main'],
      templates: ['studio', 'cams'],
      backends: ['auth://north'],
      locations: ['ads'],
    });
    expect(blocks.newSettings([]).own).toEqual([]);
  });
});
