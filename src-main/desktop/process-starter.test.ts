import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ProcessEvent } from '../lib/process-messages.ts';
import { ProcessStarter, type UtilityChild } from './process-starter.ts';

class FakeChild extends EventEmitter implements UtilityChild {
  pid: number | undefined;
  readonly stderr = new PassThrough();

  run(pid: number): void {
    this.pid = pid;
    this.emit('spawn');
  }

  end(code: number): void {
    this.emit('exit', code);
    this.pid = undefined;
  }
}

function make(): { starter: ProcessStarter; children: FakeChild[]; events: ProcessEvent[]; env: NodeJS.ProcessEnv[] } {
  const children: FakeChild[] = [];
  const events: ProcessEvent[] = [];
  const env: NodeJS.ProcessEnv[] = [];
  const fork = (environment: NodeJS.ProcessEnv): FakeChild => {
    const child = new FakeChild();
    env.push(environment);
    children.push(child);
    return child;
  };
  return { starter: new ProcessStarter(fork, (one) => events.push(one)), children, events, env };
}

const start = (id: number) => ({ kind: 'process-start', id, environment: { REQUESTED: 'yes' } }) as const;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('ProcessStarter', () => {
  it('reports the start, the output and the end of a process', () => {
    const { starter, children, events } = make();
    starter.take(start(7));
    expect(events).toEqual([]);
    children[0]!.run(4711);
    children[0]!.stderr.emit('data', Buffer.from('Error: out of luck'));
    children[0]!.end(134);
    expect(events).toEqual([
      { kind: 'process-started', id: 7, pid: 4711 },
      { kind: 'process-output', id: 7, text: 'Error: out of luck' },
      { kind: 'process-ended', id: 7, how: 'code 134' },
    ]);
  });

  it('passes the requested environment to a process, without NODE_OPTIONS', () => {
    vi.stubEnv('NODE_OPTIONS', '--inspect');
    const { starter, env } = make();
    starter.take(start(1));
    expect(env[0]).toMatchObject({ REQUESTED: 'yes', PATH: process.env['PATH'] });
    expect(env[0]).not.toHaveProperty('NODE_OPTIONS');
  });

  it('kills running processes at once and starting processes once they run, but no ended process', () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    const { starter, children } = make();
    for (const id of [1, 2, 3]) starter.take(start(id));
    children[0]!.run(11);
    children[2]!.run(13);
    children[2]!.end(0);
    for (const id of [1, 2, 3]) starter.take({ kind: 'process-kill', id });
    expect(kill.mock.calls).toEqual([[11, 'SIGKILL']]);
    children[1]!.run(12);
    expect(kill.mock.calls).toEqual([
      [11, 'SIGKILL'],
      [12, 'SIGKILL'],
    ]);
  });

  it('kills all processes when the server thread ends', () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    const { starter, children } = make();
    for (const id of [1, 2]) starter.take(start(id));
    children[0]!.run(21);
    children[1]!.run(22);
    starter.close();
    expect(kill.mock.calls.map(([pid]) => pid)).toEqual([21, 22]);
  });

  it('reports that a process cannot be started', () => {
    const events: ProcessEvent[] = [];
    const starter = new ProcessStarter(
      () => {
        throw new Error('no more processes');
      },
      (one) => events.push(one),
    );
    starter.take(start(3));
    expect(events).toEqual([{ kind: 'process-ended', id: 3, how: 'no more processes' }]);
  });
});
