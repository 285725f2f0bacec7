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

/** Creates the inputs of a media thread and owns the resources that they share. */
export class ThreadInputs {
  readonly make: MakeInput;
  /** Memory budget for incomplete data of all inputs. */
  readonly budget = new ByteBudget();
  readonly playlists = new PlaylistStates();
  /** Combined reads of connections. */
  readonly ticks: ReadTicks;
  /** Rules of outgoing connections, also for pushes. */
  readonly hosts: OutgoingHosts;
  readonly #allowed: AllowedPaths;
  readonly #feeds: FeedServer;

  constructor(options: MediaThreadOptions, channel: ServerThread, clock: Clock) {
    const { fileRoot, fileLimit, fileTurns, index, ownPorts, handledCopies, readableFolders } = options;
    this.#allowed = new AllowedPaths(fileRoot);
    this.allow(readableFolders);
    this.#feeds = new FeedServer(clock);
    this.ticks = new ReadTicks(clock);
    this.hosts = new OutgoingHosts({ ownPorts: new OwnPorts(ownPorts) });
    this.make = inputMaker({
      clock,
      fileRoot,
      allowed: this.#allowed,
      turns: new FileTurns({ clock, limit: fileLimit, memory: fileTurns, place: index }),
      fakes: new FakeInputs({ clock, source: { load: (spec) => channel.call('test-picture', spec) } }),
      external: { port: externalReader(channel), feeds: this.#feeds },
      copies: copySource(channel, handledCopies),
      playlists: this.playlists,
      budget: this.budget,
      ticks: this.ticks,
      hosts: this.hosts,
    });
  }

  /** Sets the folders with readable files besides the data folder, for files opened from now on. */
  allow({ folders, named }: ReadableFolders): void {
    this.#allowed.set(folders, named);
  }

  /** Closes the shared resources. Close all inputs before. */
  close(): Promise<void> {
    return this.#feeds.close();
  }
}
