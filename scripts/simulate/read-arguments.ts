import { parseArgs } from 'node:util';
import {
  storeNames,
  type StoreName,
} from '../../packages/server-helper/test-support/histories/stores.ts';
import type { Variant } from '../../packages/server-helper/test-support/histories/variant.ts';
import { variants } from '../../packages/server-helper/test-support/histories/variants.ts';

/** What `npm run simulate` was asked for. */
export type Asked =
  | { readonly kind: 'help' | 'mistake'; readonly text: string }
  | {
      readonly kind: 'play';
      readonly seed: number;
      readonly histories: number;
      readonly store: StoreName;
      readonly variant: Variant | undefined;
    };

const help = `npm run simulate -- [--seed N] [--histories M] [--store mixed|memory|sqlite] [--variant NAME]

Plays histories of a shop: shoppers, hints, refunds, crashes, a moody gateway and a moody store, in
virtual time. Every rule of docs/proof.md is checked after every write. Everything follows from the
seed: history M of a run with seed N is the only history of a run with seed N + M - 1.

  --seed N           the first history's seed, 0 to 4294967295; by chance without it
  --histories M      how many (10000)
  --store NAME       memory, sqlite, or mixed: SQLite for one history of twenty (mixed)
  --variant NAME     a program with a known mistake, which must be found:
${variants.map(({ name, about }) => `                       ${name}: ${about}`).join('\n')}

It ends with 0 when every rule held, 1 when one was broken, 2 when it was called wrongly, and 130
after Ctrl-C.`;

/** Reads the command line; a mistake is answered with what is possible. */
export function readArguments(args: readonly string[]): Asked {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        seed: { type: 'string' },
        histories: { type: 'string', default: '10000' },
        store: { type: 'string', default: 'mixed' },
        variant: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }));
  } catch (error) {
    return mistake(error instanceof Error ? error.message : String(error));
  }
  if (values.help) return { kind: 'help', text: help };
  const seed = wholeNumber(values.seed ?? String(Math.floor(Math.random() * 2 ** 31)), 2 ** 32 - 1);
  if (seed === undefined) return mistake('--seed must be a whole number from 0 to 4294967295.');
  const histories = wholeNumber(values.histories, 1_000_000_000);
  if (histories === undefined || histories === 0) {
    return mistake('--histories must be a whole number from 1 to 1000000000.');
  }
  const store = storeNames.find((name) => name === values.store);
  if (store === undefined) return mistake(`--store must be ${storeNames.join(' or ')}.`);
  const variant = variants.find(({ name }) => name === values.variant);
  if (values.variant !== undefined && variant === undefined) {
    return mistake(`There is no variant ${JSON.stringify(values.variant)}; --help lists them.`);
  }
  return { kind: 'play', seed, histories, store, variant };
}

const mistake = (text: string): Asked => ({
  kind: 'mistake',
  text: `${text}\nnpm run simulate -- --help says what is possible.`,
});

function wholeNumber(text: string, most: number): number | undefined {
  const value = Number(text);
  return /^\d{1,10}$/.test(text) && value <= most ? value : undefined;
}
