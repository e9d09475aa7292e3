import { expect, it } from 'vitest';
import { type Action, drawHistory, type History } from '../../test-support/histories/history.ts';
import { expectFound } from '../../test-support/histories/expect-found.ts';
import { playHistory } from '../../test-support/histories/run-histories.ts';
import { openStore } from '../../test-support/histories/stores.ts';

/** These take seconds; a busy machine may take minutes. */
const WAIT_MS = 300_000;

const stage = { openStore: (seed: number) => openStore('memory', seed) };

/** At least one of each kind, which the first histories find; the others are in the suite of all tests. */
const soonFound = [
  'believes-the-redirect',
  'select-then-update',
  'ships-before-the-commit',
  'drops-hints',
  'retries-refunds',
  'withdraws-at-the-first-404',
];

it.each(soonFound)('a program with the mistake %s is found out', expectFound, WAIT_MS);

/** A history of shoppers and hints alone, in which every hint says what an honest one would. */
function honest(history: History): History {
  const isOfMerchant = ({ deed: { kind } }: Action): boolean =>
    // When a merchant reprices or cancels an order while it is being paid, or its money is moved
    // elsewhere, the end depends on when we looked, and a hint is a reason to look.
    ['mood', 'reprice', 'cancel', 'crash', 'elsewhere', 'accept'].includes(kind);
  return {
    ...history,
    faultProfile: { storeFaults: 0, slowness: 0, handlerFaults: 0, hasHandlersEverywhere: true },
    actions: history.actions.filter((action) => !isOfMerchant(action)).map(asHonest),
  };
}

function asHonest(action: Action): Action {
  const { deed } = action;
  if (deed.kind === 'webhook') return { ...action, deed: { ...deed, garbage: null } };
  return deed.kind === 'pay' ? { ...action, deed: { ...deed, oddMinorUnits: null } } : action;
}

/** The same, in which every hint lies. */
function asLie(action: Action): Action {
  const { deed } = action;
  if (deed.kind === 'webhook') return { ...action, deed: { ...deed, garbage: 'a~1\u0000%' } };
  if (deed.kind !== 'return') return action;
  const claims = deed.claims === 'success' ? 'failure' : 'success';
  return { ...action, deed: { ...deed, claims } };
}

it(
  'what hints say changes nothing: lies lead to the same end (I5)',
  async () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const truth = honest(drawHistory(seed));
      const lies = { ...truth, actions: truth.actions.map(asLie) };
      const toTheEnd = { ...stage, isWatchedToItsEnd: true };
      const ends = [await playHistory(truth, toTheEnd), await playHistory(lies, toTheEnd)];
      expect(ends[1], `seed ${seed}`).toEqual(ends[0]);
    }
  },
  WAIT_MS,
);
