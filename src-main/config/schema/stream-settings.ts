import { ALARM_STREAM_SETTINGS } from './alarm-settings.ts';
import { flagSetting, listSetting, optionalSetting, setting, type SettingValues } from './directive.ts';
import { inputSetting, sourceTimeout } from './input-setting.ts';
import { RECORDING_SETTINGS } from './recording-fields.ts';
import { pushSetting } from './push-setting.ts';
import { RESERVED_STREAM_SETTINGS } from './reserved-stream-settings.ts';
import { PROTOCOL_SETTINGS } from './protocol-settings.ts';
import { arg, described, option, recordSetting } from './record.ts';
import { SESSION_STREAM_SETTINGS } from './session-settings.ts';
import { breakFillSchema, choiceSchema, pathSchema } from './storage-values.ts';
import { fallbacksOf } from './table.ts';
import { durationSchema, integerSchema, limitSchema, nameSchema, textSchema } from './value-schema.ts';

/** Default time that an input may be silent, as written. */
const SOURCE_TIMEOUT = '20s';
/** Default time that an input may be silent, in milliseconds. */
export const SOURCE_TIMEOUT_MS = sourceTimeout.parse(SOURCE_TIMEOUT);

/** Settings of `stream`, `live` and `template` blocks. */
export const STREAM_SETTINGS = {
  inputs: inputSetting,
  pushes: pushSetting,
  title: optionalSetting({
    usage: 'title text;',
    doc: 'Displayed name. A title with spaces needs quotation marks.',
    about: 'display name',
    example: 'title "Camera at the gate";',
    change: 'update',
    value: textSchema(200),
  }),
  comment: optionalSetting({
    usage: 'comment text;',
    doc: 'A note for the operators; it is shown and has no effect.',
    about: 'note for operators, without effect',
    example: 'comment "Key is with the porter";',
    change: 'update',
    value: textSchema(2000),
  }),
  position: optionalSetting({
    usage: 'position number;',
    doc: 'Position of the stream in lists: smaller numbers come first; default 0. Streams with the same position are ordered by name.',
    about: 'sort position in lists: smaller numbers first, then names; default 0',
    example: 'position 3;',
    change: 'update',
    value: integerSchema(-1_000_000_000, 1_000_000_000),
  }),
  isDisabled: flagSetting({
    directive: 'disabled',
    doc: 'The stream stays in the configuration and does not run.',
    about: 'whether the stream is switched off but stays in the configuration; default false',
    example: 'disabled;',
    change: 'restart',
  }),
  isStatic: flagSetting({
    directive: 'static',
    doc: 'Whether the stream always runs. With `static false;` it starts with its first viewer, who waits at most ten seconds for the first segment, and ends `clients_timeout` after the last one. A push counts as a viewer at its times. Publishers are always accepted.',
    default: 'true',
    about: 'whether it runs without viewers; default true',
    example: 'static false;',
    change: 'restart',
  }),
  password: optionalSetting({
    usage: 'password text;',
    isSecret: true,
    doc: 'Password that an encoder must send as `?password=` to publish here. It applies to `publish://` only. A new password does not disconnect a publisher.',
    about: 'password of encoders that publish here; masked',
    example: 'password "open sesame";',
    change: 'update',
    value: textSchema(200),
  }),
  segmentDurationMs: setting({
    usage: 'segment_duration time;',
    doc: 'Minimum length of a segment, which ends with the first key frame after this time.',
    default: '2s',
    about: 'minimum duration of a segment in seconds: it ends at the next key frame; default 2',
    example: 'segment_duration 4;',
    change: 'restart',
    value: durationSchema('s', 500, 60_000),
  }),
  chunkDurationMs: setting({
    usage: 'chunk_duration time;',
    doc: 'Length of a part of a segment. Low-latency players load parts, so a shorter part means less delay and more requests. It may not be longer than `segment_duration`.',
    default: '500ms',
    about: 'duration of a part of a segment in milliseconds; default 500',
    example: 'chunk_duration 200;',
    change: 'restart',
    value: durationSchema('ms', 50, 10_000),
  }),
  segmentCount: setting({
    usage: 'segment_count number;',
    doc: 'Number of complete segments in a live playlist.',
    default: '6',
    about: 'complete segments in a live playlist; default 6',
    example: 'segment_count 10;',
    change: 'restart',
    value: integerSchema(3, 1000),
  }),
  hlsScte35: setting({
    usage: 'hls_scte35 rfc8216|aws|scte35;',
    doc: 'Markers of splice points (SCTE-35) in HLS playlists: `rfc8216` as EXT-X-DATERANGE, `aws` as EXT-X-CUE-OUT and EXT-X-CUE-IN, `scte35` as the tags of `aws`, with the section in EXT-OATCLS-SCTE35. DASH always has them as events.',
    default: 'rfc8216',
    about: 'notation of splice points (SCTE-35) in HLS playlists; default rfc8216',
    example: 'hls_scte35 aws;',
    change: 'update',
    value: choiceSchema(['rfc8216', 'aws', 'scte35']),
  }),
  sourceTimeoutMs: setting({
    usage: 'source_timeout time;',
    doc: 'Time without a frame after which an input counts as lost: its connection is closed and reopened. With several inputs, the stream moves on to the next one after `frames_timeout`, whose default is this time if it is set, and 3 seconds otherwise.',
    default: SOURCE_TIMEOUT,
    about: 'seconds without a frame after which an input is lost and connected again; default 20',
    example: 'source_timeout 10;',
    change: 'restart',
    value: sourceTimeout,
  }),
  clientsTimeoutMs: setting({
    usage: 'clients_timeout time;',
    doc: 'Time that a stream with `static false;` continues after the last request of its last viewer. It is at least three segments long, because some players send no request for that time.',
    default: '1m',
    about: 'seconds that a stream with static false continues after its last viewer; default 60',
    example: 'clients_timeout 5m;',
    change: 'update',
    value: durationSchema('s', 0, 604_800_000),
  }),
  retryLimit: setting({
    usage: 'retry_limit number|unlimited;',
    doc: 'Number of attempts to reconnect a lost input. If none of them receives a frame, the input is given up. It is tried again if an operator selects it or restarts the stream. The delay between attempts grows from 1 to 15 seconds.',
    default: 'unlimited',
    about: 'maximum number of attempts to reconnect a lost input; absent: no limit',
    example: 'retry_limit 10;',
    change: 'restart',
    value: limitSchema(1_000_000),
  }),
  backup: recordSetting({
    usage: 'backup file [timeout=time];',
    doc: 'File that plays in a loop while no input provides frames: MPEG-TS or MP4, with an absolute path or one relative to the data folder. It starts after `timeout` seconds without a frame (default 3). The first input with frames takes over at once.',
    unit: 'seconds',
    about: 'backup file that plays while no input has frames',
    example: 'backup clips/slate.mp4 timeout=5;',
    change: 'restart',
    fields: {
      path: described(arg(pathSchema, 'file'), 'path of an MPEG-TS or MP4 file, absolute or below the data folder'),
      timeoutMs: option(
        'timeout',
        durationSchema('s', 0, 86_400_000),
        'seconds without a frame before the file plays; default 3',
      ),
    },
  }),
  adBreaks: recordSetting({
    usage:
      'ad_breaks [overrun=cut|complete] [fill=repeat|programme|location/file] [hls=stitched|interstitials] [dash=single|periods] [archive=programme|clips];',
    doc: [
      'Rules for breaks with clips.',
      '',
      '- `overrun`: end of a splice break that is shorter than its clips. `cut` (default) cuts the current clip, `complete` plays it to its end.',
      '- `fill`: rest of a splice break that is longer than its clips. `repeat` (default) starts the clips again, `programme` returns to the stream, and a file of a VOD location plays as a slate.',
      '- `hls`: `stitched` (default) puts the clips into the HLS playlists, `interstitials` leaves their insertion to the player.',
      '- `dash`: period of breaks whose clips are inside the segments (`v` 2). `single` (default) is the period of the stream, `periods` gives each break its own.',
      '- `archive`: playback of a splice break in the archive. `programme` (default) shows the programme, `clips` plays the break again.',
      '',
      'The answer of the authorization backend takes precedence over `overrun` and `fill`. A change of `hls` or `dash` applies to new sessions.',
    ].join('\n'),
    about: 'playback of breaks',
    example: 'ad_breaks overrun=complete fill=ads/slate.mp4;',
    change: 'update',
    fields: {
      overrun: option(
        'overrun',
        choiceSchema(['cut', 'complete']),
        'whether a clip is cut at the end of its break or plays to its end; default cut',
      ),
      fill: option(
        'fill',
        breakFillSchema,
        'content after the last clip of a longer break: repeat (default), programme, or a slate as LOCATION/FILE',
      ),
      hls: option(
        'hls',
        choiceSchema(['stitched', 'interstitials']),
        'whether the server inserts clips into HLS playlists or the players insert them; default stitched',
      ),
      dash: option(
        'dash',
        choiceSchema(['single', 'periods']),
        'whether DASH has a period for each break whose clips have segments like the stream; default single',
      ),
      archive: option(
        'archive',
        choiceSchema(['programme', 'clips']),
        'content of splice point breaks in the archive: programme as broadcast (default), or clips',
      ),
    },
  }),
  ...SESSION_STREAM_SETTINGS,
  ...ALARM_STREAM_SETTINGS,
  ...PROTOCOL_SETTINGS,
  ...RECORDING_SETTINGS,
  ...RESERVED_STREAM_SETTINGS,
};

const TEMPLATE_REFERENCE = {
  template: optionalSetting({
    usage: 'template name;',
    doc: 'Inherits settings from the template or live prefix of this name, unless the stream sets them itself.',
    about: 'name of the template with the defaults of the stream',
    example: 'template cameras;',
    change: 'update',
    value: nameSchema,
  }),
};

const PREFIXES = {
  prefixes: listSetting({
    aliases: ['prefixes'],
    json: 'prefixes',
    usage: 'prefix name …;',
    doc: 'Encoders may publish under these prefixes: with `prefix cams;`, publishing to `rtmp://host/cams/gate` makes the stream `cams/gate`.',
    about: 'name prefixes under which encoders may publish',
    example: 'prefix cams mobile;',
    change: 'restart',
    value: nameSchema,
  }),
};

export const SETTINGS_OF_STREAM = { ...STREAM_SETTINGS, ...TEMPLATE_REFERENCE };
export const SETTINGS_OF_TEMPLATE = { ...STREAM_SETTINGS, ...PREFIXES };
export const SETTINGS_OF_LIVE = STREAM_SETTINGS;

/** Defaults of each kind of block. */
export const STREAM_FALLBACKS = {
  stream: fallbacksOf(SETTINGS_OF_STREAM),
  template: fallbacksOf(SETTINGS_OF_TEMPLATE),
  live: fallbacksOf(SETTINGS_OF_LIVE),
};

/** Settings common to all kinds of streams, as written. */
export type WrittenSettings = SettingValues<typeof STREAM_SETTINGS>;
