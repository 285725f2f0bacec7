import { STREAM_ALARMS } from '../../../src-preload/contract/api/alarm-object.ts';
import { alarmRule } from './alarm-statements.ts';
import { recordingPart } from './recording-words.ts';
import { FIELDS, inputsOf, type Section } from './setting-fields.ts';
import { firstOf, statementOf, type Settings } from './statements.ts';
import { TEXTS } from './texts.ts';

/** Backend of the top level for streams without their own; empty if there is none. */
export function backendOfServer({ file }: Settings, directive: 'on_play' | 'on_publish'): string {
  const own = firstOf(file, directive) ?? (directive === 'on_play' ? firstOf(file, 'auth') : undefined);
  return own?.words[0] ?? '';
}

/** Content of a section in a few words, shown while the section is closed. */
export function sectionSummary(settings: Settings, section: Section): string {
  const { summaries } = TEXTS;
  if (section === 'general') return statementOf(settings, 'title')?.words[0] ?? '';
  if (section === 'inputs') return summaries.inputs(inputsOf(settings).length);
  if (section === 'alarms')
    return summaries.alarms(STREAM_ALARMS.filter((kind) => alarmRule(settings, kind).isOn).length);
  if (section === 'recording') {
    const dvr = statementOf(settings, 'dvr');
    const place = recordingPart(dvr, 'place').replace(/^@/, '');
    return dvr ? summaries.recorded(recordingPart(dvr, 'days'), place) : summaries.notRecorded;
  }
  if (section === 'access') {
    const backend = statementOf(settings, 'on_play')?.words[0] ?? backendOfServer(settings, 'on_play');
    const viewers = backend === '' || backend === 'false' ? summaries.everyone : summaries.backend(backend);
    return [...(statementOf(settings, 'password') ? [summaries.password] : []), viewers].join(' · ');
  }
  const directives = new Set(FIELDS[section].map(({ directive }) => directive));
  const many = settings.own.filter(({ directive }) => directives.has(directive)).length;
  return many === 0 ? summaries.defaults : summaries.changed(many);
}
