import { requiredText } from '../../domain/body-fields.ts';
import { portalTokenLifeMs } from '../../domain/portal/portal-handlers.ts';
import type { Operation } from '../operation.ts';
import { errorB } from '../wire-reply.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { decodeFields } from './portal-operation.ts';

/** `POST /auth/login` (§5, N16). It does not say whether the name or the password was wrong. */
export function logIn({
  machine,
  tenants,
}: SandboxParts): Operation<{ username: string; password: string }> {
  return {
    name: 'logIn',
    method: 'POST',
    path: '/auth/login',
    credential: 'none',
    input: (_address, body) => body,
    decode: (input) =>
      decodeFields(input, (fields) => ({
        username: fields.take('username', requiredText, ''),
        password: fields.take('password', requiredText, ''),
      })),
    perform: ({ username, password }, { environment }) => {
      const tenant = tenants.findLogin(username, password);
      if (tenant === null) {
        return errorB(401, 'Invalid username or password', {
          decidedBy: 'login-invalid',
          tier: 'assumed N16',
        });
      }
      if (!machine.tenant(tenant).account.isFound) {
        const reply = errorB(401, 'Merchant not found', {
          decidedBy: 'merchant-not-found',
          tier: 'spec §7',
        });
        return { ...reply, tenant };
      }
      const { reply } = machine.execute({ kind: 'log-in', tenant, environment });
      const secrets = tenants.secrets(tenant);
      return {
        status: 200,
        body: {
          accessToken: secrets.portalToken(reply.token.id),
          tokenType: 'Bearer',
          expiresIn: portalTokenLifeMs / 1000,
          refreshToken: secrets.refreshToken(reply.refreshId),
        },
        decidedBy: 'login',
        tier: 'assumed N16',
        tenant,
      };
    },
  };
}
