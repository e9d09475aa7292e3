import { guideAddress } from '../../errors.ts';
import type { Drift } from '../../gateway/drift.ts';
import type { GatewayClientOptions } from '../../gateway/gateway-client.ts';
import type { Diagnosis } from '../terminal.ts';
import type { ShopSettings } from '../shop-settings.ts';

/** A check's result. `odd` deserves attention and is no finding; `unchecked` could not be made. */
export type CheckResult =
  | { readonly status: 'fine'; readonly summary: string }
  | ({ readonly status: 'wrong' | 'odd' | 'unchecked' } & Diagnosis);

/** What checks work with. */
export interface DoctorParts {
  readonly settings: ShopSettings;
  /** Options of a client that asks once, with one key. */
  readonly clientOptions: GatewayClientOptions;
  /** A page with `<pay-button>`, where one was named. */
  readonly page: string | undefined;
  /** What the gateway's answers to earlier checks had that is not expected. */
  readonly drift: Drift[];
  /** The gateway's clock and this machine's clock at that moment, in milliseconds since the epoch. */
  gatewayTime: { readonly gateway: number; readonly machine: number } | null;
}

/** One thing that the doctor checks. */
export interface Check {
  readonly id: string;
  readonly title: string;
  /** The dependencies of the check. */
  readonly needs: readonly ('network' | 'gateway' | 'publicUrl' | 'database')[];
  run(parts: DoctorParts): Promise<readonly CheckResult[]>;
}

/** Where the doctor's own findings are explained. */
export const helpOf = (id: string): string => guideAddress(`operations.md#${id}`);

export const fine = (summary: string): CheckResult => ({ status: 'fine', summary });

/** A check that could not be made, with its reason and remedy. */
export const notChecked = (help: string, why: string, fix: string, code = 'not_checked') => ({
  status: 'unchecked' as const,
  code,
  what: 'Not checked.',
  why,
  fix,
  help: helpOf(help),
});

/** A route that the shop's own settings leave out cannot be asked. */
export const leftOut = (route: string, help: string): CheckResult => ({
  ...notChecked(
    help,
    `pay.config has routes.${route}: false.`,
    'Name a path there, if you did not mean to leave it out.',
  ),
  what: `Not checked: the shop leaves ${route} out.`,
});
