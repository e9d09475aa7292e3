import type { GatewayClientOptions } from '../../gateway/gateway-client.ts';
import type { Told } from '../finding.ts';
import type { ShopSettings } from '../shop-settings.ts';

/** What a check came to. `odd` deserves a status check and is no finding; `unchecked` could not be made. */
export type CheckResult =
  | { readonly status: 'fine'; readonly told: string }
  | ({ readonly status: 'wrong' | 'odd' | 'unchecked' } & Told);

/** What checks work with. */
export interface DoctorParts {
  readonly settings: ShopSettings;
  /** Options of a client that asks once, with one key. */
  readonly clientOptions: GatewayClientOptions;
  /** A page with `<pay-button>`, where one was named. */
  readonly page: string | undefined;
  /** What the gateway's clock said, in milliseconds since the epoch, and when it said so. */
  gatewayTime: { readonly told: number; readonly heardAt: number } | null;
}

/** One thing that the doctor looks at. */
export interface Check {
  readonly id: string;
  readonly title: string;
  /** What it cannot do without. */
  readonly needs: readonly ('network' | 'gateway' | 'publicUrl' | 'database')[];
  run(parts: DoctorParts): Promise<readonly CheckResult[]>;
}

/** Where the doctor's own findings are explained. */
export const helpOf = (id: string): string => `docs/operations.md#${id}`;

export const fine = (told: string): CheckResult => ({ status: 'fine', told });
