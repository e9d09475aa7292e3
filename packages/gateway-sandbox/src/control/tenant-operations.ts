import { z } from 'zod';
import { mostSnapshots } from '../domain/step.ts';
import { clockState, iso } from '../domain/clock.ts';
import { isHappening } from '../domain/events.ts';
import type { Snapshot } from '../domain/tenant.ts';
import { travel } from '../machine.ts';
import { readFidelity } from '../package-files.ts';
import { policyNames } from '../readings/readings.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { conflict, listOf, named, notFound, operation, Refusal, type Operations } from './api.ts';
import * as shapes from './shapes.ts';

const unknownTenant = notFound('unknown_tenant', 'No tenant has this id. GET tenants lists them.');

const policyReply = z.strictObject({ policy: z.array(z.string()), known: z.array(z.string()) });
const policyRule = `"policy" is a list of ${policyNames.join(', ')}.`;
const describePolicy = ({ policy }: SandboxParts) => ({
  policy: [...policy],
  known: policyNames,
});

/** The sandbox and its tenants, which share nothing but the policy: tests can run side by side. */
export const sandboxOperations: Operations = {
  ready: operation('GET /ready', {
    summary: 'Answers when the sandbox does.',
    reply: z.strictObject({ ready: z.literal(true) }),
    perform: () => ({ ready: true }),
  }),
  info: operation('GET /info', {
    summary: 'Answers addresses, keys, version, seed, clock and policy.',
    reply: shapes.sandboxInfo,
    perform: ({ parts, tenant }) => describeSandbox(parts, tenant),
  }),
  fidelity: operation('GET /fidelity', {
    summary: 'Answers how firmly each behaviour is known, and the tests that pin it.',
    perform: readFidelity,
  }),
  reset: operation('POST /reset', {
    summary: 'Empties the tenant; its credentials stay, and no id is ever given twice.',
    reply: z.strictObject({ reset: z.literal(true) }),
    perform: ({ parts: { machine, faults, requestLog, visits }, tenant }) => {
      machine.execute({ kind: 'reset', tenant });
      for (const memory of [faults, requestLog, visits]) memory.clear(tenant);
      return { reset: true };
    },
  }),
  policy: operation('GET /policy', {
    summary: 'Lists the readings that differ from the default.',
    reply: policyReply,
    perform: ({ parts }) => describePolicy(parts),
  }),
  setPolicy: operation('PUT /policy', {
    summary: 'Puts other readings in force, for all tenants.',
    body: z.strictObject({ policy: z.array(z.enum(policyNames, policyRule), policyRule) }),
    code: 'unknown_policy',
    reply: policyReply,
    perform: ({ parts, body }) => {
      parts.policy.clear();
      for (const name of body.policy) parts.policy.add(name);
      return describePolicy(parts);
    },
  }),
  tenants: operation('GET /tenants', {
    summary: 'Lists the tenants.',
    reply: listOf('tenants', shapes.tenantInfo),
    perform: ({ parts }) => ({
      tenants: parts.machine.tenantIds().map((id) => describeTenant(parts, id)),
    }),
  }),
  openTenant: operation('POST /tenants', {
    summary: 'Opens a tenant with keys, a clock, a seed and faults of its own.',
    body: shapes.tenantOptions,
    code: { '': 'invalid_tenant', seed: 'invalid_seed' },
    reply: shapes.tenantInfo,
    refuses: [409],
    perform: ({ parts, body: { id = null, seed = null } }) => {
      const opened = parts.tenants.open({ id, seed });
      if (!('fault' in opened)) return describeTenant(parts, opened.id);
      return openRefusals[opened.fault];
    },
  }),
  tenant: operation('GET /tenants/:id', {
    summary: 'Shows one tenant.',
    reply: shapes.tenantInfo,
    perform: ({ parts, id }) =>
      parts.machine.hasTenant(id) ? describeTenant(parts, id) : unknownTenant,
  }),
  switchMerchant: operation('PATCH /tenants/:id', {
    summary: 'Lets the gateway lose its record of the merchant, or find it again.',
    body: z.strictObject({ merchant: shapes.merchant }),
    code: 'invalid_merchant',
    reply: shapes.tenantInfo,
    perform: ({ parts, id: tenant, body: { merchant } }) => {
      const { machine } = parts;
      if (!machine.hasTenant(tenant)) return unknownTenant;
      machine.execute({ kind: 'switch-merchant', tenant, isFound: merchant === 'found' });
      return describeTenant(parts, tenant);
    },
  }),
  revokePortalTokens: operation('POST /portal-tokens/revoke', {
    summary: 'Makes every portal token of the tenant bad.',
    perform: ({ parts: { machine }, tenant }) =>
      machine.execute({ kind: 'revoke-portal-tokens', tenant }).reply,
  }),
};

const openRefusals = {
  'id-taken': conflict(
    'tenant_exists',
    'A tenant of this sandbox has this id. Choose another, or go on with that one.',
  ),
  'too-many': conflict(
    'too_many_tenants',
    'This sandbox holds all the tenants it can. Start another one.',
  ),
} as const;

/** A tenant's addresses and credentials, secrets included: the API is bound to this machine. */
function describeTenant({ machine, tenants, publicUrl }: SandboxParts, id: string): object {
  return {
    id,
    ...tenants.access(id, publicUrl()),
    merchant: machine.tenant(id).account.isFound ? 'found' : 'not-found',
  };
}

/** Everything a client needs to begin. */
function describeSandbox(parts: SandboxParts, tenant: string): object {
  const { machine, policy, profile, version } = parts;
  const { clock, account } = machine.tenant(tenant);
  const rate = clock.rate === 0 || clock.rate === 1 ? {} : { rate: clock.rate };
  return {
    version,
    seed: account.seed ?? parts.seed,
    policy: [...policy],
    ...(Object.keys(profile).length === 0 ? {} : { profile }),
    clock: { now: iso(machine.now(tenant)), state: clockState(clock), ...rate },
    ...describeTenant(parts, tenant),
  };
}

/** The end of the sandbox's time, so that every instant prints as a plain ISO 8601 date. */
const lastInstant = Date.UTC(2100, 0, 1);

const rateRule =
  '"rate" is how many seconds pass in a real one: a number from 0.01 to 3600, an hour in a second.';
const timeRule =
  '"by" is an ISO 8601 duration of weeks, days, hours, minutes and seconds (PT48H); "to" is an instant with its offset (2030-01-01T00:00:00Z).';

const instantOf = ({ reply }: { readonly reply: { readonly now: number } }) => ({
  now: iso(reply.now),
});

export const clockOperations: Operations = {
  freezeClock: operation('POST /clock/freeze', {
    summary: 'Stops the clock.',
    reply: shapes.clockReply,
    perform: ({ parts: { machine }, tenant }) =>
      instantOf(machine.execute({ kind: 'freeze-clock', tenant })),
  }),
  resumeClock: operation('POST /clock/resume', {
    summary: 'Lets the clock run on, at its usual rate.',
    reply: shapes.clockReply,
    perform: ({ parts: { machine }, tenant }) =>
      instantOf(machine.execute({ kind: 'resume-clock', tenant })),
  }),
  setClockRate: operation('POST /clock/rate', {
    summary: 'Lets the clock run faster or slower.',
    body: z.strictObject({ rate: z.number(rateRule).min(0.01, rateRule).max(3600, rateRule) }),
    code: 'invalid_rate',
    reply: shapes.clockReply,
    perform: ({ parts: { machine }, tenant, body: { rate } }) => ({
      ...instantOf(machine.execute({ kind: 'resume-clock', tenant, rate })),
      rate,
    }),
  }),
  advanceClock: operation('POST /clock/advance', {
    summary: 'Moves the clock forward; answers what fell due on the way, ordered by time.',
    body: z.union([
      z.strictObject({ by: z.string().meta({ description: 'ISO 8601 duration, PT0S included.' }) }),
      z.strictObject({ to: shapes.instant }),
    ]),
    code: 'invalid_time',
    hint: 'Send either "by" or "to".',
    reply: shapes.advanceReply,
    perform: async ({ parts: { machine }, tenant, body }) => {
      const value = 'by' in body ? readDuration(body.by) : readInstant(body.to);
      if (value === null) return new Refusal(400, 'invalid_time', timeRule);
      const toMs = 'by' in body ? machine.now(tenant) + value : value;
      if (toMs > lastInstant) {
        return new Refusal(400, 'invalid_time', 'The sandbox clock ends with the year 2099.');
      }
      const goal = 'by' in body ? { byMs: value } : { toMs };
      const travelled = await travel(machine, tenant, goal);
      if (travelled === null) {
        const detail = `The clock only moves forward. It is ${iso(machine.now(tenant))}.`;
        return new Refusal(400, 'past_instant', detail);
      }
      const fired = travelled.fired.filter(isHappening);
      return {
        now: iso(travelled.now),
        fired: fired.map(({ at, kind, id }) => ({ at: iso(at), kind, id })),
      };
    },
  }),
};

const unitsMs = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000] as const;

/** Milliseconds of an ISO 8601 duration, or null; years and months have no fixed length. */
function readDuration(value: unknown): number | null {
  if (typeof value !== 'string' || value.length > 64) return null;
  const parts =
    /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/.exec(
      value,
    );
  if (parts === null) return null;
  const total = unitsMs.reduce((sum, unit, index) => sum + Number(parts[index + 1] ?? 0) * unit, 0);
  return Number.isSafeInteger(Math.round(total)) ? Math.round(total) : null;
}

/** An ISO 8601 instant with its offset, in epoch milliseconds, or null. */
function readInstant(text: string): number | null {
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const instant = isInstant ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? null : instant;
}

const snapshotReply = named('snapshot', shapes.controlSnapshot);
const snapshotId = '"id" is 1 to 64 letters, digits, dots, dashes and underscores.';
const unknownSnapshot = notFound(
  'unknown_snapshot',
  'This tenant has no snapshot of this id; GET snapshots lists those that it has.',
);

/** A tenant's whole state, stored and restored. Faults and the requests list stay. */
export const snapshotOperations: Operations = {
  snapshots: operation('GET /snapshots', {
    summary: "Lists the tenant's snapshots, oldest first.",
    reply: listOf('snapshots', shapes.controlSnapshot),
    perform: ({ parts: { machine }, tenant }) => ({
      snapshots: machine.tenant(tenant).snapshots.map(describeSnapshot),
    }),
  }),
  createSnapshot: operation('POST /snapshots', {
    summary: 'Stores the tenant as it is.',
    body: z.strictObject({
      id: z
        .string(snapshotId)
        .regex(/^[A-Za-z0-9_.-]{1,64}$/, snapshotId)
        .exactOptional(),
    }),
    code: 'invalid_id',
    reply: snapshotReply,
    refuses: [409],
    perform: ({ parts: { machine }, tenant, body }) => {
      const id = body.id ?? nextSnapshotId(machine.tenant(tenant).snapshots);
      const { reply } = machine.execute({ kind: 'create-snapshot', tenant, id });
      if (reply.kind === 'created') return { snapshot: describeSnapshot(reply.snapshot) };
      const detail = `A tenant keeps at most ${mostSnapshots} snapshots; delete one first.`;
      return conflict('too_many_snapshots', detail);
    },
  }),
  deleteSnapshot: operation('DELETE /snapshots/:id', {
    summary: 'Deletes a snapshot.',
    perform: ({ parts: { machine }, tenant, id }) => {
      const { reply } = machine.execute({ kind: 'delete-snapshot', tenant, id });
      return reply.kind === 'unknown' ? unknownSnapshot : { deleted: id };
    },
  }),
  restoreSnapshot: operation('POST /snapshots/:id/restore', {
    summary: 'Restores the tenant, its clock included.',
    reply: snapshotReply,
    perform: ({ parts: { machine }, tenant, id }) => {
      const { reply } = machine.execute({ kind: 'restore-snapshot', tenant, id });
      if (reply.kind === 'unknown') return unknownSnapshot;
      return { snapshot: describeSnapshot(reply.snapshot) };
    },
  }),
};

function describeSnapshot({ id, at, tenant }: Snapshot): object {
  return { id, at: iso(at), sessions: tenant.sessions.size };
}

function nextSnapshotId(known: readonly Snapshot[]): string {
  let number = known.length + 1;
  while (known.some(({ id }) => id === `snapshot-${number}`)) number += 1;
  return `snapshot-${number}`;
}
