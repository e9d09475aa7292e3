import { fileURLToPath } from 'node:url';
import { root, startProgram } from '../../../../scripts/process.ts';
import { createControlClient } from '../control/client.ts';
import { withCalls } from './sandbox-for-test.ts';

const commandLine = fileURLToPath(new URL('../cli.ts', import.meta.url));

/** A declining and an approving test card: a session gets an attempt with each. */
const cards = ['4201320000311101', '4201320111111010'];

/** How many callers are at work when the sandbox is killed. */
const callers = 6;

/** The result of the kills. */
interface KillReport {
  readonly kills: number;
  /** Commands that were answered before a kill. */
  readonly acknowledged: number;
  /** Answered commands that the sandbox had lost after its restart. */
  readonly lost: readonly string[];
}

interface Process {
  readonly url: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly kill: () => Promise<void>;
}

/** The answered sessions, with their answered attempts. */
type Promised = Map<string, string[]>;

/**
 * Starts the sandbox on one data folder again and again, lets several callers work, kills it with
 * SIGKILL in the middle of their calls, and compares what it knows after the restart with what it
 * answered before.
 */
export async function killRounds(
  data: string,
  { kills, random }: { readonly kills: number; readonly random: () => number },
): Promise<KillReport> {
  const promised: Promised = new Map();
  const lost = new Set<string>();
  let acknowledged = 0;
  for (let round = 0; round < kills; round += 1) {
    const sandbox = await start(data);
    for (const one of await missing(sandbox, promised)) lost.add(one);
    const enough = 4 + Math.floor(random() * 30);
    const work = await workUntilKilled(sandbox, { round, enough, promised });
    acknowledged += work.answered;
    for (const one of work.failures) lost.add(one);
  }
  const sandbox = await start(data);
  for (const one of await missing(sandbox, promised)) lost.add(one);
  await sandbox.kill();
  return { kills, acknowledged, lost: [...lost] };
}

async function start(data: string): Promise<Process> {
  const parameters = [commandLine, '--port', '0', '--data', data, '--json'];
  const { ready, kill } = await startProgram(parameters, { cwd: root, sign: /(?=\{)/ });
  return { ...(JSON.parse(ready) as Omit<Process, 'kill'>), kill };
}

/** Lets the callers work until enough calls were answered; those in flight then are cut off. */
async function workUntilKilled(
  sandbox: Process,
  { round, enough, promised }: { round: number; enough: number; promised: Promised },
): Promise<{ answered: number; failures: string[] }> {
  const { control, createLink } = callsOf(sandbox);
  const failures: string[] = [];
  const progress = { answered: 0, isOver: false };
  const note = async () => {
    progress.answered += 1;
    if (progress.answered < enough || progress.isOver) return;
    progress.isOver = true;
    await sandbox.kill();
  };
  const work = async (caller: number) => {
    for (let number = 0; !progress.isOver; number += 1) {
      const { id } = await createLink({ merchantOrderId: `order-${round}-${caller}-${number}` });
      promised.set(id, []);
      await note();
      for (const card of cards) {
        const { transaction } = await control.pay(id, { card: { number: card } });
        promised.get(id)?.push(transaction.transactionId);
        await note();
      }
    }
  };
  const finish = async (caller: number) => {
    // A caller that fails before the kill was refused something that it was promised.
    await work(caller).catch((error: unknown) => {
      if (!progress.isOver) failures.push(`a call before the kill: ${String(error)}`);
    });
  };
  await Promise.all(Array.from({ length: callers }, (_one, caller) => finish(caller)));
  if (!progress.isOver) await sandbox.kill();
  return { answered: progress.answered, failures };
}

const callsOf = (sandbox: Process) =>
  withCalls({ ...sandbox, control: createControlClient(sandbox.url) });

/** Answered commands that are not known. A command without an answer may be known or not. */
async function missing(sandbox: Process, promised: Promised): Promise<string[]> {
  const { control, getStatus } = callsOf(sandbox);
  const ledger = await control.ledger();
  const known = new Map(ledger.map((entry) => [entry.transactionId, entry.sessionId]));
  const lost: string[] = [];
  for (const [id, transactionIds] of promised) {
    for (const transactionId of transactionIds) {
      if (known.get(transactionId) !== id) lost.push(`transaction ${transactionId}`);
    }
    if (transactionIds.length > 0) continue;
    if ((await getStatus(id)).status !== 200) lost.push(`session ${id}`);
  }
  const { violations } = await control.invariants();
  return [...lost, ...violations.map(({ rule, id }) => `${rule}: ${id}`)];
}
