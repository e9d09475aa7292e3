import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { readDocument } from '../check/documents.ts';
import { freePortLike, until } from '../process.ts';

/** What a document asks its reader to do: to write a file, or to type a command. */
type WrittenStep =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'command'; readonly line: string };

/**
 * The steps of a part of a document, as they are written: each line of a shell block is a command,
 * and each block after a paragraph that names a file is what the file holds.
 */
export function writtenSteps(text: string): readonly WrittenStep[] {
  const lines = text.split('\n');
  return readDocument(text).blocks.flatMap(({ info, line, code }): WrittenStep[] => {
    const [language = ''] = info.split(' ');
    const settings = /^(?:#.*\n|\w+=\S*\n)+$/.test(code);
    if (language === 'sh' && !settings) {
      const commands = code.split('\n').filter((one) => one !== '');
      return commands.map((command) => ({ kind: 'command', line: command }));
    }
    if (!['sh', 'ts', 'js', 'html', 'json'].includes(language)) return [];
    const before = lines
      .slice(0, line - 2)
      .join('\n')
      .trimEnd();
    const paragraph = before.slice(before.lastIndexOf('\n\n') + 1);
    const name = paragraph.match(/(?<=`)[\w./-]*\.(?:env|html|json|ts|m?js)(?=`)/g)?.at(-1);
    return name === undefined ? [] : [{ kind: 'file', name, text: code }];
  });
}

/** A line that starts a server; every other ends by itself. */
const server = /^(?:npx pay-gateway-sandbox|node .*\.ts|npm start|npm run dev)\b/;

/** A command without an end fails; an installation may take its time. */
const LIMIT_MS = 300_000;

/** A command in a terminal of its own. */
interface Terminal {
  readonly child: ChildProcess;
  readonly command: string;
  shown: string;
}

/**
 * Does what documents say, in an empty folder: writes the files and types the commands, with our
 * packages from a registry of this machine. The ports are the documents', or free ones where other
 * programs have those.
 */
export class Reader {
  readonly #scratch = mkdtempSync(join(tmpdir(), 'pay-button-reader-'));
  readonly #ports: ReadonlyMap<string, number>;
  readonly #env: NodeJS.ProcessEnv;
  readonly #terminals: Terminal[] = [];
  /** Where the reader's commands run now: where the last one left. */
  folder = join(this.#scratch, 'empty');

  private constructor(registry: string, ports: ReadonlyMap<string, number>, isNew: boolean) {
    this.#ports = ports;
    // Without one, npm would install into a folder above that has one, as a shared temporary folder may.
    mkdirSync(join(this.folder, 'node_modules'), { recursive: true });
    // Ours without what npm and this repository put there: neither settings nor programs.
    const own =
      /^npm_(?!config_(?:cache|globalconfig|userconfig)$)|^NODE_(?:ENV|OPTIONS|PATH)$|^INIT_CWD$/i;
    const kept = Object.entries(process.env).filter(([name]) => !own.test(name));
    const path = (process.env['PATH'] ?? '').split(delimiter);
    const others = path.filter((folder) => !/node_modules/.test(folder));
    this.#env = {
      ...Object.fromEntries(kept),
      PATH: [dirname(process.execPath), ...others].join(delimiter),
      // A registry that fails for a moment says nothing about our documents.
      npm_config_fetch_retries: '6',
      npm_config_yes: 'true',
      npm_config_registry: registry,
      ...(isNew ? { npm_config_cache: join(this.#scratch, 'cache') } : {}),
    };
  }

  /**
   * Lets a reader work, and takes everything away afterwards.
   *
   * @param isNew - Whether npm knows nothing yet.
   */
  static async at<Result>(
    registry: string,
    work: (reader: Reader) => Promise<Result>,
    isNew: boolean,
  ): Promise<Result> {
    const ports = new Map<string, number>();
    for (const port of [4010, 3000]) ports.set(String(port), await freePortLike(port));
    const reader = new Reader(registry, ports, isNew);
    try {
      return await work(reader);
    } finally {
      for (const terminal of reader.#terminals) await end(terminal);
      rmSync(reader.#scratch, { recursive: true, force: true });
    }
  }

  /** The address of the shop: that of its settings, or the documents' port 3000. */
  get shop(): string {
    const file = join(this.folder, '.env');
    const { PUBLIC_URL } = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
    return PUBLIC_URL ?? this.#here('http://127.0.0.1:3000');
  }

  shown(): string {
    return this.#terminals.map(({ shown }) => shown).join('\n');
  }

  /** Does the steps of a part of a document. @returns how many they were. */
  async follow(part: string): Promise<number> {
    const steps = writtenSteps(this.#here(part));
    for (const step of steps) {
      if (step.kind === 'file') {
        const path = join(this.folder, step.name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, step.text);
      } else if (!server.test(step.line)) await this.run(step.line);
      else if (step.line.startsWith('npx pay-gateway-sandbox')) {
        // The document names no port where the sandbox has its usual one.
        const line = step.line.replace('sandbox', this.#here('sandbox --port 4010'));
        await this.start(line, this.#here('http://127.0.0.1:4010'));
      } else await this.start(step.line, this.shop);
    }
    return steps.length;
  }

  async run(command: string): Promise<void> {
    const note = join(this.#scratch, 'cwd');
    const terminal = this.#type(command, `\ncode=$?; pwd > "${note}"; exit $code`);
    const limit = setTimeout(() => void end(terminal), LIMIT_MS);
    const [code] = (await once(terminal.child, 'close')) as [number | null];
    clearTimeout(limit);
    if (code !== 0) throw failed(terminal);
    this.folder = readFileSync(note, 'utf8').trim();
  }

  async start(command: string, address: string): Promise<void> {
    const terminal = this.#type(command);
    await until(`${command} answers at ${address}`, async () => {
      if (!isRunning(terminal)) throw failed(terminal);
      const answer = await fetch(address).catch(() => undefined);
      await answer?.text();
      return answer;
    });
  }

  #type(command: string, more = ''): Terminal {
    const child = spawn('bash', ['-c', command + more], {
      cwd: this.folder,
      env: this.#env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const terminal = { child, command, shown: '' };
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => void (terminal.shown += chunk.toString()));
    }
    this.#terminals.push(terminal);
    return terminal;
  }

  #here(text: string): string {
    return text.replaceAll(/\b(?:4010|3000)\b/g, (port) => String(this.#ports.get(port)));
  }
}

const failed = ({ command, shown, child }: Terminal): Error =>
  new Error(`$ ${command}\n${shown}\nended with code ${child.exitCode}`);

const isRunning = ({ child }: Terminal): boolean =>
  child.exitCode === null && child.signalCode === null;

/** Ends a command with all that it started. */
async function end(terminal: Terminal): Promise<void> {
  const { pid } = terminal.child;
  if (!isRunning(terminal) || pid === undefined) return;
  const closed = once(terminal.child, 'close');
  process.kill(-pid);
  await closed;
}
