import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../command.ts';

/** What became of a file. `kept` is there already and was left as it is. */
export interface FileReport {
  readonly file: string;
  readonly action: 'written' | 'extended' | 'replaced' | 'kept';
  readonly what: string;
}

/** What a package's manifest may hold, as far as it matters here. */
export interface Manifest {
  name?: string;
  type?: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  [field: string]: unknown;
}

/** The merchant's folder. Nothing that is there is overwritten, unless `isForced`. */
export class Project {
  readonly folder: string;
  readonly reports: FileReport[] = [];
  readonly #isForced: boolean;

  constructor(folder: string, isForced: boolean) {
    this.folder = folder;
    this.#isForced = isForced;
  }

  /** A file's text, or `undefined`. */
  read(file: string): string | undefined {
    const path = join(this.folder, file);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  }

  /** The manifest; `undefined` without one. @throws {@link UsageError} for one that is no JSON. */
  manifest(): Manifest | undefined {
    const text = this.read('package.json');
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as Manifest;
    } catch {
      throw new UsageError('The package.json of this folder is no JSON. Mend it first.', 'init');
    }
  }

  /** Writes a whole file, and leaves one that is there with another text. */
  write(file: string, text: string, what: string): void {
    const before = this.read(file);
    if (before === undefined) this.#put(file, text, 'written', what);
    else if (before === text) this.#note(file, 'kept', 'is as it should be');
    else if (this.#isForced) this.#put(file, text, 'replaced', what);
    else this.#note(file, 'kept', 'is there already; --force replaces it');
  }

  /** Writes a file that holds what was there and more. */
  extend(file: string, text: string, what: string): void {
    const before = this.read(file);
    if (before === text) this.#note(file, 'kept', 'has all it needs');
    else this.#put(file, text, before === undefined ? 'written' : 'extended', what);
  }

  #put(file: string, text: string, action: FileReport['action'], what: string): void {
    const path = join(this.folder, file);
    mkdirSync(dirname(path), { recursive: true });
    // Settings hold a secret: others on this machine have no business in them.
    writeFileSync(path, text, file === '.env' ? { mode: 0o600 } : {});
    this.#note(file, action, what);
  }

  #note(file: string, action: FileReport['action'], what: string): void {
    this.reports.push({ file, action, what });
  }
}
