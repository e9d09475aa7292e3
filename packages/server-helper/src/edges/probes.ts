import { answerFor, health, type HealthDependencies } from './health.ts';
import type { Answer, EdgeRequest } from './http.ts';
import type { RouteContext } from './route-table.ts';

/**
 * `GET /health/live`: the process answers. It asks nothing else, since to end a process mends no store
 * and no gateway.
 */
export const live = (): Answer => ({ status: 200, json: { status: 'ok' } });

/**
 * `GET /health/ready`: 200 while this process can record payments, else 503. What needs a person, but
 * stops no payment, is not looked at: every process would say the same.
 */
export async function ready(request: EdgeRequest, context: RouteContext): Promise<Answer> {
  const { version, limits } = context.health;
  await context.checks.healthPerAddress(request.address);
  const { json: known } = await health(healthNow(context));
  const store = context.flows.isStoreStuck() ? 'stuck' : known['store'];
  const isReady = store === 'ok';
  const { reason } = known;
  const json = { status: isReady ? 'ok' : 'unavailable', version, store, reason } as const;
  return answerFor(request, limits, { status: isReady ? 200 : 503, json });
}

/** What health asks now. */
export const healthNow = ({ flows, health: known }: RouteContext): HealthDependencies => ({
  ...known,
  readBacklog: () => flows.backlog(),
  isWritable: () => flows.isWritable(),
});
