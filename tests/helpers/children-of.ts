import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';

/** A process that another one started. */
interface ChildOf {
  readonly pid: number;
  readonly command: string;
}

/** The processes that a process started and that still run. */
export function childrenOf(pid: number): ChildOf[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, child, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === pid ? [{ pid: Number(child), command }] : [];
  });
}

/** The process of a server that has a file open: a codec process that reads it. */
export function readerOf(pid: number, file: string): number | undefined {
  return childrenOf(pid).find((child) => openFiles(child.pid).includes(file))?.pid;
}

/** Where the files lie that a process has open; it may be gone by now. */
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
