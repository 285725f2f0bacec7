import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONFIG_DOCS_FILE, configDocs } from '../../../scripts/write-config-docs.ts';
import type { BlockName } from './directive.ts';
import { BLOCK_NAMES, DIRECTIVES, type KnownDirective } from './directives.ts';
import { parseConfig } from '../../../tests/helpers/parse-config.ts';

/** Text with a statement in a block where it is allowed. */
function inPlace(block: BlockName, statement: string): string {
  if (block === 'file') return statement;
  const name = block === 'api_auth' || block === 'file_processor' || block === 'rproxy' ? '' : ' example';
  return `template cameras;\n${block}${name} {\n  ${statement}\n}`;
}

function isReserved(known: KnownDirective): boolean {
  return known.kind === 'free-form' || (known.kind === 'setting' && known.entry.isReserved === true);
}

/** Blocks without any effect. */
const RESERVED_BLOCKS = BLOCK_NAMES.filter((block) =>
  [...DIRECTIVES.file.values()].some(
    (known) => known.kind === 'setting' && known.entry.block === block && isReserved(known),
  ),
);

const entries = BLOCK_NAMES.flatMap((block) =>
  [...new Set(DIRECTIVES[block].values())].map((known) => ({ block, name: known.entry.directive, known })),
);

describe('directive tables', () => {
  it.each(entries)('have a valid example of $name in $block', ({ block, known }) => {
    const { entry } = known;
    const { errors, warnings } = parseConfig(inPlace(block, entry.example));
    expect(errors).toEqual([]);
    // The block of the example lacks a setting that the directive needs.
    const own = warnings.filter(
      ({ code, message }) => code === 'config_not_effective' && !message.includes('has no effect without'),
    );
    expect(own.length > 0).toBe(isReserved(known) || RESERVED_BLOCKS.includes(block));
    expect(entry.example.split(/[ ;]/)[0]).toBe(entry.directive);
    expect(entry.usage.split(/[ ;]/)[0]).toBe(entry.directive);
    expect(entry.doc).toMatch(/^[A-Z`].*\.$/s);
  });

  it.each(entries.filter(({ known }) => known.kind === 'setting' && known.entry.default !== undefined))(
    'have a default of $name in $block that equals an omitted directive',
    ({ block, known }) => {
      const written = parseConfig(inPlace(block, `${known.entry.directive} ${known.entry.default ?? ''};`));
      expect(written.errors).toEqual([]);
      expect(written.config).toEqual(parseConfig(inPlace(block, '')).config);
    },
  );

  it('contain every directive of the specification', () => {
    const ofFile =
      'http https rtmp rtsp srt snmp mysql edit_auth view_auth api_auth cluster_key loglevel log_requests root pulsedb plugins auth auth_backend stream live template vod file dvr event_sink file_processor source peer rproxy';
    const ofStream =
      'input url title comment position static disabled dvr dvr_offline on_play auth on_publish password push prepush transcoder backup logo segment_duration chunk_duration segment_count clients_timeout retry_limit source_timeout cluster_key ' +
      'add_audio_only dash_off dvr_protected hds_off hls_off m4f_off m4s_off mpegts_off pulse_off rtmp_off rtsp_off webrtc_off hls_scte35 thumbnails protocols drm url_prefix cmaf_enabled dash_update_period';
    expect(ofFile.split(' ').filter((name) => !DIRECTIVES.file.has(name))).toEqual([]);
    for (const block of ['stream', 'live', 'template'] as const)
      expect(ofStream.split(' ').filter((name) => !DIRECTIVES[block].has(name))).toEqual([]);
  });

  it('accept the forms of other servers', () => {
    const { errors } = parseConfig(`
      http 80; rtmp 1935; edit_auth u p; view_auth u p;
      template t { prefixes live; input publish://; on_play http://127.0.0.1/auth; }
      stream n { input udp://239.0.0.1:1234 priority=1 source_timeout=15; dvr @storage 7d 97%; on_play http://127.0.0.1/a; transcoder vb=2048k ab=64k; push rtmp://h/a/b; backup vod/x.mp4 timeout=5; }
      dvr storage { root /mnt/archive; raid 0; active 2; disk volume1; disk volume2 keep; }
      vod ad_vod { storage /opt/ads; }
      file vod { path /x; }
      event_sink h { url http://127.0.0.1/e; only event=stream_*; except media=*; throttle_delay 1; }
      file_processor { path /opt/ads; }`);
    expect(errors).toEqual([]);
  });
});

describe('the configuration reference', () => {
  it('matches the directive tables', () => {
    expect(readFileSync(CONFIG_DOCS_FILE, 'utf8')).toBe(configDocs());
  });

  it('contains only valid examples, also in its introduction, and every directive', () => {
    const [introduction] = [...configDocs().matchAll(/```\n([^]*?)\n```/g)].map((match) => match[1] ?? '');
    expect(parseConfig(introduction ?? '}').errors).toEqual([]);
    for (const { name } of entries) expect(configDocs()).toContain(`### ${name}\n`);
  });
});
