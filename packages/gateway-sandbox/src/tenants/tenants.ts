import { defaultTenant } from '../domain/tenant.ts';
import type { ApiKey, PortalToken, Tenant } from '../domain/tenant.ts';
import type { Environment } from '../domain/transaction.ts';
import type { Machine } from '../machine/machine.ts';
import { isSameSecret, readPortalToken, Secrets, tenantOfUsername } from './credentials.ts';
import type { Credentials } from './credentials.ts';

/** The most tenants that one sandbox holds: enough for a test run, too few to fill its memory. */
const mostTenants = 10_000;

/** Why a tenant was not opened. */
export type OpenFault = 'id-taken' | 'too-many';

/** The tenants of a sandbox, their secrets, and the tenant of each call and page. */
export class Tenants {
  readonly #machine: Machine;
  readonly #seed: string;
  readonly #secrets = new Map<string, Secrets>();
  /**
   * Keys are looked up by their hash, so that the time does not depend on how much of a key is
   * right.
   */
  readonly #keys = new Map<string, { tenant: string; environment: Environment; id: string }>();
  /** The keys of each tenant that `#keys` knows. */
  readonly #indexed = new Map<string, readonly ApiKey[]>();

  constructor(machine: Machine, seed: string) {
    this.#machine = machine;
    this.#seed = seed;
  }

  /** The secrets of a tenant; those of its records too. */
  secrets(tenant: string): Secrets {
    const known = this.#secrets.get(tenant);
    if (known !== undefined) return known;
    const { seed } = this.#machine.tenant(tenant).account;
    const secrets = new Secrets(seed ?? this.#seed, tenant);
    if (this.#machine.hasTenant(tenant)) this.#secrets.set(tenant, secrets);
    return secrets;
  }

  credentials(tenant: string): Credentials {
    return this.secrets(tenant).credentials();
  }

  /** Opens a tenant; without an id of its own it gets the next free number. */
  open(wanted: { id: string | null; seed: string | null }): { id: string } | { fault: OpenFault } {
    const { seed } = wanted;
    const ids = this.#machine.tenantIds();
    if (ids.length >= mostTenants) return { fault: 'too-many' };
    let number = ids.length + 1;
    while (ids.includes(`tenant-${number}`)) number += 1;
    const id = wanted.id ?? `tenant-${number}`;
    if (ids.includes(id)) return { fault: 'id-taken' };
    this.#machine.execute({ kind: 'open-tenant', tenant: id, seed });
    return { id };
  }

  /** The tenant, the environment and the record of a key, revoked ones included. */
  findKey(presented: string): { tenant: string; environment: Environment; key: ApiKey } | null {
    if (!this.#keys.has(presented)) this.#indexNewKeys();
    const found = this.#keys.get(presented);
    if (found === undefined) return null;
    const key = this.#machine
      .tenant(found.tenant)
      .account.apiKeys.find(
        ({ id, environment }) => id === found.id && environment === found.environment,
      );
    return key === undefined ? null : { tenant: found.tenant, environment: found.environment, key };
  }

  /** The tenant and the record of a portal token, or null for one that was never given or was revoked. */
  findPortalToken(presented: string): { tenant: string; token: PortalToken } | null {
    const named = readPortalToken(presented);
    if (named === null || !this.#machine.hasTenant(named.tenant)) return null;
    const { tenant, id } = named;
    if (!isSameSecret(this.secrets(tenant).portalToken(id), presented)) return null;
    const { portalTokens } = this.#machine.tenant(tenant).account;
    const token = portalTokens.find((granted) => granted.id === id);
    return token === undefined ? null : { tenant, token };
  }

  /** The tenant that this portal login belongs to. */
  findLogin(username: string, password: string): string | null {
    const tenant = tenantOfUsername(username);
    if (tenant === null || !this.#machine.hasTenant(tenant)) return null;
    return isSameSecret(this.credentials(tenant).portal.password, password) ? tenant : null;
  }

  /** The tenant that holds this session; the first for an unowned one. */
  ofSession(sessionId: string): string {
    return this.#holder(({ sessions }) => sessions.has(sessionId));
  }

  /** The tenant that holds this 3-D Secure challenge; the first for an unowned one. */
  ofChallenge(challengeId: string): string {
    return this.#holder(({ challenged }) => challenged.has(challengeId));
  }

  #holder(holds: (tenant: Tenant) => boolean): string {
    const ids = this.#machine.tenantIds();
    return ids.find((id) => holds(this.#machine.tenant(id))) ?? defaultTenant;
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
