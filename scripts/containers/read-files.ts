import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../process.ts';

/** Where the containers' files are: beside the shop that they run. */
export const folder = join(root, 'examples/express-postgres');

export const fileText = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** A service of `compose.yaml`, as far as the tests read it. */
interface Service {
  readonly image?: string;
  readonly build?: { readonly target: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly secrets?: readonly string[];
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

export const compose = parse(fileText('compose.yaml'), { merge: true }) as Compose;

/** The lines of each stage of the Dockerfile, by its name: each line's word, and what follows. */
export const stages = new Map<string, { readonly word: string; readonly rest: string }[]>();
const lines = fileText('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ');
let stage = '';
for (const [, word = '', rest = ''] of lines.matchAll(/^([A-Z]+) +(.+)$/gm)) {
  if (word === 'FROM') stage = / AS (\w+)$/.exec(rest)?.[1] ?? '';
  stages.set(stage, [...(stages.get(stage) ?? []), { word, rest: rest.trim() }]);
}

/** What follows a word in a stage; empty where the stage lacks the word. */
export const inStage = (name: string, word: string): string =>
  stages.get(name)?.findLast((instruction) => instruction.word === word)?.rest ?? '';

/** A command in its form of a list, behind options such as those of HEALTHCHECK. */
export const commandIn = (text: string): readonly string[] =>
  JSON.parse(text.slice(text.indexOf('['))) as readonly string[];
