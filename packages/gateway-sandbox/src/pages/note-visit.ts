import type { SandboxParts } from '../sandbox-parts.ts';
import type { Visit } from '../visit-log.ts';

/** Remembers a browser's step for the timeline; of an id that nobody gave out, nothing is kept. */
export function noteVisit(
  { machine, tenants, visits }: SandboxParts,
  kind: Visit['kind'],
  id: string,
): void {
  const isChallenge = kind === 'challenge-shown' || kind === 'challenge-answered';
  const tenant = isChallenge ? tenants.ofChallenge(id) : tenants.ofSession(id);
  const { sessions, challenged } = machine.tenant(tenant);
  if (!(isChallenge ? challenged : sessions).has(id)) return;
  visits.add(tenant, { at: machine.now(tenant), kind, id });
}
