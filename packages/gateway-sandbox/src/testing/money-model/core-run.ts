import type { Command, CommandKind, Reply } from '../../domain/command.ts';
import type { GatewayEvent } from '../../domain/webhooks/gateway-event.ts';
import type { violationsOf } from '../../domain/money/invariants.ts';
import type { emptyState, State, Tenant } from '../../domain/state.ts';
import type { statusRows } from '../../domain/transaction/status-rows.ts';
import type { step } from '../../domain/step.ts';
import type { findTestCard } from '../../domain/transaction/cards.ts';

/** A core under test: the real one, or one that was broken on purpose. */
export interface Core {
  readonly step: typeof step;
  readonly emptyState: typeof emptyState;
  readonly statusRows: typeof statusRows;
  readonly violationsOf: typeof violationsOf;
  readonly findTestCard: typeof findTestCard;
}

const tenantId = 'default';

/** A core with its state and what its webhooks told. */
export class CoreRun {
  readonly core: Core;
  #state: State;
  #drawn = 0;
  events: GatewayEvent[] = [];

  constructor(core: Core) {
    this.core = core;
    this.#state = core.emptyState;
  }

  get tenant(): Tenant {
    const tenant = this.#state.tenants.get(tenantId);
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
    const { state, reply, effects } = this.core.step(this.#state, whole, now, () => random);
    this.#state = state;
    for (const effect of effects) {
      if (typeof effect.kind !== 'string') throw new Error('An effect is none.');
      if (effect.kind === 'webhook-event') this.events.push(effect.event);
    }
    return reply;
  }

  row(id: string, now: number): Record<string, string> {
    const query = { environment: 'staging', id, now, sameId: false } as const;
    const [row] = this.core.statusRows(this.tenant, query) ?? [];
    if (row === undefined) throw new Error(`The core has no row for ${id}.`);
    return { ...row };
  }

  /** Ids that count up, so that of two things of one instant the older one comes first. */
  #draw(): string {
    this.#drawn += 1;
    return String(this.#drawn).padStart(12, '0');
  }
}
