import { cpus, totalmem } from 'node:os';

/** One line that tells what a measurement ran on. */
export function describeMachine(extra = ''): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${cpu?.model ?? 'unknown'}, ${memory} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}${extra}`;
}
