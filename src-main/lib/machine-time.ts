import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** Time of the machine that does not follow its wall clock. */
export interface MachineTime {
  /** Milliseconds since the machine started, time asleep included where the system counts it. */
  uptimeMs(): number;
  /** Names this start of the machine; null where the system has no such name. */
  readonly bootId: string | null;
}

/** Time of this machine. On macOS, where the uptime follows the wall clock, the time of the process stands in. */
export const systemMachineTime: MachineTime = {
  uptimeMs: () => (process.platform === 'darwin' ? performance.now() : uptime() * 1000),
  bootId: readBootId(),
};

function readBootId(): string | null {
  if (process.platform !== 'linux') return null;
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}
