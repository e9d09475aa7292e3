import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findTestCard } from './domain/cards.ts';
import type { Effect } from './domain/events.ts';
import { sessionLifeMs } from './domain/transaction.ts';
import { Journal, journalHeader } from './journal.ts';
import { Machine, travel } from './machine.ts';

const tenant = 'default';

test('under a running clock a timer fires without a call, at its own instant', async () => {
  const { machine, happened } = machineForTest(Date.now);
  const session = createSession(machine, 'order-1');
  await travel(machine, tenant, { byMs: sessionLifeMs - 40 });
  expect(await happened('session-expired')).toMatchObject({
    id: session.id,
    at: session.expiresAt,
  });
  machine.close();
});

test('under a stopped clock nothing fires until it moves or runs on', async () => {
  const time = { now: Date.UTC(2030, 0, 1) };
  const { machine, happened } = machineForTest(() => time.now);
  const session = createSession(machine, 'order-1');
  machine.execute({ kind: 'freeze-clock', tenant });
  time.now += 2 * sessionLifeMs;
  expect(machine.tenant(tenant).timers[0]).toMatchObject({ id: session.id });
  machine.execute({ kind: 'resume-clock', tenant });
  const at = time.now;
  time.now += sessionLifeMs;
  machine.tenant(tenant);
  expect(await happened('session-expired')).toMatchObject({ id: session.id });
  expect(machine.now(tenant) - session.createdAt).toBe(time.now - at);
  machine.close();
});

test('a journey fires everything on its way in the order of time', async () => {
  const time = { now: Date.UTC(2030, 0, 1) };
  const { machine } = machineForTest(() => time.now);
  const early = createSession(machine, 'early');
  time.now += 60_000;
  const late = createSession(machine, 'late');
  const card = findTestCard('4508750015741019')!;
  const entry = { card, cvvDeclines: false, goodUntil: Number.MAX_SAFE_INTEGER };
  const means = { kind: 'card', entry } as const;
  const pay = { kind: 'pay', tenant, choice: null, formKey: null, means } as const;
  const { reply } = machine.execute({ ...pay, sessionId: late.id });
  const challenge = reply.kind === 'decided' ? reply.transaction.challenge : null;
  const journey = await travel(machine, tenant, { byMs: sessionLifeMs });
  expect(journey?.fired.map(({ kind, id }) => [kind, id])).toEqual([
    ['challenge-timed-out', challenge?.id],
    ['webhook-event', expect.any(String)],
    ['session-expired', early.id],
    ['session-expired', late.id],
  ]);
  expect(await travel(machine, tenant, { byMs: 0 })).toEqual({ now: journey?.now, fired: [] });
  expect(await travel(machine, tenant, { toMs: 0 })).toBeNull();
  machine.close();
});

test('when a timer fires does not change the ids that later commands draw', async () => {
  const time = { now: Date.UTC(2030, 0, 1) };
  const idsWithPause = async (pauseMs: number) => {
    const { machine } = machineForTest(() => time.now);
    const first = createSession(machine, 'first');
    time.now += pauseMs;
    const second = createSession(machine, 'second');
    machine.close();
    return [first.id, second.id];
  };
  expect(await idsWithPause(0)).toEqual(await idsWithPause(sessionLifeMs));
});

test('once the journal cannot be written, nothing more is done or read out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-machine-'));
  const { journal } = Journal.open(folder, journalHeader('keys', 'ids'));
  journal.close();
  const machine = new Machine({ idSeed: 'ids', clock: Date.now, journal }, []);
  for (const use of [() => createSession(machine, 'lost'), () => machine.tenant(tenant)]) {
    expect(use).toThrow(expect.objectContaining({ code: 'journal_unwritable' }));
  }
  await rm(folder, { recursive: true });
});

function machineForTest(clock: () => number) {
  const machine = new Machine({ idSeed: 'machine', clock, journal: null }, []);
  const all: Effect[] = [];
  let changed = () => {};
  machine.watch((_tenant, effects) => {
    all.push(...effects);
    changed();
  });
  const happened = async (kind: Effect['kind']): Promise<Effect> => {
    for (;;) {
      const found = all.find((effect) => effect.kind === kind);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (changed = resolve));
    }
  };
  return { machine, happened };
}

function createSession(machine: Machine, merchantOrderId: string) {
  const request = {
    merchantOrderId,
    amountMinor: 11_500,
    currency: 'SAR',
    customerName: null,
    customerKey: null,
    successUrl: 'https://shop.example/yes',
    failureUrl: 'https://shop.example/no',
  };
  const command = { kind: 'create-link', tenant, environment: 'staging', request } as const;
  const { reply } = machine.execute(command);
  if (reply.kind !== 'created') throw new Error('The session was not created.');
  return reply.session;
}
