import { setTimeout as sleep } from 'node:timers/promises';
import { PaymentsError } from '../errors.ts';
import { type Attempt, createGatewayClient, type PaymentRecord } from '../index.ts';
import * as parts from '../parts.ts';
import { checkOrderId } from '../ids.ts';
import { type Command, type Invocation, noWords, textOf, wholeOf } from './command.ts';
import { gatewaySettings, recordsChangedSince, withStore } from './shop.ts';
import { counted, type Terminal } from './terminal.ts';

const DAY_MS = 86_400_000;

export const reconcile: Command = async (invocation) => {
  noWords(invocation, 'Name one order by --order ORDER.');
  const { values } = invocation;
  const days = wholeOf(values, 'since', 3, 400);
  const rate = wholeOf(values, 'rate', 5, 20);
  const order = textOf(values, 'order');
  return withStore(
    invocation,
    async (context, { options }) => {
      const { status, session } = parts.readProfile(options.gateway.profile);
      const gateway = createGatewayClient(options.gateway);
      try {
        const scope = {
          since: context.clock.now() - days * DAY_MS,
          order: order === undefined ? undefined : checkOrderId(order),
          pauseMs: 1_000 / rate,
          readings: { ...status, ...session },
          leavesHints: values['dry-run'] !== true,
        };
        return await report(invocation, { context, gateway }, scope);
      } finally {
        await gateway.close();
      }
    },
    gatewaySettings,
  );
};

async function report({ terminal, isJson }: Invocation, sources: Sources, scope: Scope) {
  const found: Difference[] = [];
  const tally = newTally();
  for await (const difference of differencesIn(sources, scope, tally)) {
    const { orders, sessions, differences } = tally;
    const asked = `${counted(orders, 'order')}, ${counted(sessions, 'session')}`;
    if (!isJson) terminal.progress(`${asked}, ${differences} different`);
    if (difference === null) continue;
    found.push(difference);
    if (isJson) continue;
    terminal.endProgress();
    terminal.line(lineOf(terminal, difference));
  }
  terminal.endProgress();
  const isUnknown = scope.order !== undefined && tally.orders === 0;
  if (isJson) terminal.json({ ...tally, found });
  else if (isUnknown)
    terminal.error(`The order ${scope.order} has no payment: no link was asked for yet.`);
  else writeSummary(terminal, tally);
  return isWell(tally) && !isUnknown ? 0 : 1;
}

const isWell = ({ differences, silent, unreadable }: Tally): boolean =>
  differences + silent + unreadable === 0;

const contradictions = {
  session_unknown: 'the gateway does not know the session',
  transaction_missing: 'the gateway does not name the transaction',
  transaction_unconfirmed: 'the gateway does not confirm the transaction any more',
} as const;

function lineOf(terminal: Terminal, difference: Difference) {
  const { orderId, attempt, from, to, code, isSilent, discrepancy, isHinted } = difference;
  const about = `${terminal.paint('bold', orderId)}  attempt ${attempt}`;
  if (code !== undefined) {
    const why = isSilent ? 'the gateway did not say' : "the gateway's answer cannot be used";
    return `${terminal.paint('yellow', '?')} ${about}  ${why} (${code})`;
  }
  const mark = terminal.paint('red', '≠');
  if (discrepancy !== undefined) {
    const next = 'nothing to record: ask the gateway';
    return `${mark} ${about}  we say ${from}, ${contradictions[discrepancy]}  ${terminal.paint('dim', next)}`;
  }
  const change =
    from === to ? `${from}, with more to record` : `we say ${from}, the gateway's word means ${to}`;
  const next = isHinted
    ? 'the shop will record it'
    : 'not recorded: call payments.confirm in the shop';
  return `${mark} ${about}  ${change}  ${terminal.paint('dim', next)}`;
}

function writeSummary(terminal: Terminal, tally: Tally): void {
  const { orders, sessions, differences, silent, unreadable, hinted, isCut } = tally;
  const mark = isWell(tally) ? terminal.paint('green', '✓') : terminal.paint('red', '✗');
  terminal.line(
    `${mark} ${counted(orders, 'order')}, ${counted(sessions, 'session')} asked about: ${differences} different, ${silent} without an answer, ${unreadable} with an unusable answer, ${hinted} handed to the shop.`,
  );
  if (isCut)
    terminal.line(
      'Stopped early: the gateway refuses the key or does not answer. Run npx pay-button doctor.',
    );
}

/** Where the gateway's word and ours differ, or where the gateway gave none that can be used. */
export interface Difference {
  readonly orderId: string;
  readonly attempt: number;
  readonly from?: string;
  readonly to?: string;
  /** How the gateway contradicts money that we recorded; there is nothing for the shop to record. */
  readonly discrepancy?: parts.Contradiction;
  readonly code?: string;
  readonly isSilent?: boolean;
  readonly isHinted: boolean;
}

/** The totals of a run; `isCut` where it stopped early, because the gateway gives no answers. */
export const newTally = () => ({
  orders: 0,
  sessions: 0,
  differences: 0,
  silent: 0,
  unreadable: 0,
  hinted: 0,
  isCut: false,
});

type Tally = ReturnType<typeof newTally>;

export interface Scope {
  readonly since: number;
  readonly order: string | undefined;
  readonly pauseMs: number;
  readonly leavesHints: boolean;
  /** How the gateway's status call answers. @defaultValue by sessions */
  readonly readings?: parts.StatusReadings | undefined;
}

interface Sources {
  readonly context: parts.FlowContext<unknown>;
  readonly gateway: Pick<parts.FlowContext<unknown>['gateway'], 'retrieveStatus'>;
}

/** After so many questions in a row without an answer, the others would get none either. */
const MAX_SILENT_IN_A_ROW = 5;

/**
 * Compares orders one after the other; the gateway is asked at most so often a second.
 *
 * @param tally - Counts what is seen.
 * @returns for each session its difference, or `null`.
 */
export async function* differencesIn(sources: Sources, scope: Scope, tally: Tally) {
  let silentInARow = 0;
  const { store } = sources.context;
  const named = scope.order === undefined ? null : await store.load(scope.order);
  const all = scope.order === undefined ? recordsChangedSince(store, scope.since) : [];
  for await (const record of named === null ? all : [named]) {
    tally.orders += 1;
    for (const attempt of record.attempts.filter(parts.isAskable)) {
      tally.sessions += 1;
      const difference = await differenceIn(sources, record, attempt, scope);
      silentInARow = difference?.isSilent === true ? silentInARow + 1 : 0;
      if (difference !== null) {
        const { code, isSilent, isHinted } = difference;
        if (code === undefined) tally.differences += 1;
        else tally[isSilent === true ? 'silent' : 'unreadable'] += 1;
        if (isHinted) tally.hinted += 1;
      }
      yield difference;
      tally.isCut = silentInARow >= MAX_SILENT_IN_A_ROW;
      if (tally.isCut) return;
      await sleep(scope.pauseMs);
    }
  }
}

async function differenceIn(
  { context, gateway }: Sources,
  record: PaymentRecord,
  attempt: Attempt,
  { leavesHints, readings }: Scope,
): Promise<Difference | null> {
  const now = context.clock.now();
  const compared = await parts.compareAttempt({ gateway, readings }, record, attempt, now);
  const { orderId, number } = attempt;
  const about = { orderId, attempt: number, isHinted: false };
  if (compared.outcome === 'same') return null;
  if ('code' in compared) {
    const { code, outcome } = compared;
    return { ...about, code, isSilent: outcome === 'silent' };
  }
  const { outcome: _outcome, ...words } = compared;
  if (compared.outcome === 'contradicts' || !leavesHints) return { ...about, ...words };
  try {
    const { isTaken } = await parts.leaveHints(context, orderId, [attempt], now);
    return { ...about, ...words, isHinted: isTaken };
  } catch (error) {
    // A money operation that a process left half-way has an event, of which the shop's own code must hear.
    if (!(error instanceof PaymentsError && error.code === 'hook_failed')) throw error;
    return { ...about, ...words };
  }
}
