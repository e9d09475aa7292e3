import type { Command, CommandKind, Effect, Reply } from './domain/command.ts';
import { readClock } from './domain/clock.ts';
import { emptyState, tenantOf } from './domain/state.ts';
import type { State, Tenant } from './domain/state.ts';
import { step } from './domain/step.ts';
import type { Journal } from './journal.ts';
import type { JournalEntry } from './journal-entries.ts';
import { seededRandomness } from './seeded-randomness.ts';

/** How many happenings of each tenant the inspector can look back on. */
const rememberedEffects = 200;

interface MachineParts {
  readonly idSeed: string;
  readonly clock: () => number;
  readonly journal: Journal | null;
}

/** The shell around the core: it holds the state, the time, the chance and the journal. */
export class Machine {
  readonly #parts: MachineParts;
  readonly #effects = new Map<string, Effect[]>();
  #state: State = emptyState;

  constructor(parts: MachineParts, entries: readonly JournalEntry[]) {
    this.#parts = parts;
    for (const { command, realNow } of entries) this.#step(command, realNow);
  }

  /** The tenant as it stands; call `settled` before anything of it is told to anyone. */
  tenant(id: string): Tenant {
    return tenantOf(this.#state, id);
  }

  /** The tenant's clock, in epoch milliseconds. */
  now(tenantId: string): number {
    return readClock(this.tenant(tenantId).clock, this.#parts.clock());
  }

  /** The last happenings, newest first. */
  effects(tenantId: string): readonly Effect[] {
    return (this.#effects.get(tenantId) ?? []).toReversed();
  }

  /**
   * Carries out one command and resolves when it is on disk.
   *
   * @throws SandboxError `journal_unwritable`
   */
  async execute<Kind extends CommandKind>(
    command: Command<Kind>,
  ): Promise<{ reply: Reply<Kind>; effects: readonly Effect[] }> {
    this.#parts.journal?.assertWritable();
    const realNow = this.#parts.clock();
    const { reply, effects, changed } = this.#step(command, realNow);
    if (changed) await this.#parts.journal?.append({ realNow, command });
    else await this.settled();
    return { reply, effects };
  }

  /** Resolves when all that the state holds is on disk. */
  async settled(): Promise<void> {
    await this.#parts.journal?.settled();
  }

  async close(): Promise<void> {
    await this.#parts.journal?.close();
  }

  #step<Kind extends CommandKind>(command: Command<Kind>, realNow: number) {
    const before = this.#state;
    const { sequence } = tenantOf(before, command.tenant);
    const random = seededRandomness(this.#parts.idSeed, command.tenant, sequence);
    const { state, reply, effects } = step(before, command, realNow, random);
    this.#state = state;
    const kept = command.kind === 'reset' ? [] : (this.#effects.get(command.tenant) ?? []);
    this.#effects.set(command.tenant, [...kept, ...effects].slice(-rememberedEffects));
    return { reply, effects, changed: state !== before };
  }
}
