import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Core } from './core-run.ts';

/** A defect of the core: a piece of a file in `domain/`, which must stand there once, and what it becomes. */
export interface Mutant {
  readonly defect: string;
  readonly file: string;
  readonly piece: string;
  readonly becomes: string;
}

export const mutants: readonly Mutant[] = [
  {
    defect: 'a refund may be one halala more than what is left',
    file: 'money/movements.ts',
    piece: 'command.amountMinor > balance.refundableMinor',
    becomes: 'command.amountMinor > balance.refundableMinor + 1',
  },
  {
    defect: 'a pending refund does not count against the balance',
    file: 'money/ledger.ts',
    piece: 'capturedMinor - refundedMinor - pendingRefundMinor',
    becomes: 'capturedMinor - refundedMinor',
  },
  {
    defect: 'a failed refund keeps the balance',
    file: 'money/ledger.ts',
    piece: "result: end.reason === null ? 'done' : 'failed'",
    becomes: "result: 'done'",
  },
  {
    defect: 'what is refunded in full is still called PARTIAL',
    file: 'money/ledger.ts',
    piece: 'refundedMinor < capturedMinor',
    becomes: 'refundedMinor <= capturedMinor',
  },
  {
    defect: 'an authorization can be captured twice',
    file: 'transaction/transaction.ts',
    piece: "if (hasDone(entries, 'capture')) return 'already-captured';",
    becomes: '',
  },
  {
    defect: 'a voided authorization can be captured',
    file: 'transaction/transaction.ts',
    piece: "if (hasDone(entries, 'void')) return 'voided';",
    becomes: '',
  },
  {
    defect: 'more can be captured than was authorized',
    file: 'money/movements.ts',
    piece: 'command.amountMinor > authorizedMinor',
    becomes: 'command.amountMinor > authorizedMinor + 1',
  },
  {
    defect: 'what was captured can be voided',
    file: 'money/movements.ts',
    piece: 'if (refusal !== null) {\n    // The gateway',
    becomes: "if (refusal !== null && refusal !== 'already-captured') {\n    // The gateway",
  },
  {
    defect: 'a token charges for any transaction that has one',
    file: 'transaction/recurring.ts',
    piece: 'tokenOf(origin) !== recurringToken',
    becomes: 'tokenOf(origin) === null',
  },
  {
    defect: 'a revoked token still charges',
    file: 'transaction/recurring.ts',
    piece: "if (tenant.revokedTokens.has(recurringToken)) return 'Token was revoked';",
    becomes: '',
  },
  {
    defect: 'a token lives a millisecond too long',
    file: 'transaction/recurring.ts',
    piece: 'now < origin.createdAt + tokenLifeMs',
    becomes: 'now <= origin.createdAt + tokenLifeMs',
  },
  {
    defect: 'a session is payable at its 48 hours',
    file: 'session/session.ts',
    piece: 'now < session.expiresAt',
    becomes: 'now <= session.expiresAt',
  },
  {
    defect: 'a paid session is charged again',
    file: 'transaction/pay.ts',
    piece: "if (state === 'PAID') return respond(tenant, { kind: 'already-paid', session });",
    becomes: '',
  },
  {
    defect: 'a challenge passed late pays what is paid already',
    file: 'transaction/challenge.ts',
    piece: "if (state === 'PAID') return settle(transaction, '3P', now);",
    becomes: '',
  },
  {
    defect: 'a fourth password is taken',
    file: 'transaction/challenge.ts',
    piece: 'passwordTries = 3',
    becomes: 'passwordTries = 4',
  },
  {
    defect: 'a challenge has no time limit',
    file: 'clock/fire-timers.ts',
    piece: "settle(transaction, '3T', at)",
    becomes: 'transaction',
  },
  {
    defect: 'the magic amount comes before the card',
    file: 'transaction/outcome.ts',
    piece: 'byTester(given) ?? byCard(given) ?? byAmount(given) ?? byDefault()',
    becomes: 'byTester(given) ?? byAmount(given) ?? byCard(given) ?? byDefault()',
  },
  {
    defect: 'an armed outcome is never used up',
    file: 'transaction/armed.ts',
    piece: 'armed: rest',
    becomes: 'armed: tenant.armed',
  },
  {
    defect: 'a session id refunds',
    file: 'transaction/find-transaction.ts',
    piece: 'isSession && sameId',
    becomes: 'isSession',
  },
  {
    defect: 'a webhook tells again what it told',
    file: 'effect.ts',
    piece: 'if (known?.result === entry.result) return [];',
    becomes: "if (known?.result === entry.result && entry.result === 'pending') return [];",
  },
];

const domain = fileURLToPath(new URL('../../domain', import.meta.url));

/** Loads a copy of the core with one defect in it; `remove` takes the copy away again. */
export async function breakCore(
  mutant: Mutant,
): Promise<{ core: Core; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'broken-core-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await cp(domain, folder, { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
    const path = join(folder, mutant.file);
    const pieces = (await readFile(path, 'utf8')).split(mutant.piece);
    if (pieces.length !== 2)
      throw new Error(`${mutant.file} does not hold "${mutant.piece}" once.`);
    await writeFile(path, pieces.join(mutant.becomes));
    return { core: await loadCore(folder), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function loadCore(folder: string): Promise<Core> {
  const load = async (file: string): Promise<object> =>
    import(pathToFileURL(join(folder, file)).href) as Promise<object>;
  const parts = await Promise.all(
    [
      'step.ts',
      'state.ts',
      'transaction/status-rows.ts',
      'money/invariants.ts',
      'transaction/cards.ts',
    ].map(load),
  );
  return Object.assign({}, ...parts) as Core;
}
