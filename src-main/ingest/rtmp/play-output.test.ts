import { describe, expect, it } from 'vitest';
import { testMedia } from '../../../tests/helpers/test-media.ts';
import type { AccessUnit } from '../../media/access-unit.ts';
import { FlvTagReader } from '../../media/containers/flv/flv-tag-reader.ts';
import { NO_FLV_CAPABILITIES, type FlvCapabilities } from '../../media/containers/flv/flv-layout.ts';
import { ChunkStreamReader } from '../../media/containers/rtmp/chunk-stream-reader.ts';
import { ChunkStreamWriter } from '../../media/containers/rtmp/chunk-stream-writer.ts';
import { writeSetChunkSize } from '../../media/containers/rtmp/protocol-control.ts';
import { SHARED_CHUNK_BYTES } from '../../media/containers/rtmp/shared-message.ts';
import type { Track } from '../../media/track.ts';
import { PlayOutput } from './play-output.ts';
import type { PlayReceiver } from './play-port.ts';

const media = testMedia();
const TRACKS: readonly Track[] = [media.video, media.audio];
const UNITS = [...media.units(6)].map((unit) => ({ ...unit, data: Uint8Array.from(unit.data) }));

/** Player that reads what it gets with the reader of publishers. */
class Player implements PlayReceiver {
  readonly capabilities: FlvCapabilities;
  readonly streamId = 1;
  isBehind = false;
  isReady = true;
  idles = 0;
  readonly failures: string[] = [];
  readonly chunks: Buffer[] = [];
  readonly tracks: (readonly Track[])[] = [];
  readonly units: AccessUnit[] = [];
  readonly #tags = new FlvTagReader({
    tracks: (tracks) => this.tracks.push(tracks),
    accessUnit: (unit) => this.units.push({ ...unit, data: Uint8Array.from(unit.data) }),
    splice: () => {},
    problem: ({ detail }) => {
      throw new Error(detail);
    },
  });
  readonly #reader = new ChunkStreamReader({
    message: (type, _, timestampMs, payload) => {
      this.#tags.push(type, timestampMs, payload);
    },
    problem: ({ detail }) => {
      throw new Error(detail);
    },
  });

  constructor(capabilities = NO_FLV_CAPABILITIES) {
    this.capabilities = capabilities;
    this.#reader.push(new ChunkStreamWriter().write(2, writeSetChunkSize(SHARED_CHUNK_BYTES)));
  }

  send(chunks: Buffer): void {
    this.chunks.push(chunks);
    this.#reader.push(chunks);
  }

  idle(): void {
    this.idles += 1;
  }

  fail({ detail }: { detail: string }): void {
    this.failures.push(detail);
  }

  /** Numbers of the received pictures and audio frames in `UNITS`. */
  get received(): number[] {
    let from = 0;
    return this.units.map((unit) => {
      const at = UNITS.findIndex(
        (sent, index) => index >= from && sent.trackId === unit.trackId && Buffer.compare(sent.data, unit.data) === 0,
      );
      from = Math.max(0, at - 60);
      return at;
    });
  }
}

/** Sends units by their numbers in `UNITS`, and the audio that waits after them. */
function play(output: PlayOutput, from: number, to: number, tracks = TRACKS): void {
  sendUnits(output, UNITS.slice(from, to), tracks);
  output.flush();
}

/** Sends units in a buffer that is overwritten afterwards. */
function sendUnits(output: PlayOutput, units: typeof UNITS, tracks = TRACKS): void {
  for (const { trackId, dtsTicks, ptsTicks, isRandomAccess, data } of units) {
    const track = tracks.find(({ id }) => id === trackId);
    if (!track) continue;
    const lent = Uint8Array.from(data);
    const [dts, pts] = [dtsTicks, ptsTicks].map((ticks) => (ticks * track.timescale) / 90_000);
    output.unit({
      track,
      dtsTicks: dts ?? 0,
      ptsTicks: pts ?? 0,
      lastsTicks: 0,
      isRandomAccess,
      data: lent,
      arrivedMs: 0,
    });
    lent.fill(0xee);
  }
}

const keyFrames = UNITS.flatMap(({ trackId, isRandomAccess }, index) =>
  trackId === 'v1' && isRandomAccess ? [index] : [],
);
const [k0 = 0, k1 = 0, k2 = 0, k3 = 0] = keyFrames;

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

describe('the output for RTMP players', () => {
  it('starts a player at the next key frame, and its players share every message', () => {
    const output = new PlayOutput();
    output.tracks(TRACKS);
    const [first, second] = [new Player(), new Player()];
    output.join(first);
    play(output, k0, k1 - 3);
    output.join(second);
    play(output, k1 - 3, k2);
    expect(first.received).toEqual(range(k0, k2));
    expect(second.received).toEqual(range(k1, k2));
    for (const [index, chunk] of second.chunks.slice(-20).entries()) expect(first.chunks.at(index - 20)).toBe(chunk);
  });

  it.each([
    ['the newest group of pictures', true as const, 5, k2],
    ['at least half a second, from a key frame on', 500, 5, k1],
    ['at least a time that the newest group has', 200, 30, k2],
    ['at least two seconds', 2000, 5, k0],
  ])('gives a new player at once %s', (_, prepush, units, start) => {
    const output = new PlayOutput();
    output.prepush = prepush;
    output.tracks(TRACKS);
    play(output, k0, k2 + units);
    const player = new Player();
    output.join(player);
    expect(player.received).toEqual(range(start, k2 + units));
    play(output, k2 + units, k3);
    expect(player.received).toEqual(range(start, k3));
  });

  it('skips media of a slow player from then on to a key frame, and delays no other player', () => {
    const output = new PlayOutput();
    output.tracks(TRACKS);
    const [slow, fast] = [new Player(), new Player()];
    output.join(slow);
    output.join(fast);
    play(output, k0, k0 + 10);
    slow.isBehind = true;
    slow.isReady = false;
    play(output, k0 + 10, k1 + 10);
    slow.isBehind = false;
    play(output, k1 + 10, k2 + 10);
    slow.isReady = true;
    play(output, k2 + 10, k3 + 10);
    expect(slow.received).toEqual([...range(k0, k0 + 10), ...range(k3, k3 + 10)]);
    expect(fast.received).toEqual(range(k0, k3 + 10));
    expect(output.skips).toBe(1);
    // Nothing changed, so the decoder configuration is not repeated.
    expect(slow.tracks).toHaveLength(1);
  });

  it('sends a changed format with the next key frame, and an added track at once', () => {
    const output = new PlayOutput();
    output.prepush = true;
    output.tracks([media.video]);
    const player = new Player();
    output.join(player);
    play(output, k0, k1, [media.video]);
    output.tracks(TRACKS);
    play(output, k1, k2);
    const other = testMedia({ width: 320, height: 180 }).video;
    output.tracks([other, media.audio]);
    play(output, k2 + 5, k3);
    const before = player.units.length;
    play(output, k3, k3 + 20, [other, media.audio]);
    expect(
      player.tracks.map((tracks) => tracks.map((track) => ('width' in track ? track.width : track.codec))),
    ).toEqual([[160], [160, 'aac'], [320, 'aac']]);
    expect(player.units.slice(before)).toHaveLength(20);
    expect(player.units[before]).toMatchObject({ trackId: 'v1', isRandomAccess: true });
  });

  it('continues after a discontinuity with a key frame and rising times', () => {
    const output = new PlayOutput();
    output.tracks(TRACKS);
    const player = new Player();
    output.join(player);
    play(output, k1, k2);
    output.idle();
    output.discontinuity(true);
    play(output, k0 + 3, k2);
    const group = UNITS.slice(k1, k2).map(({ data }) => data);
    expect(player.units.map(({ data }) => data)).toEqual([...group, ...group]);
    expect(player.idles).toBe(1);
    for (const id of ['v1', 'a1']) {
      const times = player.units.filter(({ trackId }) => trackId === id).map(({ dtsTicks }) => dtsTicks);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  });

  it('sends audio with the next picture, and at most three messages of audio without one', () => {
    const output = new PlayOutput();
    output.tracks(TRACKS);
    const player = new Player();
    output.join(player);
    const group = UNITS.slice(k0, k1);
    sendUnits(output, group);
    const pictures = group.filter(({ trackId }) => trackId === 'v1').length;
    // Three more messages announce the stream.
    expect(player.chunks.length).toBe(pictures + 3);
    const audio = UNITS.slice(k1, k2).filter(({ trackId }) => trackId === 'a1');
    const before = player.received.length;
    sendUnits(output, audio.slice(0, 4));
    expect(player.received.length).toBeGreaterThan(before);
  });

  it('gives a reader on another thread the cached media first', () => {
    const output = new PlayOutput();
    output.prepush = true;
    output.tracks(TRACKS);
    play(output, k0, k1 + 8);
    const copy = new PlayOutput();
    copy.prepush = true;
    const stop = output.copyTo(copy);
    const player = new Player();
    copy.join(player);
    play(output, k1 + 8, k2);
    copy.flush();
    stop();
    play(output, k2, k3);
    expect(player.received).toEqual(range(k1, k2));
  });

  it('refuses a player that takes none of the tracks, and leaves out single tracks', () => {
    const output = new PlayOutput();
    const opus: Track = { ...media.audio, codec: 'opus' };
    const [early, able] = [new Player(), new Player({ codecs: new Set(['Opus']), hasMultitrack: false })];
    output.join(early);
    output.join(able);
    expect(early.failures).toEqual([]);
    output.tracks([opus]);
    const late = new Player();
    output.join(late);
    const reason = 'The player takes none of the codecs of the stream over RTMP: opus';
    expect([early.failures, late.failures, able.failures]).toEqual([[reason], [reason], []]);
    output.tracks([media.video, opus]);
    play(output, k0, k1, [media.video, opus]);
    expect(early.tracks.map((tracks) => tracks.map(({ codec }) => codec))).toEqual([['h264']]);
  });

  it('forgets players that have left', () => {
    const output = new PlayOutput();
    output.tracks(TRACKS);
    const player = new Player();
    const leave = output.join(player);
    expect(output.players).toBe(1);
    play(output, k0, k0 + 4);
    leave();
    play(output, k0 + 4, k1);
    expect(output.players).toBe(0);
    expect(player.received).toEqual(range(k0, k0 + 4));
  });
});
