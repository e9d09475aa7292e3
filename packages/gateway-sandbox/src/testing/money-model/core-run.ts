import type { GatewayEvent } from '../../domain/events.ts';
import { statusRows } from '../../domain/status-rows.ts';
import { newState } from '../../domain/tenant.ts';
import type { Tenant } from '../../domain/tenant.ts';
import { step } from '../../domain/step.ts';
import type { Command, CommandKind, Reply } from '../../domain/step.ts';

const tenantId = 'default';

/** The core with its state and what its webhooks reported. */
export class CoreRun {
  readonly #state = newState();
  #drawn = 0;
  events: GatewayEvent[] = [];

  get tenant(): Tenant {
    const tenant = this.#state.get(tenantId);
    if (tenant === undefined) throw new Error('The first tenant is gone.');
    return tenant;
  }

  execute<Kind extends CommandKind>(
    command: { kind: Kind } & Omit<Command<Kind>, 'tenant' | 'kind'>,
    now: number,
  ): Reply<Kind> {
    const random = {
      uuid: () => `id-${this.#draw()}`,
      digits: (count: number) => this.#draw().slice(-count),
    };
    const whole = { ...command, tenant: tenantId } as unknown as Command<Kind>;
    const { reply, effects } = step(this.#state, whole, now, () => random);
    for (const effect of effects) {
      if (typeof effect.kind !== 'string') throw new Error('An effect is none.');
      if (effect.kind === 'webhook-event') this.events.push(effect.event);
    }
    return reply;
  }

  row(id: string, now: number): Record<string, string> {
    const readings = { sameId: false, asksFor: 'either', forgets: false, lagMs: 0 } as const;
    const query = { environment: 'staging', id, now, ...readings } as const;
    const [row] = statusRows(this.tenant, query) ?? [];
    if (row === undefined) throw new Error(`The core has no row for ${id}.`);
    return { ...row };
  }

  /** Ids that count up, so that of two things of one instant the older one comes first. */
  #draw(): string {
    this.#drawn += 1;
    return String(this.#drawn).padStart(12, '0');
  }
}
