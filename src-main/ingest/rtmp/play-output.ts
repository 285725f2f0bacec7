import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { FlvClock } from '../../media/containers/flv/flv-clock.ts';
import {
  flvLayout,
  type FlvCapabilities,
  type FlvLayout,
  type FlvPlace,
} from '../../media/containers/flv/flv-layout.ts';
import { writeConfigMessages, writeMetadataMessage } from '../../media/containers/flv/flv-messages.ts';
import { FlvUnit } from '../../media/containers/flv/flv-unit.ts';
import { withStreamId } from '../../media/containers/rtmp/shared-message.ts';
import { isInterruption, type Track } from '../../media/track.ts';
import type { StreamReader, StreamUnit } from '../../stream/stream-hub.ts';
import { UnitCache, type CachedUnit, type Prepush } from '../../stream/unit-cache.ts';
import type { PlayReceiver } from './play-port.ts';

interface Member {
  readonly receiver: PlayReceiver;
  /** Whether the player gets media; otherwise it waits for the next key frame. */
  isJoined: boolean;
  /** Layout that was sent to the player; undefined before the first. */
  known?: FlvLayout;
}

/** A cached unit with its message. */
interface CachedMessage extends CachedUnit {
  readonly message: FlvUnit;
}

/** Players with the same capabilities and message stream. */
interface Group {
  readonly capabilities: FlvCapabilities;
  readonly streamId: number;
  readonly members: Set<Member>;
  /** Messages of audio that wait for the next picture. */
  readonly held: Buffer[];
  layout: FlvLayout;
  places: ReadonlyMap<string, FlvPlace>;
}

/** Maximum number of messages that wait for a picture: less than 0.1 s of audio. */
const MAX_HELD = 3;

/**
 * A stream for its RTMP players on one media thread. Players with the same capabilities share the bytes of every message. A player
 * starts at a key frame, and a slow one skips to a later key frame. Audio is sent with the next picture, which saves system calls.
 */
export class PlayOutput implements StreamReader {
  readonly #clock = new FlvClock();
  readonly #groups = new Map<string, Group>();
  readonly #copies = new Set<StreamReader>();
  #cache: UnitCache<CachedMessage> | undefined;
  #tracks: readonly Track[] = [];
  /** Track whose random access points let players start. */
  #entryTrack: string | undefined;
  /** Number of times that media was skipped for a slow player. */
  skips = 0;

  /** Sets how much media new players get at once; undefined for none. */
  set prepush(prepush: Prepush | undefined) {
    this.#cache = prepush === undefined ? undefined : new UnitCache(prepush);
  }

  /** Number of players. */
  get players(): number {
    let count = 0;
    for (const { members } of this.#groups.values()) count += members.size;
    return count;
  }

  /** Adds a player; returns the function that removes it. */
  join(receiver: PlayReceiver): () => void {
    const { capabilities, streamId } = receiver;
    const key = `${[...capabilities.codecs].toSorted().join(' ')} ${capabilities.hasMultitrack} ${streamId}`;
    let group = this.#groups.get(key);
    if (!group) {
      group = { capabilities, streamId, members: new Set(), held: [], ...this.#layoutFor(capabilities) };
      this.#groups.set(key, group);
    }
    // The cached media of the new player contains what waits.
    this.#flush(group);
    const member: Member = { receiver, isJoined: false };
    group.members.add(member);
    if (this.#tracks.length > 0) failWithoutTracks(group.layout, receiver);
    this.#sendCached(group, member);
    const { members } = group;
    return () => {
      members.delete(member);
      if (members.size === 0) this.#groups.delete(key);
    };
  }

  /** Adds a reader that gets what this output gets, first the cached media; returns the function that removes it. */
  copyTo(reader: StreamReader): () => void {
    if (this.#tracks.length > 0) reader.tracks(this.#tracks);
    for (const { unit } of this.#cache?.units ?? []) reader.unit(unit);
    this.#copies.add(reader);
    return () => {
      this.#copies.delete(reader);
    };
  }

  tracks(tracks: readonly Track[]): void {
    this.flush();
    const isCut = isInterruption(this.#tracks, tracks);
    this.#tracks = tracks;
    this.#entryTrack = (tracks.find(({ content }) => content === 'video') ?? tracks[0])?.id;
    this.#cache?.clear();
    for (const group of this.#groups.values()) {
      Object.assign(group, this.#layoutFor(group.capabilities));
      for (const member of group.members) {
        failWithoutTracks(group.layout, member.receiver);
        if (isCut) member.isJoined = false;
        else if (member.isJoined) this.#describe(group, member, this.#clock.nowMs);
      }
    }
    for (const reader of this.#copies) reader.tracks(tracks);
  }

  discontinuity(isRewind: boolean): void {
    this.flush();
    this.#clock.discontinuity();
    this.#cache?.clear();
    for (const { members } of this.#groups.values()) for (const member of members) member.isJoined = false;
    for (const reader of this.#copies) reader.discontinuity(isRewind);
  }

  unit(unit: StreamUnit): void {
    for (const reader of this.#copies) reader.unit(unit);
    const cache = this.#cache;
    if (!cache && this.#groups.size === 0) return;
    const { track, dtsTicks, ptsTicks, isRandomAccess } = unit;
    const time = this.#clock.place(track, dtsTicks, ptsTicks);
    // The data of a unit is only valid during this call.
    const kept = cache ? { ...unit, data: Uint8Array.from(unit.data) } : unit;
    const message = new FlvUnit(kept, time);
    const isEntry = isRandomAccess && track.id === this.#entryTrack;
    cache?.add({ unit: kept, message, timestampMs: time.timestampMs, isEntry });
    for (const group of this.#groups.values()) this.#send(group, message, isEntry);
  }

  splice(): void {
    // RTMP players do not get splice points.
  }

  idle(): void {
    this.flush();
    for (const { members } of this.#groups.values()) for (const { receiver } of members) receiver.idle();
    for (const reader of this.#copies) reader.idle();
  }

  /** Sends the audio that waits for the next picture. */
  flush(): void {
    for (const group of this.#groups.values()) this.#flush(group);
  }

  #flush(group: Group): void {
    const { held } = group;
    if (held.length === 0) return;
    const joined = Buffer.concat(held);
    held.length = 0;
    for (const member of group.members) if (this.#follows(member)) member.receiver.send(joined);
  }

  #send(group: Group, unit: FlvUnit, isEntry: boolean): void {
    const { held, members, streamId } = group;
    if (members.size === 0) return;
    const place = group.places.get(unit.track.id);
    const message = place && withStreamId(unit.message(place), streamId);
    if (message && unit.track.content === 'audio' && !isEntry && held.length < MAX_HELD) {
      held.push(message);
      return;
    }
    const joined = held.length > 0 ? Buffer.concat(message ? [...held, message] : held) : message;
    held.length = 0;
    for (const member of members) {
      const { receiver } = member;
      if (this.#follows(member)) {
        if (joined) receiver.send(joined);
      } else if (isEntry && receiver.isReady) {
        member.isJoined = true;
        this.#describe(group, member, unit.time.timestampMs);
        if (message) receiver.send(message);
      }
    }
  }

  /** Whether a player gets the next unit. One that is too slow waits for a key frame from now on. */
  #follows(member: Member): boolean {
    if (member.isJoined && member.receiver.isBehind) {
      member.isJoined = false;
      this.skips++;
    }
    return member.isJoined;
  }

  #sendCached(group: Group, member: Member): void {
    const units = this.#cache?.units ?? [];
    const [first] = units;
    if (!first) return;
    member.isJoined = true;
    this.#describe(group, member, first.message.time.timestampMs);
    for (const { message } of units) {
      const place = group.places.get(message.track.id);
      if (place) member.receiver.send(withStreamId(message.message(place), group.streamId), true);
    }
  }

  /** Sends metadata and decoder configurations, unless the player has them. */
  #describe({ layout, streamId }: Group, member: Member, timestampMs: number): void {
    if (member.known === layout) return;
    member.known = layout;
    const { places } = layout;
    for (const message of [writeMetadataMessage(places), ...writeConfigMessages(places, timestampMs)])
      member.receiver.send(withStreamId(message, streamId));
  }

  #layoutFor(capabilities: FlvCapabilities): Pick<Group, 'layout' | 'places'> {
    const layout = flvLayout(this.#tracks, capabilities);
    return { layout, places: new Map(layout.places.map((place) => [place.track.id, place])) };
  }
}

function failWithoutTracks({ places, leftOut }: FlvLayout, receiver: PlayReceiver): void {
  if (places.length > 0) return;
  receiver.fail(because('rtmp_no_track', { codecs: leftOut.map(({ track }) => track.codec).join(', ') }));
}
