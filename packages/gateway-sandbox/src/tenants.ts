import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { recordIn } from './domain/step.ts';
import { defaultTenant, firstKeyId } from './domain/tenant.ts';
import type { ApiKey, PortalToken, Tenant } from './domain/tenant.ts';
import type { Environment } from './domain/transaction.ts';
import type { Machine } from './machine.ts';

/** The most tenants that one sandbox holds: enough for a test run, too few to fill its memory. */
const mostTenants = 10_000;

/** The tenants of a sandbox, their secrets, and the tenant of each call and page. */
export class Tenants {
  readonly #machine: Machine;
  readonly #seed: string;
  readonly #secrets = new Map<string, Secrets>();
  /** Keys are looked up by hash, so that the time does not tell how much of one is right. */
  readonly #keys = new Map<string, { tenant: string; environment: Environment; id: string }>();
  /** The keys of each tenant that `#keys` knows. */
  readonly #indexed = new Map<string, readonly ApiKey[]>();

  constructor(machine: Machine, seed: string) {
    this.#machine = machine;
    this.#seed = seed;
  }

  secrets(tenant: string): Secrets {
    const known = this.#secrets.get(tenant);
    if (known !== undefined) return known;
    const { seed } = this.#machine.tenant(tenant).account;
    const secrets = secretsOf(seed ?? this.#seed, tenant);
    if (this.#machine.hasTenant(tenant)) this.#secrets.set(tenant, secrets);
    return secrets;
  }

  /** The addresses and credentials of a tenant: keys for payment calls, a login for the portal (§5). */
  access(tenant: string, url: string) {
    return {
      url,
      baseUrl: url + basePaths.staging,
      productionBaseUrl: url + basePaths.production,
      ...this.secrets(tenant).credentials(),
    };
  }

  /** Opens a tenant; without an id of its own it gets the next free number. */
  open({ id: wanted, seed }: { readonly id: string | null; readonly seed: string | null }) {
    const ids = this.#machine.tenantIds();
    if (ids.length >= mostTenants) return { fault: 'too-many' } as const;
    let number = ids.length + 1;
    while (ids.includes(`tenant-${number}`)) number += 1;
    const id = wanted ?? `tenant-${number}`;
    if (ids.includes(id)) return { fault: 'id-taken' } as const;
    this.#machine.execute({ kind: 'open-tenant', tenant: id, seed });
    return { id };
  }

  /** The tenant, the environment and the record of a key, revoked ones included. */
  findKey(presented: string): { tenant: string; environment: Environment; key: ApiKey } | null {
    if (!this.#keys.has(presented)) this.#indexNewKeys();
    const found = this.#keys.get(presented);
    if (found === undefined) return null;
    const { tenant, environment } = found;
    const key = recordIn(this.#machine.tenant(tenant).account.apiKeys, found);
    return key === undefined ? null : { tenant, environment, key };
  }

  /** The tenant and the record of a portal token, or null for one that was never given or was revoked. */
  findPortalToken(presented: string): { tenant: string; token: PortalToken } | null {
    const [, tenant, id = ''] =
      /^sandbox_portal_([a-z0-9-]+)\.([a-z0-9-]+)\.[0-9a-f]+$/.exec(presented) ?? [];
    if (tenant === undefined || !this.#machine.hasTenant(tenant)) return null;
    if (!isSameSecret(this.secrets(tenant).portalToken(id), presented)) return null;
    const { portalTokens } = this.#machine.tenant(tenant).account;
    const token = portalTokens.find((granted) => granted.id === id);
    return token === undefined ? null : { tenant, token };
  }

  findLogin(username: string, password: string): string | null {
    const [, tenant] = /^merchant-([a-z0-9-]+)@sandbox\.example$/.exec(username) ?? [];
    if (tenant === undefined || !this.#machine.hasTenant(tenant)) return null;
    return isSameSecret(this.secrets(tenant).credentials().portal.password, password)
      ? tenant
      : null;
  }

  /** The tenant that holds this session or 3-D Secure challenge; the first for an unowned one. */
  holderOf(id: string): string {
    const holds = ({ sessions, challenged }: Tenant) => sessions.has(id) || challenged.has(id);
    const ids = this.#machine.tenantIds();
    return ids.find((tenant) => holds(this.#machine.tenant(tenant))) ?? defaultTenant;
  }

  #indexNewKeys(): void {
    for (const tenant of this.#machine.tenantIds()) {
      const { apiKeys } = this.#machine.tenant(tenant).account;
      if (this.#indexed.get(tenant) === apiKeys) continue;
      for (const { id, environment } of apiKeys) {
        const key = this.secrets(tenant).apiKey(environment, id);
        this.#keys.set(key, { tenant, environment, id });
      }
      this.#indexed.set(tenant, apiKeys);
    }
  }
}

/** Where the two environments answer, relative to the sandbox's own address. */
export const basePaths = { staging: '/staging/v1', production: '/production/v1' } as const;

type Secrets = ReturnType<typeof secretsOf>;

/** All follow from the seed and a record's id, so that neither state nor journal holds one. */
function secretsOf(seed: string, tenant: string) {
  const derive = (purpose: string, length?: number): string =>
    createHmac('sha256', `pay-button sandbox ${seed}`)
      .update(`${tenant} ${purpose}`)
      .digest('hex')
      .slice(0, length);
  const apiKey = (environment: Environment, id: string): string => {
    const purpose = id === firstKeyId ? `${environment} key` : `${environment} key ${id}`;
    return `sandbox_${environment}_${derive(purpose, 32)}`;
  };
  return {
    apiKey,
    credentials: () => ({
      apiKey: apiKey('staging', firstKeyId),
      productionApiKey: apiKey('production', firstKeyId),
      portal: {
        username: `merchant-${tenant}@sandbox.example`,
        password: derive('portal password', 20),
      },
      /** The password in the hash of a direct sale (N8). */
      salePassword: derive('sale password', 20),
    }),
    refreshToken: (id: string) => `sandbox_refresh_${derive(`refresh token ${id}`)}`,
    /** What signs the deliveries of a webhook (N14). */
    webhookSecret: (id: string) => `whsec_${derive(`webhook ${id}`, 48)}`,
    sdkToken: (id: string) => `sandbox_sdk_${derive(`sdk token ${id}`, 48)}`,
    portalToken: (id: string) =>
      `${portalTokenPrefix}${tenant}.${id}.${derive(`portal token ${id}`, 32)}`,
  };
}

const portalTokenPrefix = 'sandbox_portal_';

/** Whether a text is a portal token by its form, sent to the right place or not. */
export function looksLikePortalToken(text: string): boolean {
  return text.startsWith(portalTokenPrefix);
}

export function looksLikeApiKey(text: string): boolean {
  return text.startsWith('sandbox_staging_') || text.startsWith('sandbox_production_');
}

/** Compares a presented secret with the right one in constant time, whatever its length. */
export function isSameSecret(expected: string, presented: unknown): boolean {
  if (typeof presented !== 'string') return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(presented), digest(expected));
}
