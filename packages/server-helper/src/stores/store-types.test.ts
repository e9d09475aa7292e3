import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it, describe } from 'vitest';
import { storeConformance } from './conformance/conformance.ts';
import { memoryStore } from './memory-store.ts';
import type { Store } from './store.ts';

/** A type's place: the file that declares it, and its name there. */
interface Place {
  readonly file: URL;
  readonly name: string;
}

const declaration =
  /^(?:export )?(?:interface|type|class) (\w+)[^]*?(?=^(?:export|interface|type|const|function|class)\b|(?![^]))/gm;

/** Each type of a file with its text, and where each imported name comes from. */
function readTypes(file: URL) {
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*\*[^]*?\*\//g, '');
  const bodies = new Map(
    [...text.matchAll(declaration)].map(([body, name = '']) => [name, body] as const),
  );
  const imported = new Map<string, URL>();
  for (const [, names = '', from = ''] of text.matchAll(
    /^import (?:type )?\{([^}]+)\} from '(\.[^']+)'/gm,
  )) {
    for (const [name] of names.matchAll(/\b[A-Z]\w+/g)) imported.set(name, new URL(from, file));
  }
  return { bodies, imported };
}

/** Every type that a type's declaration leads to, through all files. */
function typesBehind({ file, name }: Place, found = new Map<string, string>()) {
  const { bodies, imported } = readTypes(file);
  const body = bodies.get(name);
  if (body === undefined || found.has(name)) return found;
  found.set(name, body);
  for (const [word] of body.matchAll(/\b[A-Z]\w+\b/g)) {
    if (bodies.has(word)) typesBehind({ file, name: word }, found);
    const from = imported.get(word);
    if (from !== undefined) typesBehind({ file: from, name: word }, found);
  }
  return found;
}

it('the package exports every type that a store of a merchant’s own has to name', () => {
  const found = typesBehind({ file: new URL('store.ts', import.meta.url), name: 'Store' });
  const index = readFileSync(fileURLToPath(new URL('../index.ts', import.meta.url)), 'utf8');
  const exported = new Set(index.match(/\b[A-Z]\w+\b/g));
  const named = [...found].filter(([, body]) => body.startsWith('export'));
  expect(named.map(([name]) => name).filter((name) => !exported.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(30);
});

describe('the memory store', () => {
  const store = memoryStore() as Store<unknown>;
  for (const { name, check } of storeConformance) it(name, () => check(store));
});

it('a store may be shared by all cases of the suite at once, and by two processes', async () => {
  const store = memoryStore() as Store<unknown>;
  const twice = [...storeConformance, ...storeConformance];
  const results = await Promise.allSettled(twice.map(({ check }) => check(store)));
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
});
