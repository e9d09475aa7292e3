import { guideAddress } from '../../errors.ts';
import type { Backlog, Drift, GatewayClientOptions, StoreHealth } from '../../index.ts';
import type { Invocation } from '../command.ts';
import type { ShopSettings } from '../shop.ts';
import type { Diagnosis } from '../terminal.ts';

/** A check's result. `odd` deserves attention and is no finding; `unchecked` could not be made. */
export type CheckResult =
  | { readonly status: 'fine'; readonly summary: string }
  | ({ readonly status: 'wrong' | 'odd' | 'unchecked'; readonly code: string } & Words);

/** What the shop's store says, which several checks judge. */
export type StoreFacts =
  | { readonly fault: Diagnosis; readonly server: DatabaseServer }
  | {
      readonly fault: null;
      readonly server: DatabaseServer;
      readonly backlog: Backlog;
      readonly clockOffsetMs: number | null;
    };

type DatabaseServer = ReturnType<NonNullable<StoreHealth['server']>> | undefined;

export interface DoctorParts {
  readonly settings: ShopSettings;
  /** Options of a client that asks once, with one key. */
  readonly clientOptions: GatewayClientOptions;
  /** Reads the store, once for all checks. */
  readonly store: () => Promise<StoreFacts>;
  /** A page with `<pay-button>`, where one was named. */
  readonly page: string | undefined;
  readonly config: Invocation['config'];
  /** What the gateway's answers to earlier checks had that is not expected. */
  readonly drift: Drift[];
  /** The gateway's clock and this machine's clock at that moment, in milliseconds since the epoch. */
  gatewayTime: { readonly gateway: number; readonly machine: number } | null;
}

export type Check = (parts: DoctorParts) => Promise<CheckResult | readonly CheckResult[]>;

export const helpOf = (id: string): string => guideAddress(`operations.md#${id}`);

/** What is said of a finding; without `help` the section of its check explains it. */
export type Words = Omit<Diagnosis, 'code' | 'help'> & { readonly help?: string | undefined };

export const fine = (summary: string): CheckResult => ({ status: 'fine', summary });

const found =
  (status: 'wrong' | 'odd' | 'unchecked') =>
  (code: string, words: Words): CheckResult => ({ status, code, ...words });

export const wrong = found('wrong');
export const odd = found('odd');

export const notChecked = (
  why: string,
  fix: string,
  code = 'not_checked',
  what = 'Not checked.',
): CheckResult => found('unchecked')(code, { what, why, fix });

export const leftOut = (route: string): CheckResult =>
  notChecked(
    `pay.config has routes.${route}: false.`,
    'Name a path there, if you did not mean to leave it out.',
    undefined,
    `Not checked: the shop leaves ${route} out.`,
  );
