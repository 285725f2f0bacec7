import { z } from 'zod';
import { optionalFlag } from '../../../src-preload/contract/api/api-parts.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { ALARM_SEVERITIES, STREAM_ALARMS } from '../../../src-preload/contract/api/alarm-object.ts';
import { flagSetting, type Setting } from './directive.ts';
import { arg, described, option, optionalArg, recordsSetting, type FieldValues } from './record.ts';
import { choiceSchema } from './storage-values.ts';
import { durationSchema, valueSchema, type ValueSchema } from './value-schema.ts';

const limitValue: ValueSchema<number> = valueSchema(
  because('value_alarm_limit'),
  (text) => {
    const value = /^-?[0-9]{1,7}(\.[0-9]{1,3})?$/.test(text) ? Number(text) : undefined;
    return value !== undefined && value >= -200 && value <= 1_000_000 ? value : undefined;
  },
  { type: z.number() },
);

const FIELDS = {
  kind: described(arg(choiceSchema(STREAM_ALARMS)), 'kind of the alarm'),
  severity: described(
    optionalArg(choiceSchema([...ALARM_SEVERITIES, 'off'])),
    'severity, or off to disable the alarm; default: setting for all streams',
  ),
  raiseMs: option('raise', durationSchema('ms', 0, 86_400_000), 'delay before the alarm is raised, in milliseconds'),
  clearMs: option('clear', durationSchema('ms', 0, 86_400_000), 'delay before the alarm is cleared, in milliseconds'),
  min: option('min', limitValue, 'smallest good value; default: no limit'),
  max: option('max', limitValue, 'largest good value; default: no limit'),
};

function alarms(doc: string, example: string): Setting<readonly FieldValues<typeof FIELDS>[]> {
  return recordsSetting({
    change: 'update',
    json: 'alarms',
    about: 'rules of the alarms of the stream, by kind',
    usage: 'alarm kind [critical|major|info|off] [raise=time] [clear=time] [min=n] [max=n];',
    doc,
    unit: 'milliseconds',
    example,
    fields: FIELDS,
  });
}

/** Alarms of a stream. */
export const ALARM_STREAM_SETTINGS = {
  alarms: alarms(
    'Conditions for raising and clearing an alarm of the stream, and its severity (see Alarms in the documentation). The directive may repeat; alarms of other kinds are inherited from the top level.',
    'alarm bitrate major raise=10s min=500 max=8000;',
  ),
  isLoudnessLogged: flagSetting({
    directive: 'loudness_log',
    doc: 'Whether the loudness of the first audio track (EBU R128) is measured and stored, also without a loudness alarm: momentary and short-term for each 100 ms for 24 hours, figures of each hour for 90 days.',
    about: optionalFlag(
      'whether the loudness of the first audio track (EBU R 128) is measured and stored; default false',
    ),
    example: 'loudness_log;',
    change: 'update',
  }),
};

/** Alarms of all streams. */
export const ALARM_FILE_SETTINGS = {
  alarms: alarms(
    'Alarm of all streams that do not configure this kind themselves.',
    'alarm no_input critical raise=3s;',
  ),
};
