import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePortLike } from '../process/free-port.ts';
import { Shell } from './shell.ts';
import { writtenSteps } from './written-steps.ts';

/** A line that starts a server; every other ends by itself. */
const server = /^(?:npx pay-gateway-sandbox|node .*\.ts|npm start|npm run dev)\b/;

/**
 * Does what documents say, in an empty folder: writes the files and types the commands, with our
 * packages from a registry of this machine. The ports are the documents', or free ones where other
 * programs have those.
 */
export class Reader {
  readonly #scratch: string;
  readonly #shell: Shell;
  readonly #ports: ReadonlyMap<string, number>;
  readonly #shown: (() => string)[] = [];

  private constructor(scratch: string, shell: Shell, ports: ReadonlyMap<string, number>) {
    this.#scratch = scratch;
    this.#shell = shell;
    this.#ports = ports;
  }

  /** Lets a reader work, and takes everything away afterwards. */
  static async at<Result>(
    registry: string,
    work: (reader: Reader) => Promise<Result>,
  ): Promise<Result> {
    const scratch = mkdtempSync(join(tmpdir(), 'pay-button-reader-'));
    const empty = join(scratch, 'empty');
    // Without one, npm would install into a folder above that has one, as a shared temporary folder may.
    mkdirSync(join(empty, 'node_modules'), { recursive: true });
    const ports = new Map<string, number>();
    for (const port of [4010, 3000]) ports.set(String(port), await freePortLike(port));
    const shell = new Shell(empty, { npm_config_registry: registry });
    const reader = new Reader(scratch, shell, ports);
    try {
      return await work(reader);
    } finally {
      await reader.#close();
    }
  }

  /** Where the reader's commands run now. */
  get folder(): string {
    return this.#shell.cwd;
  }

  /** The address of the shop, which documents have at port 3000. */
  get shop(): string {
    return this.#here('http://127.0.0.1:3000');
  }

  /** What the reader's terminals showed until now. */
  shown(): string {
    return this.#shown.map((output) => output()).join('\n');
  }

  /** Does the steps of a part of a document. @returns how many they were. */
  async follow(part: string): Promise<number> {
    const steps = writtenSteps(this.#here(part));
    for (const step of steps) {
      if (step.kind === 'file') this.write(step.name, step.text);
      else await this.#type(step.line);
    }
    return steps.length;
  }

  write(name: string, text: string): void {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  async #type(line: string): Promise<void> {
    if (!server.test(line)) {
      const output = await this.#shell.run(line);
      this.#shown.push(() => output);
      return;
    }
    const sandbox = line.startsWith('npx pay-gateway-sandbox');
    const address = this.#here(sandbox ? 'http://127.0.0.1:4010' : 'http://127.0.0.1:3000');
    // The sandbox alone is not told its port by the document.
    const command = sandbox ? line.replace('sandbox', this.#here('sandbox --port 4010')) : line;
    this.#shown.push(await this.#shell.start(command, address));
  }

  #here(text: string): string {
    return text.replaceAll(/\b(?:4010|3000)\b/g, (port) => String(this.#ports.get(port)));
  }

  async #close(): Promise<void> {
    await this.#shell.close();
    rmSync(this.#scratch, { recursive: true, force: true });
  }
}
