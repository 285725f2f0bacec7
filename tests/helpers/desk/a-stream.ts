import { streamStateSchema, type StreamState } from '../../../src-preload/contract/index.ts';

/** State of a stream as sent by the server: running with H.264 and AAC from one input, with the changes of a test. */
export function aStream(change: Partial<StreamState> = {}): StreamState {
  const name = change.name ?? 'cam1';
  const tracks = [
    { content: 'video', codec: 'h264', track_id: 'v1', width: 640, height: 360 },
    { content: 'audio', codec: 'aac', track_id: 'a1', channels: 2 },
  ];
  return streamStateSchema.parse({
    name,
    named_by: 'config',
    status: 'running',
    alive: true,
    ts_delay: 40,
    input_url: 'fake://',
    static: true,
    inputs: [
      {
        url: 'fake://',
        priority: 1,
        phase: 'running',
        is_active: true,
        ts_delay: 40,
        retry_count: 0,
        error_count: 0,
        last_error: null,
      },
    ],
    active_input: 0,
    selected_input: null,
    backup_running: false,
    input_switches: 0,
    publish_urls: [],
    playback: {
      hls: `/${name}/index.m3u8`,
      dash: `/${name}/index.mpd`,
      ts: `/${name}/mpegts`,
      embed: `/${name}/embed.html`,
      preview: `/${name}/preview.jpg`,
    },
    media_info: { streams: tracks, tracks },
    bitrate: 1000,
    fps: 25,
    input_error_rate: 0,
    bytes_in: 0,
    bytes_out: 0,
    client_count: 0,
    retry_count: 0,
    started_at: 1,
    left_out: [],
    problems: [],
    ...change,
  });
}
