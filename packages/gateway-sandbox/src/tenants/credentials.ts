import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { firstKeyId } from '../domain/tenant.ts';
import type { Environment } from '../domain/transaction.ts';

/** The credentials of one tenant: keys for payment calls, a login for the portal (§5). */
export interface Credentials {
  readonly apiKeys: Readonly<Record<Environment, string>>;
  readonly portal: { readonly username: string; readonly password: string };
  /** The password in the hash of a direct sale (N8). */
  readonly salePassword: string;
}

/**
 * The secrets of one tenant. All follow from the seed and the id of the record that they belong to,
 * so they survive every restart and reset, and neither the state nor the journal holds one.
 */
export class Secrets {
  readonly #tenant: string;
  readonly #derive: (purpose: string) => string;

  constructor(seed: string, tenant: string) {
    this.#tenant = tenant;
    this.#derive = (purpose) =>
      createHmac('sha256', `pay-button sandbox ${seed}`)
        .update(`${tenant} ${purpose}`)
        .digest('hex');
  }

  /** The first credentials of the tenant. */
  credentials(): Credentials {
    return {
      apiKeys: {
        staging: this.apiKey('staging', firstKeyId),
        production: this.apiKey('production', firstKeyId),
      },
      portal: {
        username: portalUsername(this.#tenant),
        password: this.#derive('portal password').slice(0, 20),
      },
      salePassword: this.#derive('sale password').slice(0, 20),
    };
  }

  apiKey(environment: Environment, id: string): string {
    const purpose = id === firstKeyId ? `${environment} key` : `${environment} key ${id}`;
    return `sandbox_${environment}_${this.#derive(purpose).slice(0, 32)}`;
  }

  refreshToken(id: string): string {
    return `sandbox_refresh_${this.#derive(`refresh token ${id}`)}`;
  }

  /** What signs the deliveries of a webhook (N14). */
  webhookSecret(id: string): string {
    return `whsec_${this.#derive(`webhook ${id}`).slice(0, 48)}`;
  }

  sdkToken(id: string): string {
    return `sandbox_sdk_${this.#derive(`sdk token ${id}`).slice(0, 48)}`;
  }

  portalToken(id: string): string {
    const mac = this.#derive(`portal token ${id}`).slice(0, 32);
    return `${portalTokenPrefix}${this.#tenant}.${id}.${mac}`;
  }
}

const portalTokenPrefix = 'sandbox_portal_';

/** Whether a text is a portal token by its form, sent to the right place or not. */
export function looksLikePortalToken(text: string): boolean {
  return text.startsWith(portalTokenPrefix);
}

/** Whether a text is an API key by its form. */
export function looksLikeApiKey(text: string): boolean {
  return text.startsWith('sandbox_staging_') || text.startsWith('sandbox_production_');
}

/** The tenant and the record that a portal token names; the rest of it has to be compared. */
export function readPortalToken(text: string): { tenant: string; id: string } | null {
  const [, tenant, id] = /^sandbox_portal_([a-z0-9-]+)\.([a-z0-9-]+)\.[0-9a-f]+$/.exec(text) ?? [];
  return tenant === undefined || id === undefined ? null : { tenant, id };
}

/** The tenant that a portal login names. */
export function tenantOfUsername(username: string): string | null {
  return /^merchant-([a-z0-9-]+)@sandbox\.example$/.exec(username)?.[1] ?? null;
}

function portalUsername(tenant: string): string {
  return `merchant-${tenant}@sandbox.example`;
}

/** Compares a presented secret with the right one in constant time, whatever its length. */
export function isSameSecret(expected: string, presented: unknown): boolean {
  if (typeof presented !== 'string') return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(presented), digest(expected));
}
