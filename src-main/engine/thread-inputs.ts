import { ByteBudget } from '../ingest/byte-budget.ts';
import { FakeInputs } from '../ingest/fake/fake-inputs.ts';
import { ReadTicks } from '../ingest/reads/read-ticks.ts';
import { AllowedPaths, type ReadableFolders } from '../lib/allowed-paths.ts';
import type { Clock } from '../lib/clock.ts';
import { FeedServer } from '../lib/feed/feed-server.ts';
import { FileTurns } from '../lib/file-turns.ts';
import { OutgoingHosts } from '../lib/outgoing-hosts.ts';
import { OwnPorts } from '../lib/own-ports.ts';
import { copySource, externalReader, type ServerThread } from './inputs-by-server.ts';
import { inputMaker, type MakeInput } from './inputs/make-input.ts';
import type { MediaThreadOptions } from './messages.ts';
import { PlaylistStates } from './inputs/playlist-states.ts';

/** What the inputs of a media thread are made with, and share. */
export class ThreadInputs {
  readonly make: MakeInput;
  /** What is half received, in all of them. */
  readonly budget = new ByteBudget();
  readonly playlists = new PlaylistStates();
  /** Reads of connections that are made together. */
  readonly ticks: ReadTicks;
  readonly #allowed: AllowedPaths;
  readonly #feeds: FeedServer;

  constructor(options: MediaThreadOptions, channel: ServerThread, clock: Clock) {
    const { fileRoot, fileLimit, fileTurns, index, ownPorts, handledCopies, readableFolders } = options;
    this.#allowed = new AllowedPaths(fileRoot);
    this.allow(readableFolders);
    this.#feeds = new FeedServer(clock);
    this.ticks = new ReadTicks(clock);
    this.make = inputMaker({
      clock,
      fileRoot,
      allowed: this.#allowed,
      turns: new FileTurns({ clock, limit: fileLimit, memory: fileTurns, place: index }),
      fakes: new FakeInputs({ clock, source: { load: (wanted) => channel.ask('test-picture', wanted) } }),
      external: { port: externalReader(channel), feeds: this.#feeds },
      copies: copySource(channel, handledCopies),
      playlists: this.playlists,
      budget: this.budget,
      ticks: this.ticks,
      hosts: new OutgoingHosts({ ownPorts: new OwnPorts(ownPorts) }),
    });
  }

  /** Says which folders files may be read from, beside the data folder; holds for what is opened from now on. */
  allow({ folders, named }: ReadableFolders): void {
    this.#allowed.set(folders, named);
  }

  /** Closes what they share, when none of them is left. */
  close(): Promise<void> {
    return this.#feeds.close();
  }
}
