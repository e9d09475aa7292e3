import { fileURLToPath } from 'node:url';
import { root, startProgram } from '../../../../scripts/process.ts';
import { createControlClient } from '../control/client.ts';
import { cards, withCalls } from './sandbox-for-test.ts';

const commandLine = fileURLToPath(new URL('../cli.ts', import.meta.url));

/** How many callers are at work when the sandbox is killed. */
const callers = 6;

interface Kills {
  readonly kills: number;
  readonly random: () => number;
}

type Process = Awaited<ReturnType<typeof start>>;

/**
 * Starts the sandbox on one data folder again and again, lets several callers work, kills it with
 * SIGKILL in the middle of their calls, and compares what it knows after the restart with what it
 * answered before.
 *
 * @returns how many commands were answered before a kill, and those that the sandbox lost by it.
 */
export async function killRounds(data: string, { kills, random }: Kills) {
  /** The answered sessions, with their answered attempts. */
  const promised = new Map<string, string[]>();
  const lost = new Set<string>();
  let acknowledged = 0;
  for (let round = 0; round < kills; round += 1) {
    const sandbox = await start(data);
    for (const one of await missing(sandbox, promised)) lost.add(one);
    const enough = 4 + Math.floor(random() * 30);
    const work = { answered: 0 };
    const note = async () => {
      work.answered += 1;
      if (work.answered === enough) await sandbox.kill();
    };
    const call = async (caller: number) => {
      for (let number = 0; work.answered < enough; number += 1) {
        const merchantOrderId = `order-${round}-${caller}-${number}`;
        const { id } = await sandbox.createLink({ merchantOrderId });
        promised.set(id, []);
        await note();
        // A session gets a declined and an approved attempt.
        for (const card of [cards.poor, cards.mada]) {
          const { transaction } = await sandbox.control.pay(id, { card: { number: card } });
          promised.get(id)?.push(transaction.transactionId);
          await note();
        }
      }
    };
    const finish = (_one: unknown, caller: number) =>
      call(caller).catch((error: unknown) => {
        // A caller that fails before the kill was refused something that it was promised.
        if (work.answered < enough) lost.add(`a call before the kill: ${String(error)}`);
      });
    await Promise.all(Array.from({ length: callers }, finish));
    await sandbox.kill();
    acknowledged += work.answered;
  }
  const sandbox = await start(data);
  for (const one of await missing(sandbox, promised)) lost.add(one);
  await sandbox.kill();
  return { kills, acknowledged, lost: [...lost] };
}

async function start(data: string) {
  const parameters = [commandLine, '--port', '0', '--data', data, '--json'];
  const { ready, kill } = await startProgram(parameters, { cwd: root, sign: /(?=\{)/ });
  const told = JSON.parse(ready) as Readonly<Record<'url' | 'baseUrl' | 'apiKey', string>>;
  return withCalls({ ...told, kill, control: createControlClient(told.url) });
}

/** Answered commands that are not known. A command without an answer may be known or not. */
async function missing({ control, getStatus }: Process, promised: Map<string, string[]>) {
  const ledger = await control.ledger();
  const known = new Map(ledger.map((entry) => [entry.transactionId, entry.sessionId]));
  const lost: string[] = [];
  for (const [id, transactionIds] of promised) {
    const unknown = transactionIds.filter((one) => known.get(one) !== id);
    lost.push(...unknown.map((one) => `transaction ${one}`));
    if (transactionIds.length > 0) continue;
    if ((await getStatus(id)).status !== 200) lost.push(`session ${id}`);
  }
  const { violations } = await control.invariants();
  return [...lost, ...violations.map(({ rule, id }) => `${rule}: ${id}`)];
}
