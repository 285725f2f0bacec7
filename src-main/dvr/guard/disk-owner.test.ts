import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { DiskOwners, type OwnerFiles, type ProcessPort } from './disk-owner.ts';

/** Disk shared by several servers. */
class SharedDisk implements OwnerFiles {
  readonly files = new Map<string, string>();
  /** Called before a file is replaced. */
  before: () => void = () => undefined;

  async read(folder: string): Promise<string | undefined> {
    return Promise.resolve(this.files.get(folder));
  }

  async create(folder: string, text: string): Promise<boolean> {
    if (this.files.has(folder)) return Promise.resolve(false);
    this.files.set(folder, text);
    return Promise.resolve(true);
  }

  async replace(folder: string, text: string): Promise<void> {
    this.files.set(folder, text);
    this.before();
    return Promise.resolve();
  }

  async remove(folder: string): Promise<void> {
    this.files.delete(folder);
    return Promise.resolve();
  }
}

/** Servers on several machines that share a disk. */
class Machines {
  readonly clock = new FakeClock();
  readonly disk = new SharedDisk();
  /** Start time of each running process, by machine and pid. */
  readonly running = new Map<string, string>();

  server(host: string, pid: number, server: string, { space = `boot-${host}`, started = 'start' } = {}): DiskOwners {
    this.running.set(`${space} ${pid}`, started);
    const processes: ProcessPort = {
      pid,
      host,
      space,
      startOf: async (one) => Promise.resolve(this.running.get(`${space} ${one}`) ?? null),
    };
    const machine = { uptimeMs: () => this.clock.now(), bootId: space };
    return new DiskOwners({ files: this.disk, processes, machine, server, dataFolder: `/${server}`, since: 'today' });
  }
}

describe('DiskOwners', () => {
  it('lets one server own a disk, and names that server to others until it closes', async () => {
    const machines = new Machines();
    const [first, second] = [machines.server('m', 1, 'a'), machines.server('m', 2, 'b')];
    expect(await first.claim('/d')).toBeUndefined();
    expect(await second.claim('/d')).toMatchObject({ pid: 1, host: 'm', dataFolder: '/a' });
    expect(await second.claim('/e')).toBeUndefined();
    machines.clock.advance(86_400_000);
    // A suspended process keeps its disks.
    expect(await second.claim('/d')).toMatchObject({ pid: 1 });
    await first.close();
    expect(await second.claim('/d')).toBeUndefined();
    expect(await first.claim('/d')).toMatchObject({ pid: 2 });
  });

  it.each([
    ['was killed', null],
    ['was killed, and another process has its number', 'later'],
  ])('takes over a disk at once if its owner on this machine %s', async (_, started) => {
    const machines = new Machines();
    await machines.server('m', 1, 'a').claim('/d');
    if (started === null) machines.running.delete('boot-m 1');
    else machines.running.set('boot-m 1', started);
    expect(await machines.server('m', 2, 'b').claim('/d')).toBeUndefined();
  });

  it('takes over a disk at once if an earlier run of the same server owned it before a reboot', async () => {
    const machines = new Machines();
    await machines.server('m', 1, 'a').claim('/d');
    expect(await machines.server('m', 1, 'a', { space: 'next' }).claim('/d')).toBeUndefined();
  });

  it('takes over a disk from another machine, or from another container with the same pid, only after its owner was silent', async () => {
    const machines = new Machines();
    const first = machines.server('m', 1, 'a', { space: 'box-1' });
    const second = machines.server('m', 1, 'b', { space: 'box-2' });
    await first.claim('/d');
    for (let minute = 0; minute < 10; minute++) {
      expect(await first.claim('/d')).toBeUndefined();
      expect(await second.claim('/d')).toMatchObject({ dataFolder: '/a' });
      machines.clock.advance(60_000);
    }
    // From here on the owner is gone.
    await second.claim('/d');
    machines.clock.advance(120_000);
    expect(await second.claim('/d')).toMatchObject({ dataFolder: '/a' });
    machines.clock.advance(10_000);
    expect(await second.claim('/d')).toBeUndefined();
    expect(await first.claim('/d')).toMatchObject({ dataFolder: '/b' });
  });

  it('gives the disk of an exited owner to only one of two claiming servers', async () => {
    const machines = new Machines();
    await machines.server('m', 1, 'a').claim('/d');
    machines.running.delete('boot-m 1');
    const [one, other] = [machines.server('m', 2, 'b'), machines.server('m', 3, 'c')];
    const claims = await Promise.all([one.claim('/d'), other.claim('/d')]);
    expect(claims.filter((owner) => owner === undefined)).toHaveLength(1);
  });

  it('gives the disk to the newer of two clones of a server', async () => {
    const machines = new Machines();
    const [first, clone] = [machines.server('m', 1, 'a'), machines.server('n', 1, 'a')];
    await first.claim('/d');
    expect(await clone.claim('/d')).toBeUndefined();
    for (let at = 0; at < 5; at++) {
      expect(await first.claim('/d')).toMatchObject({ host: 'n' });
      expect(await clone.claim('/d')).toBeUndefined();
    }
  });

  it('takes over a disk whose owner file is truncated', async () => {
    const machines = new Machines();
    machines.disk.files.set('/d', '{"tok');
    expect(await machines.server('m', 1, 'a').claim('/d')).toBeUndefined();
  });
});
