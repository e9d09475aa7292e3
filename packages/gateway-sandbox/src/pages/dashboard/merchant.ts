import type { Environment } from '../../domain/session.ts';
import { defaultTenant } from '../../domain/state.ts';
import type { Tenant } from '../../domain/state.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import type { SignedIn } from './sign-in.ts';

interface Merchant {
  readonly tenantId: string;
  readonly tenant: Tenant;
  readonly environment: Environment;
  /** The newest key that works, for payment calls; null when all are revoked. */
  readonly apiKey: string | null;
}

/** Whose dashboard this is; the API has said by now that the token is good. */
export function merchantOf({
  parts: { machine, tenants },
  signedIn: { token, environment },
}: {
  readonly parts: SandboxParts;
  readonly signedIn: SignedIn;
}): Merchant {
  const tenantId = tenants.findPortalToken(token)?.tenant ?? defaultTenant;
  const tenant = machine.tenant(tenantId);
  const key = tenant.account.apiKeys.findLast(
    (one) => one.environment === environment && one.status === 'ACTIVE',
  );
  const apiKey = key === undefined ? null : tenants.secrets(tenantId).apiKey(environment, key.id);
  return { tenantId, tenant, environment, apiKey };
}
