import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { readClock, realTimeOf } from './domain/clock.ts';
import type { Effect } from './domain/events.ts';
import { isFields, type Fields } from './domain/requests.ts';
import { step, type Command, type CommandKind, type Reply } from './domain/step.ts';
import { newState, tenantOf, type Tenant, type Randomness } from './domain/tenant.ts';
import { withoutCardsInside } from './redaction.ts';
import { Recent } from './request-log.ts';
import { SandboxError } from './sandbox-error.ts';

/** How many happenings of each tenant the inspector can look back on. */
const rememberedEffects = 200;

const longestDelayMs = 2 ** 31 - 1;

interface MachineParts {
  readonly idSeed: string;
  readonly clock: () => number;
  readonly journal: Journal | null;
}

/** Called with what happened; `advance` waits for the promises of the watchers. */
type Watcher = (tenant: string, effects: readonly Effect[]) => void | Promise<unknown>;

/** The shell around the core: it holds the state, the time, the chance and the journal. */
export class Machine {
  readonly #parts: MachineParts;
  readonly #effects = new Recent<Effect>(rememberedEffects);
  readonly #watchers = new Set<Watcher>();
  /** The unfinished work of watchers, with its tenant. */
  readonly #outcomes = new Map<Promise<unknown>, string>();
  /** One for each tenant that waits for an instant. */
  readonly #alarms = new Map<string, NodeJS.Timeout>();
  readonly #state = newState();

  constructor(parts: MachineParts, entries: readonly JournalEntry[]) {
    this.#parts = parts;
    for (const { command, realNow } of entries) this.#step(command, realNow);
    for (const tenant of new Set(entries.map(({ command }) => command.tenant))) this.#wake(tenant);
  }

  /** @throws SandboxError `journal_unwritable`: what was lost is never read out */
  tenant(id: string): Tenant {
    if (this.#failure !== null) throw this.#failure;
    this.#catchUp(id);
    return tenantOf(this.#state, id);
  }

  tenantIds(): readonly string[] {
    return [...this.#state.keys()];
  }

  hasTenant(id: string): boolean {
    return this.#state.has(id);
  }

  now(tenantId: string): number {
    return readClock(tenantOf(this.#state, tenantId).clock, this.#parts.clock());
  }

  /** The last happenings, newest first. */
  effects(tenantId: string): readonly Effect[] {
    return this.#effects.list(tenantId).toReversed();
  }

  /** Calls `watcher` with all that happens from now on, but no replay; the answer ends that. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /**
   * Carries out one command, without card numbers in its texts. It is in the journal when this
   * returns.
   *
   * @throws SandboxError `journal_unwritable`
   */
  execute<Kind extends CommandKind>(
    given: Command<Kind>,
  ): { reply: Reply<Kind>; effects: readonly Effect[] } {
    if (this.#failure !== null) throw this.#failure;
    const command = withoutCardsInside(given);
    const realNow = this.#parts.clock();
    const taken = this.#step(command, realNow);
    this.#parts.journal?.append({ realNow, command });
    this.#wake(command.tenant);
    this.#notify(command.tenant, taken.effects);
    return taken;
  }

  /** Resolves when every watcher is done with this tenant's effects. */
  async outcomes(tenantId: string): Promise<void> {
    for (;;) {
      const open = [...this.#outcomes].filter(([, tenant]) => tenant === tenantId);
      if (open.length === 0) return;
      await Promise.allSettled(open.map(([outcome]) => outcome));
    }
  }

  close(): void {
    for (const alarm of this.#alarms.values()) clearTimeout(alarm);
    this.#parts.journal?.close();
  }

  #step<Kind extends CommandKind>(command: Command<Kind>, realNow: number) {
    const seed = tenantOf(this.#state, command.tenant).account.seed ?? this.#parts.idSeed;
    const taken = step(this.#state, command, realNow, (occasion) =>
      seededRandomness(seed, command.tenant, occasion),
    );
    if (command.kind === 'reset') this.#effects.clear(command.tenant);
    for (const effect of taken.effects) this.#effects.add(command.tenant, effect);
    return taken;
  }

  /** Fires what is due. No journal holds firings: they follow from the commands and the time. */
  #catchUp(tenant: string): void {
    const realNow = this.#parts.clock();
    const { clock, timers } = tenantOf(this.#state, tenant);
    if (timers[0] === undefined || timers[0].at > readClock(clock, realNow)) return;
    const { effects } = this.#step({ kind: 'tick', tenant }, realNow);
    this.#wake(tenant);
    this.#notify(tenant, effects);
  }

  /** Sets the alarm for the tenant's next timer; under a stopped clock only what is due rings. */
  #wake(tenant: string): void {
    clearTimeout(this.#alarms.get(tenant));
    const {
      clock,
      timers: [next],
    } = tenantOf(this.#state, tenant);
    const ringsAt = next === undefined ? Number.POSITIVE_INFINITY : realTimeOf(clock, next.at);
    if (ringsAt === Number.POSITIVE_INFINITY) return;
    const delayMs = Math.min(Math.max(ringsAt - this.#parts.clock(), 1), longestDelayMs);
    const ring = () => {
      // A journal that failed is reported by the next call; watchers never see what it lost.
      if (this.#failure !== null) return;
      this.#catchUp(tenant);
      this.#wake(tenant);
    };
    this.#alarms.set(tenant, setTimeout(ring, delayMs).unref());
  }

  get #failure(): SandboxError | null {
    return this.#parts.journal?.failure ?? null;
  }

  #notify(tenant: string, effects: readonly Effect[]): void {
    if (effects.length === 0) return;
    for (const watcher of this.#watchers) {
      const watching = watcher(tenant, effects);
      if (!(watching instanceof Promise)) continue;
      const outcome = watching.finally(() => this.#outcomes.delete(outcome));
      this.#outcomes.set(outcome, tenant);
    }
  }
}

/**
 * Moves a tenant's clock forward and fires what falls due on the way, in the order of time. A
 * webhook that is sent on the way is answered, or given up, before time goes on: so a retry that
 * its failure calls for falls due on the same journey. Null: the goal lies in the past.
 */
export async function travel(
  machine: Machine,
  tenant: string,
  goal: { readonly byMs: number } | { readonly toMs: number },
): Promise<{ now: number; fired: readonly Effect[] } | null> {
  await machine.outcomes(tenant);
  const fired: Effect[] = [];
  const target = 'byMs' in goal ? machine.now(tenant) + goal.byMs : goal.toMs;
  let leg = goal;
  for (;;) {
    const { reply, effects } = machine.execute({ kind: 'advance-clock', tenant, ...leg });
    if (reply.kind === 'in-the-past') return null;
    fired.push(...effects);
    if (reply.pausedAt === null) return { now: reply.now, fired };
    await machine.outcomes(tenant);
    // A running clock may have gone past the target while the outcome was awaited.
    leg = { byMs: Math.max(target - machine.now(tenant), 0) };
  }
}

/**
 * Chance that can be repeated: the same seed, tenant and occasion give the same draws, so replies
 * are byte-identical and a journal replays to the same ids. The occasion is a command's number, or
 * a timer's name: when a timer fires does not change what the next command draws.
 */
function seededRandomness(seed: string, tenant: string, occasion: number | string): Randomness {
  let block = 0;
  let hex = '';
  /** The next bytes, two hexadecimal digits each. */
  const take = (count: number): string => {
    while (hex.length < 2 * count) {
      const text = JSON.stringify([seed, tenant, occasion, block]);
      hex += createHash('sha256').update(text).digest('hex');
      block += 1;
    }
    const taken = hex.slice(0, 2 * count);
    hex = hex.slice(2 * count);
    return taken;
  };
  return {
    uuid: () => {
      const raw = take(16);
      const variant = ((Number.parseInt(raw.charAt(16), 16) & 0x3) | 0x8).toString(16);
      return `${raw.slice(0, 8)}-${raw.slice(8, 12)}-4${raw.slice(13, 16)}-${variant}${raw.slice(17, 20)}-${raw.slice(20)}`;
    },
    digits: (count) =>
      Array.from({ length: count }, () => Number.parseInt(take(1), 16) % 10).join(''),
  };
}

const format = 'pay-button-sandbox-journal/3' as const;

/** The first line: the facts that the replay needs to give the same ids and keys. */
type JournalHeader = Readonly<ReturnType<typeof journalHeader>>;

/** One command, with the machine's clock when it was carried out. */
interface JournalEntry {
  readonly realNow: number;
  readonly command: Command<CommandKind>;
}

export function journalHeader(seed: string, idSeed: string) {
  return {
    format,
    /** The seed of the credentials, and the seed that `--seed` is compared with. */
    seed,
    /** The seed of ids and numbers. */
    idSeed,
  };
}

/**
 * Reads a journal. `soundBytes` is where its last whole line ends.
 *
 * @throws SandboxError `journal_damaged` for a broken line that is not the last one
 */
function readEntries(path: string) {
  const bytes = fs.readFileSync(path);
  const soundBytes = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes.toString('utf8', 0, soundBytes).split('\n').slice(0, -1);
  const values = lines.map((line, index) => {
    const value = parsed(line);
    if (isFields(value) && (index === 0 ? isHeader(value) : isEntry(value))) return value;
    const message = `Line ${index + 1} of ${path} cannot be read. Restore the file from a copy, or start with another data folder.`;
    throw new SandboxError('journal_damaged', message);
  });
  const [header = null, ...entries] = values as unknown as [JournalHeader?, ...JournalEntry[]];
  return { header, entries, soundBytes };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const isHeader = (line: Fields): boolean =>
  line['format'] === format && typeof line['idSeed'] === 'string';

const isEntry = (line: Fields): boolean =>
  typeof line['realNow'] === 'number' && isFields(line['command']);

/** Folders in use by this process: its own id in a lock file proves nothing. */
const heldHere = new Set<string>();

/**
 * The append-only list of commands. A line is handed to the system before its command is answered,
 * so what was acknowledged survives kill -9; the last moments before a power cut may be lost.
 */
export class Journal {
  #file: number;
  readonly #lock: string;
  /** Why memory is ahead of the journal; null while it is not. */
  failure: SandboxError | null = null;

  private constructor(file: number, lock: string) {
    this.#file = file;
    this.#lock = lock;
  }

  /**
   * Opens or begins the journal in `folder`. A torn last line, left by a crash in mid-write, is cut
   * off: its command was never acknowledged.
   *
   * @throws SandboxError `data_in_use`, `data_unwritable`, `journal_damaged`
   */
  static open(
    folder: string,
    fresh: JournalHeader,
  ): { journal: Journal; header: JournalHeader; entries: JournalEntry[] } {
    const path = join(folder, 'journal.jsonl');
    const { file, lock } = openFile(folder, path);
    const journal = new Journal(file, lock);
    try {
      const { header, entries, soundBytes } = readEntries(path);
      fs.ftruncateSync(file, soundBytes);
      if (header === null) journal.append(fresh);
      return { journal, header: header ?? fresh, entries };
    } catch (error) {
      journal.close();
      throw error;
    }
  }

  /** @throws SandboxError `journal_unwritable`, and is of no more use then */
  append(line: JournalEntry | JournalHeader): void {
    try {
      fs.appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
    } catch (cause) {
      const message =
        'The journal cannot be written. Free some disk space or mend its folder, then start again.';
      this.failure = new SandboxError('journal_unwritable', message, { cause });
      throw this.failure;
    }
  }

  /** Once more has no effect; a line that comes later is refused. */
  close(): void {
    if (this.#file === -1) return;
    fs.closeSync(this.#file);
    // The system gives the number of a closed file to the next one; no file has this number.
    this.#file = -1;
    unlock(this.#lock);
  }
}

function openFile(folder: string, path: string): { file: number; lock: string } {
  try {
    // For their owner only: the journal holds shoppers' names and phones.
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = join(folder, 'journal.lock');
    claim(lock, folder);
    try {
      return { file: fs.openSync(path, 'a', 0o600), lock };
    } catch (error) {
      unlock(lock);
      throw error;
    }
  } catch (cause) {
    if (cause instanceof SandboxError) throw cause;
    const reason = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    const message = `The data folder ${folder} cannot be written${reason}. Choose another with --data, or mend its permissions.`;
    throw new SandboxError('data_unwritable', message, { cause });
  }
}

/** Keeps a second sandbox out of the folder. The lock of a process that is gone is taken over. */
function claim(lock: string, folder: string): void {
  try {
    if (heldHere.has(lock)) throw inUse(folder);
    fs.writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const owner = Number(fs.readFileSync(lock, 'utf8'));
    if (owner !== process.pid && isAlive(owner)) throw inUse(folder);
    fs.writeFileSync(lock, String(process.pid));
  }
  heldHere.add(lock);
}

function unlock(lock: string): void {
  fs.rmSync(lock, { force: true });
  heldHere.delete(lock);
}

function isAlive(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0) return false;
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function inUse(folder: string): SandboxError {
  const message = `Another sandbox is using ${folder}. Stop it, or choose another data folder.`;
  return new SandboxError('data_in_use', message);
}
