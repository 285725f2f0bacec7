import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';

/** Child process with its command line. */
interface ChildOf {
  readonly pid: number;
  readonly command: string;
}

/** Running children of a process. */
export function childrenOf(pid: number): ChildOf[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, child, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === pid ? [{ pid: Number(child), command }] : [];
  });
}

/** Codec process of a server that has a file open. */
export function readerOf(pid: number, file: string): number | undefined {
  return childrenOf(pid).find((child) => openFiles(child.pid).includes(file))?.pid;
}

/** Paths of the files that a process has open; empty if the process has exited. */
function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((fd) => linkOf(`${folder}/${fd}`));
  } catch {
    return [];
  }
}

function linkOf(path: string): string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    return [];
  }
}
