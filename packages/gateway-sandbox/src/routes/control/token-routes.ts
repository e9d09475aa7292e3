import type { Router } from 'express';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { controlRoute } from './control-call.ts';

/** `recurring-tokens/:token/revoke`: what a merchant's customer would do at the bank. */
export function addTokenRoutes(router: Router, { machine }: SandboxParts): void {
  router.post(
    '/recurring-tokens/:token/revoke',
    controlRoute(async ({ tenant, request }) => {
      const recurringToken = String(request.params['token']);
      const { reply } = await machine.execute({ kind: 'revoke-token', tenant, recurringToken });
      if (reply.kind === 'revoked') return { answer: { transactionId: reply.transactionId } };
      return {
        problem: {
          status: 404,
          code: 'unknown_token',
          detail: 'No payment of this tenant made this recurring token.',
        },
      };
    }),
  );
}
