import { afterEach, describe, expect, it } from 'vitest';
import { FAULT_TEXTS, printFault, type AlarmFault } from '../../../src-preload/contract/api/alarm-faults.ts';
import { i18n } from '../../i18n/i18n.ts';
import { alarmDetail } from './alarm-details.ts';
import { FAULTS_DE } from './texts-de.ts';

const FAULT_NAMES = Object.keys(FAULT_TEXTS) as AlarmFault[];
const namesIn = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe('the detail of an alarm', () => {
  afterEach(() => {
    i18n.global.locale.value = 'en';
  });

  it.each(FAULT_NAMES)('has the same facts in all languages for %s', (fault) => {
    expect(namesIn(FAULTS_DE[fault])).toEqual(namesIn(FAULT_TEXTS[fault]));
    if (fault !== 'few_open_files') expect(FAULTS_DE[fault]).not.toBe(FAULT_TEXTS[fault]);
  });

  it('is translated, with its values and limits', () => {
    const level = { fault: 'level_out_of_range', facts: { value: -3.5, min: -60, max: -9 } } as const;
    const loud = { fault: 'loudness_out_of_range', facts: { value: -9.1, unit: 'LUFS', min: null, max: -14 } } as const;
    expect([printFault(level), printFault(loud)]).toEqual([
      'Peak -3.5 dBFS, expected -60 to -9',
      '-9.1 LUFS, expected at most -14',
    ]);
    i18n.global.locale.value = 'de';
    expect([alarmDetail({ ...level, detail: '' }), alarmDetail({ ...loud, detail: '' })]).toEqual([
      'Spitze -3,5 dBFS, erwartet -60 bis -9',
      '-9,1 LUFS, erwartet höchstens -14',
    ]);
  });

  it('names an error in words instead of its code', () => {
    const facts = { failed: 1, count: 2, url: 'rtmp://relay/live/***', code: 'push_unreachable' };
    expect(alarmDetail({ fault: 'push_failing', facts, detail: '' })).toBe(
      '1 of 2 pushes fail. rtmp://relay/live/***: The target of the push cannot be reached. Check the address, the key and the network',
    );
    i18n.global.locale.value = 'de';
    expect(alarmDetail({ fault: 'push_failing', facts, detail: '' })).toContain('ist nicht erreichbar');
  });

  it('says that the login may not see it instead of showing a mask', () => {
    const hidden = { fault: 'streams_not_recorded', facts: { streams: '********' }, detail: '********' } as const;
    expect(alarmDetail(hidden)).toBe('This login may not see the details.');
    const unexplained = { fault: 'few_open_files', facts: { explanation: null }, detail: '********' } as const;
    expect(alarmDetail(unexplained)).toBe('This login may not see the details.');
    expect(alarmDetail({ fault: null, facts: {}, detail: '********' })).toBe('This login may not see the details.');
    const shown = { fault: 'reserve_on_air', facts: { input: 2, main: 1, count: 2 }, detail: '********' } as const;
    expect(alarmDetail(shown)).toBe('Input 2 of 2 is on air in place of input 1. Check input 1');
  });

  it('is the text of the server if there is no fault or an unknown one', () => {
    expect(alarmDetail({ fault: null, facts: {}, detail: 'ENOSPC' })).toBe('ENOSPC');
    const later = { fault: 'of_a_later_version' as AlarmFault, facts: {}, detail: 'something else' };
    expect(alarmDetail(later)).toBe('something else');
  });
});
